"""Corrections of values, and learning from them."""
