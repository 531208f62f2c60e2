"""Words, lines, columns and tables by their places on the page."""
