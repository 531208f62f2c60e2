"""Loading a table as a frame through the I/O manager, beside DuckDB itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import polars as pl
from dagster import AssetKey, PythonObjectDagsterType, build_input_context

from dagster_docduck import DocduckIOManager
from tests.benchmarks.figures import Figure

ROWS_PER_DOCUMENT = 200
ROUNDS = 7
MOST = 1.3
KEY = AssetKey(["invoices", "line_items"])
TABLE = """CREATE SCHEMA invoices; CREATE TABLE invoices.line_items AS
SELECT uuid()::VARCHAR AS document_id, (i % 10 + 1)::INTEGER AS row_number, 'Article ' || i AS description,
  (i % 90 + 1)::DECIMAL(38, 2) AS quantity, (i % 100000 / 100)::DECIMAL(38, 2) AS amount,
  DATE '2026-01-01' + (i % 365)::INTEGER AS delivered
FROM range({rows}) AS numbers(i)"""


def frames(folder: Path, documents: int) -> Iterator[Figure]:
    """Load a million rows (with 5,000 documents) both ways, in turns."""
    rows = documents * ROWS_PER_DOCUMENT
    path = folder / "analytics.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLE.format(rows=rows))
    manager = DocduckIOManager(home=str(folder))

    def through_manager() -> pl.DataFrame:
        kind = PythonObjectDagsterType(pl.DataFrame)
        frame = manager.load_input(build_input_context(asset_key=KEY, dagster_type=kind))
        assert isinstance(frame, pl.DataFrame)
        return frame

    def through_duckdb() -> pl.DataFrame:
        with duckdb.connect(str(path), read_only=True) as connection:
            return connection.sql("FROM invoices.line_items").pl()

    assert through_manager().equals(through_duckdb())
    ours, theirs = _best(through_manager, through_duckdb)
    yield Figure("rows loaded through the I/O manager", rows / ours, "rows/s")
    yield Figure("rows loaded by DuckDB", rows / theirs, "rows/s")
    yield Figure("time, in multiples of DuckDB's", ours / theirs, "", limit=MOST, note=f"{rows:,} rows")


def _best(*loads: Callable[[], pl.DataFrame]) -> list[float]:
    """Return the fewest seconds of each, taken in turns: others slow single rounds down."""
    seconds: list[list[float]] = [[] for _ in loads]
    for _ in range(ROUNDS):
        for load, times in zip(loads, seconds, strict=True):
            began = time.perf_counter()
            load()
            times.append(time.perf_counter() - began)
    return [min(times) for times in seconds]
