"""Reading documents: look-up by id, views, lists and searches (``finding``), operations, ``duplicates``."""
