"""Thumbnails, signed links to files, and suggestions of fields from a sample."""
