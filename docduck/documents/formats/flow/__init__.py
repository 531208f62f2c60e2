"""Flowing text, from any format that has no pages of its own, laid out on virtual pages."""
