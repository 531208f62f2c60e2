"""Fields choose their values from the page's reading, in one assignment. Begin with ``labelled_fields``."""
