"""Uploads: files and URLs to be read by a parser, or by the one that a classifier chooses."""
