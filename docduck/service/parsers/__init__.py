"""Parsers, their fields and their settings. Begin with ``parsers``."""
