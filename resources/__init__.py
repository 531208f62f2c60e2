"""Look-ups that assets and jobs share; the resources themselves are in ``dagster_docduck``."""
