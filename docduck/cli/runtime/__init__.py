"""The processes of ``docduck up``."""
