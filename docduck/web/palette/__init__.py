"""The command palette: the way to any page and document by a few letters."""
