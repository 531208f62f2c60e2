"""Request bodies and responses as pydantic models, one module per resource. Begin with ``base``."""
