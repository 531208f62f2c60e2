"""Parsers: the list, new ones from a template or a sample, and their fields."""
