"""The warehouse, and what is published of it, as the settings say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from docduck.errors import InputError
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.settings import Settings

if TYPE_CHECKING:
    from docduck.outbound.object_store import Bucket
    from docduck.warehouse.published_copy import PublishedCopy
    from docduck.warehouse.warehouse import Warehouse

EXTENSIONS = ("ducklake", "postgres_scanner")
"""What DuckDB needs for a lake."""
LOCK_SECONDS = 120
PUBLISH_SECONDS, PUBLISH_COPY_FACTOR, PUBLISH_CATALOG_FACTOR = 5, 10, 2
"""Shortest time between two publications, and the same in multiples of the last one's time: of a copy, or of
a catalog, which stays small."""


def published_path(home: Path, settings: Settings) -> Path:
    """Return the path of what is published for analysts in this home."""
    return home.absolute() / ("analytics.duckdb" if settings.lake_url is None else "analytics.ducklake")


def check_lake(settings: Settings) -> None:
    """Raise InputError if the settings name a lake that can't be."""
    if settings.catalog_url is None:
        raise InputError(
            "DOCDUCK_LAKE_URL needs a catalog of PostgreSQL, which lists the lake's files: set "
            "DOCDUCK_CATALOG_URL, too",
            "DOCDUCK_LAKE_URL",
        )
    if not all(find_spec(f"duckdb_extension_{name}") for name in EXTENSIONS):
        raise InputError(
            "DOCDUCK_LAKE_URL needs extensions of DuckDB: pip install 'docduck[lake]'", "DOCDUCK_LAKE_URL"
        )


def open_warehouse(settings: Settings, teams: Callable[[], Mapping[str, Sequence[str]]]) -> Warehouse:
    """Return the warehouse, not opened yet. ``teams`` returns the schemas of each team, by its slug."""
    # Imported late: DuckDB is slow to import, and most commands don't need it.
    from docduck.warehouse.warehouse import WarehouseOptions

    home = settings.home.absolute()
    options = WarehouseOptions(
        memory_limit=f"{settings.warehouse_memory_mb}MiB",
        timeout=LOCK_SECONDS,
        publish_pause=PUBLISH_SECONDS,
        publish_copy_factor=PUBLISH_COPY_FACTOR if settings.lake_url is None else PUBLISH_CATALOG_FACTOR,
        readers=settings.analytics_group,
    )
    if settings.lake_url is None:
        from docduck.warehouse.warehouse_file import WarehouseFile

        return WarehouseFile(home, options)
    from docduck.warehouse.lake.lake import Lake

    bucket = _bucket(settings, settings.lake_url)
    return Lake(home, settings.catalog_address, bucket, teams, settings.lake_keep_hours, options)


def open_published(home: Path, settings: Settings) -> PublishedCopy:
    """Return what is published for analysts in this home."""
    from docduck.warehouse.published_copy import PublishedCopy

    return PublishedCopy(published_path(home, settings), lake_of(settings))


def lake_of(settings: Settings) -> Bucket | None:
    """Return the bucket with the tables' files; None if they are in the home."""
    return None if settings.lake_url is None else _bucket(settings, settings.lake_url)


def _bucket(settings: Settings, url: str) -> Bucket:
    from docduck.outbound.object_store import Bucket

    return Bucket(BucketEndpoint(url, settings.files_endpoint))
