from __future__ import annotations

import datetime as dt
import time
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from sqlalchemy import update

from docduck.catalog.models import ParserField, WarehouseOutbox
from docduck.errors import DamagedFile
from docduck.fields import Field, FieldType
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.outputs import warehouse_sync
from docduck.service.outputs.warehouse_sync import rebuild, sync_warehouse
from docduck.service.parsers.parsers import delete_parser, set_fields
from tests.conftest import MakeInstallation
from tests.constants import SetConstants
from tests.service.core.catalog import count, query_tables
from tests.service.core.documents import add, add_read, complete, make_parser, read_document


@pytest.fixture(
    params=[
        "file",
        pytest.param("postgres", marks=pytest.mark.postgres),
        pytest.param("lake", marks=[pytest.mark.postgres, pytest.mark.extended]),
    ]
)
def any_inst(request: pytest.FixtureRequest, make_installation: MakeInstallation) -> Installation:
    """An installation on SQLite, on PostgreSQL, and with its tables in a lake."""
    if request.param == "lake":
        return make_installation(**request.getfixturevalue("lake_settings"))
    if request.param == "postgres":
        return make_installation(catalog_url=request.getfixturevalue("postgres_catalog"))
    return make_installation()


rows = partial(query_tables, sync=False)


def everything(inst: Installation) -> dict[str, list[tuple[Any, ...]]]:
    tables = rows(
        inst,
        "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema <> '_docduck'"
        " AND table_catalog = 'analytics' ORDER BY ALL",
    )
    found = {f"{schema}.{table}": f'FROM "{schema}"."{table}" ORDER BY ALL' for schema, table in tables}
    return {name: list(inst.warehouse.query(sql).rows) for name, sql in found.items()}


def rebuilt(inst: Installation) -> dict[str, list[tuple[Any, ...]]]:
    rebuild(inst)
    return everything(inst)


def documents_of(inst: Installation, slug: str) -> int:
    return inst.warehouse.counts(published=False)[slug]["documents"]


def test_values_cells_and_evidence_arrive(any_inst: Installation) -> None:
    _, document_id = read_document(any_inst)
    assert sync_warehouse(any_inst).documents == 1
    assert rows(any_inst, "SELECT name, status, number, total, tags, confidence FROM invoices.documents") == [
        ("doc-0.txt", "processed", "A-1", Decimal("12.5"), ["a", "b"], 0.9)
    ]
    lines = rows(any_inst, "SELECT * FROM invoices.line_items ORDER BY row_number")
    assert lines == [(document_id, 1, "item 0", Decimal(0)), (document_id, 2, "item 1", Decimal(1))]
    ((created, processed),) = rows(any_inst, "SELECT created_at, processed_at FROM invoices.documents")
    assert dt.timedelta(0) <= processed - created < dt.timedelta(minutes=1)
    found = rows(
        any_inst, 'SELECT field, row_number, page, "left", text FROM invoices._evidence ORDER BY ALL'
    )
    assert ("Line Items.Amount", 2, 1, 0.1, "1.0") in found
    assert ("Number", None, 1, 0.1, "A-1") in found
    assert len(found) == 6
    assert count(any_inst, WarehouseOutbox) == 0
    before = everything(any_inst)
    assert sync_warehouse(any_inst).documents == 0
    assert everything(any_inst) == before


def test_a_change_during_the_projection_is_not_lost(inst: Installation) -> None:
    parser, document_id = read_document(inst)
    apply = inst.warehouse.apply_all

    def meanwhile(*arguments: Any, **named: Any) -> Any:
        inst.warehouse.apply_all = apply  # type: ignore[method-assign]
        applied = apply(*arguments, **named)
        reprocess(inst, inst.team_id, [document_id])
        complete(inst, parser, number="A-2")
        return applied

    inst.warehouse.apply_all = meanwhile  # type: ignore[method-assign]
    sync_warehouse(inst)
    assert count(inst, WarehouseOutbox) == 1
    sync_warehouse(inst)
    assert rows(inst, "SELECT number FROM invoices.documents") == [("A-2",)]


def test_deletion_and_reprocessing_reach_the_tables(inst: Installation) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser, 4)
    complete(inst, parser)
    sync_warehouse(inst)
    delete_documents(inst, inst.team_id, ids[:1])
    reprocess(inst, inst.team_id, ids[1:2])
    complete(inst, parser, number="B", rows=1)
    reprocess(inst, inst.team_id, ids[2:3])
    complete(inst, parser, error=DamagedFile())
    sync_warehouse(inst)
    found = rows(inst, "SELECT status, number, total FROM invoices.documents ORDER BY number")
    read = [("processed", number, Decimal("12.5")) for number in ("A-1", "B")]
    assert found == [*read, ("failed", None, None)]
    assert rows(inst, "SELECT count(*) FROM invoices.line_items") == [(3,)]
    assert everything(inst) == rebuilt(inst)


def test_every_change_of_fields_reaches_the_tables_and_equals_a_rebuild(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser, 3)
    complete(inst, parser, number="17")
    sync_warehouse(inst)
    number, total, _tags, table = parser.fields
    _description, amount = table.columns
    own = (amount.model_copy(update={"name": "Sum"}), Field(name="Unit"))
    wished = [
        number.model_copy(update={"type": FieldType.NUMBER}),
        total.model_copy(update={"name": "Grand Total"}),
        table.model_copy(update={"name": "Positions", "columns": own}),
        Field(name="Due", type=FieldType.DATE, description="When it is due"),
    ]
    set_fields(inst, inst.team_id, parser.slug, wished)
    sync_warehouse(inst)
    columns = rows(
        inst,
        "SELECT column_name, data_type FROM duckdb_columns() WHERE schema_name = 'invoices'"
        " AND table_name = 'documents' AND column_index > 12",
    )
    assert dict(columns).keys() == {"number", "grand_total", "due"}
    assert str(dict(columns)["number"]).startswith("DECIMAL")
    values = rows(inst, "SELECT DISTINCT number, grand_total, due FROM invoices.documents")
    assert values == [(Decimal(17), Decimal("12.5"), None)]
    cells = rows(inst, "SELECT DISTINCT sum, unit FROM invoices.positions ORDER BY 1")
    assert cells == [(Decimal(0), None), (Decimal(1), None)]
    assert "invoices.line_items" not in everything(inst)
    assert everything(inst) == rebuilt(inst)


def test_a_table_that_becomes_a_value_and_a_value_that_becomes_a_table(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser, 2)
    complete(inst, parser)
    sync_warehouse(inst)
    number, total, tags, table = parser.fields
    scalar = table.model_copy(update={"type": FieldType.TEXT, "columns": ()})
    rows_of = number.model_copy(update={"type": FieldType.TABLE, "columns": (Field(name="Part"),)})
    set_fields(inst, inst.team_id, parser.slug, [rows_of, total, tags, scalar])
    sync_warehouse(inst)
    assert count(inst, WarehouseOutbox) == 0
    found = rows(inst, "SELECT document_id, total FROM invoices.documents")
    assert [one[1] for one in found] == [Decimal("12.5")] * 2
    assert everything(inst) == rebuilt(inst)
    assert get_document(inst, inst.team_id, str(found[0][0])).data["Total"] == 12.5


def test_a_broken_parser_is_taken_over_once_it_is_repaired(inst: Installation) -> None:
    parser, _ = read_document(inst)

    def set_labels(labels: Any) -> None:
        fields = update(ParserField).where(ParserField.parser_id == parser.id)
        with inst.catalog.transaction() as session:
            session.execute(fields.values(labels=labels))

    set_labels(17)
    assert sync_warehouse(inst).documents == 0
    set_labels([])
    assert sync_warehouse(inst).documents == 1
    set_labels(17)
    rebuild(inst)
    set_labels([])
    sync_warehouse(inst)
    assert documents_of(inst, parser.slug) == 1


def test_a_new_parser_has_tables_without_rows_at_once_and_a_deleted_one_has_none(inst: Installation) -> None:
    old = make_parser(inst)
    add(inst, old, 2)
    sync_warehouse(inst)
    assert set(everything(inst)) == {"invoices.documents", "invoices.line_items", "invoices._evidence"}
    assert documents_of(inst, old.slug) == 0, "they were never read"
    complete(inst, old)
    sync_warehouse(inst)
    assert documents_of(inst, old.slug) == 2
    delete_parser(inst, inst.team_id, old.id)
    new = make_parser(inst)
    assert new.slug == old.slug
    sync_warehouse(inst)
    assert documents_of(inst, new.slug) == 0
    add_read(inst, new)
    sync_warehouse(inst)
    assert documents_of(inst, new.slug) == 1
    delete_parser(inst, inst.team_id, new.slug)
    sync_warehouse(inst)
    assert (everything(inst), count(inst, WarehouseOutbox)) == ({}, 0)


def test_what_is_left_of_deleted_fields_is_in_no_table(any_inst: Installation) -> None:
    parser, document_id = read_document(any_inst)
    sync_warehouse(any_inst)
    (total,) = (field for field in parser.fields if field.name == "Total")
    set_fields(any_inst, any_inst.team_id, parser.slug, [total])
    told: list[tuple[int, int]] = []
    assert rebuild(any_inst, lambda done, total: told.append((done, total))) == 1
    assert (told[-1], count(any_inst, WarehouseOutbox)) == ((1, 1), 0)
    shown = get_document(any_inst, any_inst.team_id, document_id)
    assert (shown.data["Number"], shown.data["Line Items"][0]["Description"]) == ("A-1", "item 0")
    tables = everything(any_inst)
    assert tables.keys() == {"invoices.documents", "invoices._evidence"}
    assert "12.5" in str(tables) and "A-1" not in str(tables) and "item" not in str(tables)


def test_documents_come_before_mere_tables_and_none_is_begun_after_its_time(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch, set_constants: SetConstants
) -> None:
    parsers = [make_parser(any_inst, f"Parser {number}") for number in range(4)]
    add(any_inst, parsers[2])
    complete(any_inst, parsers[2])
    real = warehouse_sync._sync_batch

    def slowly(*arguments: Any) -> Any:
        time.sleep(1.1)
        return real(*arguments)

    set_constants(sync_parsers=1)
    monkeypatch.setattr(warehouse_sync, "_sync_batch", slowly)
    done = sync_warehouse(any_inst, seconds=1)
    assert (done.documents, done.is_all) == (1, False)
    assert set(any_inst.warehouse.counts(published=False)) == {parsers[2].slug}
    monkeypatch.undo()
    assert sync_warehouse(any_inst).is_all
    assert len(any_inst.warehouse.counts(published=False)) == 4


def test_batches_of_several_parsers_leave_nothing_behind(
    any_inst: Installation, set_constants: SetConstants
) -> None:
    set_constants(sync_documents=5, sync_parsers=2)
    parsers = [make_parser(any_inst, f"Parser {number}") for number in range(5)]
    sync_warehouse(any_inst)
    for parser, number in zip(parsers, (3, 3, 5, 0, 6), strict=True):
        add(any_inst, parser, number)
        complete(any_inst, parser)
    delete_parser(any_inst, any_inst.team_id, parsers[1].slug)
    done = sync_warehouse(any_inst)
    assert sorted(done.by_parser[parser.id] for parser in parsers) == [0, 0, 3, 5, 6]
    assert count(any_inst, WarehouseOutbox) == 0
    counts = any_inst.warehouse.counts(published=False)
    assert sorted(tables["documents"] for tables in counts.values()) == [0, 3, 5, 6]
