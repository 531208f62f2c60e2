"""Dagster resources: thin, typed doors to the library."""

from resources.installation import installation_resource, this_installation

__all__ = ["installation_resource", "this_installation"]
