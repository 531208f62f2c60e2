"""Domains that not everybody needs, each found by an entry point of the group ``docduck.extractors``."""
