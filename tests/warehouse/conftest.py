"""Warehouses of both kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.warehouse import Warehouse, WarehouseFile
from docduck.warehouse.lake.bucket import LakeBucket
from docduck.warehouse.lake.lake import Lake
from docduck.warehouse.warehouse import WarehouseOptions
from tests.object_store import KEYS, new_bucket
from tests.postgres import new_database

MakeLake = Callable[..., Lake]
IN_LAKE = pytest.param("lake", marks=[pytest.mark.postgres, pytest.mark.extended])


@pytest.fixture(scope="module")
def make_lakes(postgres_server: str, bucket_server: str) -> Iterator[Callable[[], MakeLake]]:
    """Make lakes, each in a database and a bucket of its own."""
    databases = []

    def make_lakes() -> MakeLake:
        database = new_database(postgres_server)
        address = database.__enter__()
        databases.append(database)
        url = f"s3://{new_bucket(bucket_server).config['bucket']}/lake"

        def opened(
            home: Path,
            teams: Mapping[str, Sequence[str]] | None = None,
            bucket: LakeBucket | None = None,
            keep_hours: int = 1,
        ) -> Lake:
            """Open the lake in a home, for teams with these schemas."""
            home.mkdir(exist_ok=True)
            bucket = bucket or LakeBucket(BucketEndpoint(url, bucket_server, **KEYS))
            chosen = {"default": ["invoices"]} if teams is None else teams
            return Lake(home, address, bucket, lambda: chosen, keep_hours, WarehouseOptions())

        return opened

    yield make_lakes
    for database in databases:
        database.__exit__(None, None, None)


@pytest.fixture
def open_lake(make_lakes: Callable[[], MakeLake]) -> MakeLake:
    """Open one new lake in a home, as often as wanted."""
    return make_lakes()


@pytest.fixture(params=["file", IN_LAKE])
def warehouse(request: pytest.FixtureRequest, tmp_path: Path) -> Warehouse:
    """An empty warehouse: a DuckDB file, or a lake."""
    if request.param == "file":
        return WarehouseFile(tmp_path)
    lake: Lake = request.getfixturevalue("open_lake")(tmp_path)
    return lake
