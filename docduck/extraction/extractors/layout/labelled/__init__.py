"""Fields choose their values from the page's reading, all in one assignment. Begin with ``assignment``."""
