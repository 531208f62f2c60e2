from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck.errors import Conflict
from docduck.warehouse import DocumentRow, ParserSchema, Warehouse
from tests.warehouse.samples import INVOICES, contents, invoice

OTHER = ParserSchema("other", None, INVOICES.fields)


def test_rebuilding_drops_what_the_catalog_no_longer_has(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.apply(INVOICES, [invoice(1), invoice(2)])
    warehouse.apply(OTHER, [invoice(3)])
    done = warehouse.rebuild([(INVOICES, [[invoice(1)], [invoice(4)]])])
    assert (done["invoices"].documents, done["invoices"].rows) == (2, 4)
    assert [row[0] for row in contents(warehouse.path)["invoices.documents"][2]] == ["doc-1", "doc-4"]
    assert [*warehouse.counts(published=False)] == ["invoices"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["warehouse.duckdb", "warehouse.lock"]


def test_a_rebuild_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.apply(INVOICES, [invoice(1)])
    before = contents(warehouse.path)

    def batches() -> Iterator[list[DocumentRow]]:
        yield [invoice(2)]
        raise RuntimeError("the catalog went away")

    with pytest.raises(RuntimeError, match="went away"):
        warehouse.rebuild([(INVOICES, batches())])
    assert contents(warehouse.path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["warehouse.duckdb", "warehouse.lock"]


def test_a_damaged_file_is_told_and_rebuilt(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.path.write_bytes(b"no database" * 1000)
    warehouse.path.with_name("warehouse.duckdb.wal").write_bytes(b"no log")
    with pytest.raises(Conflict, match="`docduck warehouse rebuild` makes it anew"):
        warehouse.apply(INVOICES, [invoice(1)])
    warehouse.rebuild([(INVOICES, [[invoice(1)]])])
    assert warehouse.counts(published=False)["invoices"]["documents"] == 1
    assert not warehouse.path.with_name("warehouse.duckdb.wal").exists()


def test_what_a_killed_rebuild_left_is_no_hindrance(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    (tmp_path / "warehouse.duckdb.new").write_bytes(b"half a file")
    (tmp_path / "warehouse.duckdb.new.wal").write_bytes(b"half a log")
    warehouse.rebuild([(INVOICES, [[invoice(1)]])])
    assert warehouse.counts(published=False)["invoices"]["documents"] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["warehouse.duckdb", "warehouse.lock"]


def test_an_empty_catalog_gives_an_empty_warehouse(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    assert warehouse.rebuild([]) == {}
    assert warehouse.publish() is not None
    assert warehouse.counts() == {}
