from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck.errors import Conflict
from docduck.warehouse.rows import DocumentRow, ParserSchema
from docduck.warehouse.warehouse import Warehouse
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.samples import INVOICES, contents, invoice

OTHER = ParserSchema("other", None, INVOICES.fields)


def test_rebuilding_drops_what_the_catalog_no_longer_has(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.apply(INVOICES, [invoice(1), invoice(2)])
    warehouse.apply(OTHER, [invoice(3)])
    done = warehouse.rebuild([(INVOICES, [[invoice(1)], [invoice(4)]])])
    assert (done["invoices"].documents, done["invoices"].rows) == (2, 4)
    assert [row[0] for row in contents(warehouse)["invoices.documents"][2]] == ["doc-1", "doc-4"]
    assert [*warehouse.counts(published=False)] == ["invoices"]
    assert not list(tmp_path.glob("warehouse.duckdb.*"))


def test_a_rebuild_that_fails_leaves_the_old_file(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.apply(INVOICES, [invoice(1)])
    before = contents(warehouse)

    def batches() -> Iterator[list[DocumentRow]]:
        yield [invoice(2)]
        raise RuntimeError("the catalog went away")

    with pytest.raises(RuntimeError, match="went away"):
        warehouse.rebuild([(INVOICES, batches())])
    assert contents(warehouse) == before
    assert not list(tmp_path.glob("warehouse.duckdb.*"))


def test_a_damaged_file_is_told_and_rebuilt(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path)
    warehouse.path.write_bytes(b"no database" * 1000)
    warehouse.path.with_name("warehouse.duckdb.wal").write_bytes(b"no log")
    with pytest.raises(Conflict, match="`docduck warehouse rebuild` makes it anew"):
        warehouse.apply(INVOICES, [invoice(1)])
    warehouse.rebuild([(INVOICES, [[invoice(1)]])])
    assert warehouse.counts(published=False)["invoices"]["documents"] == 1
    assert not warehouse.path.with_name("warehouse.duckdb.wal").exists()


def test_what_a_killed_rebuild_left_is_no_hindrance(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path)
    (tmp_path / "warehouse.duckdb.new").write_bytes(b"half a file")
    (tmp_path / "warehouse.duckdb.new.wal").write_bytes(b"half a log")
    warehouse.rebuild([(INVOICES, [[invoice(1)]])])
    assert warehouse.counts(published=False)["invoices"]["documents"] == 1
    assert not list(tmp_path.glob("warehouse.duckdb.*"))


def test_an_empty_catalog_gives_an_empty_warehouse(warehouse: Warehouse) -> None:
    assert warehouse.rebuild([]) == {}
    assert warehouse.publish() is not None
    assert warehouse.counts() == {}
