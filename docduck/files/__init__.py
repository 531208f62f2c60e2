"""Stored files, known by the hash of their content."""
