"""The names of sources in Dagster, where anything but letters, digits and underscores is refused."""

from __future__ import annotations

from dagster import AssetKey

from docduck.ids import snake_case
from docduck.service.sources.sources import FolderSource


def source_name(source: FolderSource) -> str:
    """The source's name in asset keys and sensor names."""
    return snake_case(source.name, "source")


def source_key(source: FolderSource) -> AssetKey:
    """The key of the source's asset."""
    return AssetKey(["sources", source_name(source)])
