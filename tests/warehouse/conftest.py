"""Warehouses of both kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest

from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.outbound.object_store import Bucket
from docduck.warehouse.lake.lake import Lake
from docduck.warehouse.warehouse import Warehouse, WarehouseOptions
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.object_store import KEYS, new_bucket
from tests.postgres import new_database

MakeLake = Callable[..., Lake]
IN_LAKE = pytest.param("lake", marks=[pytest.mark.postgres, pytest.mark.extended])


@pytest.fixture(scope="session")
def new_lake(postgres_server: str, bucket_server: str) -> Callable[[], AbstractContextManager[MakeLake]]:
    """Make a lake in a database and a bucket of its own."""

    @contextmanager
    def new_lake() -> Iterator[MakeLake]:
        url = f"s3://{new_bucket(bucket_server).config['bucket']}/lake"
        with new_database(postgres_server) as address, ExitStack() as opened:

            def open_lake(
                home: Path,
                teams: Mapping[str, Sequence[str]] | None = None,
                bucket: Bucket | None = None,
                keep_hours: int = 1,
            ) -> Lake:
                """Open the lake in a home, for teams with these schemas."""
                home.mkdir(exist_ok=True)
                bucket = bucket or Bucket(BucketEndpoint(url, bucket_server, **KEYS))
                chosen = {"default": ["invoices"]} if teams is None else teams
                lake = Lake(home, address, bucket, lambda: chosen, keep_hours, WarehouseOptions())
                opened.callback(lake.close)
                return lake

            yield open_lake

    return new_lake


@pytest.fixture
def open_lake(new_lake: Callable[[], AbstractContextManager[MakeLake]]) -> Iterator[MakeLake]:
    """Open one new lake in a home, as often as wanted."""
    with new_lake() as open_lake:
        yield open_lake


@pytest.fixture(params=["file", IN_LAKE])
def warehouse(request: pytest.FixtureRequest, tmp_path: Path) -> Warehouse:
    """An empty warehouse: a DuckDB file, or a lake."""
    if request.param == "file":
        return WarehouseFile(tmp_path)
    lake: Lake = request.getfixturevalue("open_lake")(tmp_path)
    return lake
