"""docduck in other Dagster projects. Begin with ``component``, which a project's ``defs.yaml`` names."""
