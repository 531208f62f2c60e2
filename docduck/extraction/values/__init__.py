"""Typed values: how dates, amounts, identifiers and the like are read from printed text."""
