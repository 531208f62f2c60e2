"""The page, read once: what each segment is, what labels it, and whose name or address it shows."""

from docduck.extraction.reading.page_reading import PageReading, reading_of

__all__ = ["PageReading", "reading_of"]
