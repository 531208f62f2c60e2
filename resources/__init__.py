"""Dagster resources: thin, typed doors to the library."""

from resources.docduck import DocduckResource, installation

__all__ = ["DocduckResource", "installation"]
