"""Dagster resources, and look-ups that jobs share."""

from resources.installation import installation_resource, this_installation

__all__ = ["installation_resource", "this_installation"]
