"""Parties and their addresses."""
