"""docduck turns documents into tables."""

__version__ = "0.1.0"
