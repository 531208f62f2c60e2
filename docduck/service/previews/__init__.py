"""Thumbnails, signed links to files, suggestions of fields from samples, and parsers set up from them."""
