"""Connections to the outside: every one that docduck opens goes through this package."""
