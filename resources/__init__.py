"""Dagster resources: thin, typed doors to the library."""
