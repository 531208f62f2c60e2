"""A page as extractors look at it. Begin with ``page_view``."""
