"""Words to lines, columns and tables by their places on the page. Begin with ``lines``."""
