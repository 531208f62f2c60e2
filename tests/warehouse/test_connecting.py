"""Connections of analysts: each sees the tables as they were published when it was made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import docduck
from docduck.errors import InputError
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.samples import INVOICES, invoice

COUNT = "SELECT count(*) FROM invoices.documents"


@pytest.fixture
def warehouse(tmp_path: Path) -> WarehouseFile:
    made = WarehouseFile(tmp_path)
    made.apply(INVOICES, [invoice(1)])
    made.publish(force=True)
    return made


def count(connection: duckdb.DuckDBPyConnection) -> int:
    row = connection.execute(COUNT).fetchone()
    assert row is not None
    return int(row[0])


def test_a_new_connection_sees_new_rows_and_an_open_one_stays_as_it_was(
    warehouse: WarehouseFile, tmp_path: Path
) -> None:
    with docduck.connect(tmp_path) as before, duckdb.connect(str(warehouse.published), read_only=True) as own:
        warehouse.apply(INVOICES, [invoice(2)])
        warehouse.publish(force=True)
        with docduck.connect(str(tmp_path)) as now:
            assert (count(before), count(own), count(now)) == (1, 1, 2)
            # What the documentation says of DuckDB itself.
            with duckdb.connect(str(warehouse.published), read_only=True) as stale:
                assert count(stale) == 1
            own.execute(f"ATTACH '{warehouse.published}' AS newest (READ_ONLY)")
            assert own.execute("SELECT count(*) FROM newest.invoices.documents").fetchall() == [(2,)]
    with duckdb.connect(str(warehouse.published), read_only=True) as fresh:
        assert count(fresh) == 2


def test_the_tables_are_read_only_and_what_is_beside_them_is_not(
    warehouse: WarehouseFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCDUCK_HOME", str(tmp_path))
    (tmp_path / "rates.csv").write_text("currency,rate\nEUR,1\n")
    with docduck.connect() as connection:
        with pytest.raises(duckdb.InvalidInputException, match="read-only"):
            connection.execute("DELETE FROM invoices.documents")
        connection.execute(f"CREATE TABLE memory.rates AS FROM '{tmp_path / 'rates.csv'}'")
        assert connection.execute("SELECT rate FROM memory.rates").fetchall() == [(1,)]


def test_nothing_is_published_yet(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no .*analytics\.duckdb yet"):
        docduck.connect(tmp_path)


def test_importing_docduck_imports_no_duckdb() -> None:
    program = "import sys, docduck; assert not {'duckdb', 'polars'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])
