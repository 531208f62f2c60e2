"""A page as extractors look at it."""
