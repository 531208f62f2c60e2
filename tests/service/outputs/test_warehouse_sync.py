from __future__ import annotations

import datetime as dt
import time
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select, update

from docduck.catalog.models import ParserField, WarehouseOutbox
from docduck.fields import Field, FieldType
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.outputs import warehouse_sync
from docduck.service.outputs.warehouse_sync import publish, rebuild, sync_warehouse
from docduck.service.parsers.parsers import delete_parser, get_parser, set_fields
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes
from tests.conftest import MakeInstallation
from tests.constants import SetConstants
from tests.service.core.documents import add, complete, make_parser


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


def rows(inst: Installation, sql: str) -> list[tuple[Any, ...]]:
    publish(inst, force=True)
    return list(inst.warehouse.query(sql).rows)


def everything(inst: Installation) -> dict[str, list[tuple[Any, ...]]]:
    publish(inst, force=True)
    tables = inst.warehouse.query(
        "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema <> '_docduck'"
        " AND table_catalog = 'analytics' ORDER BY ALL"
    ).rows
    return {
        f"{schema}.{table}": list(
            inst.warehouse.query(f'SELECT * FROM "{schema}"."{table}" ORDER BY ALL').rows
        )
        for schema, table in tables
    }


def test_values_cells_and_evidence_arrive(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    (document_id,) = add(any_inst, parser)
    complete(any_inst, parser)
    assert sync_warehouse(any_inst).documents == 1
    assert rows(any_inst, "SELECT name, status, number, total, tags, confidence FROM invoices.documents") == [
        ("doc-0.txt", "processed", "A-1", Decimal("12.5"), ["a", "b"], 0.9)
    ]
    lines = rows(any_inst, "SELECT * FROM invoices.line_items ORDER BY row_number")
    assert lines == [(document_id, 1, "item 0", Decimal(0)), (document_id, 2, "item 1", Decimal(1))]
    found = rows(
        any_inst, 'SELECT field, row_number, page, "left", text FROM invoices._evidence ORDER BY ALL'
    )
    assert ("Line Items.Amount", 2, 1, 0.1, "1.0") in found
    assert ("Number", None, 1, 0.1, "A-1") in found
    assert len(found) == 6
    assert left_behind(any_inst) == 0


def test_doing_it_twice_changes_nothing(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser, 3)
    complete(inst, parser)
    sync_warehouse(inst)
    before = everything(inst)
    assert sync_warehouse(inst).documents == 0
    assert everything(inst) == before


def test_a_document_that_was_never_read_is_not_there(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser, 3)
    sync_warehouse(inst)
    assert rows(inst, "SELECT count(*) FROM invoices.documents") == [(0,)]


def test_a_change_during_the_projection_is_not_lost(inst: Installation) -> None:
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    apply = inst.warehouse.apply_all

    def meanwhile(*arguments: Any, **named: Any) -> Any:
        inst.warehouse.apply_all = apply  # type: ignore[method-assign]
        applied = apply(*arguments, **named)
        reprocess(inst, inst.team_id, [document_id])
        complete(inst, parser, number="A-2")
        return applied

    inst.warehouse.apply_all = meanwhile  # type: ignore[method-assign]
    sync_warehouse(inst)
    assert left_behind(inst) == 1
    sync_warehouse(inst)
    assert rows(inst, "SELECT number FROM invoices.documents") == [("A-2",)]


def test_deletion_and_reprocessing_reach_the_tables(inst: Installation) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser, 3)
    complete(inst, parser)
    sync_warehouse(inst)
    delete_documents(inst, inst.team_id, ids[:1])
    reprocess(inst, inst.team_id, ids[1:2])
    complete(inst, parser, number="B", rows=1)
    sync_warehouse(inst)
    assert rows(inst, "SELECT number FROM invoices.documents ORDER BY 1") == [("A-1",), ("B",)]
    assert rows(inst, "SELECT count(*) FROM invoices.line_items") == [(3,)]
    assert everything(inst) == rebuilt(inst)


def test_a_reading_that_fails_leaves_a_row_without_values(inst: Installation) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser)
    complete(inst, parser)
    sync_warehouse(inst)
    reprocess(inst, inst.team_id, ids)
    fail(inst, parser.id)
    sync_warehouse(inst)
    assert rows(inst, "SELECT status, number, total FROM invoices.documents") == [("failed", None, None)]
    assert rows(inst, "SELECT count(*) FROM invoices.line_items") == [(0,)]
    assert everything(inst) == rebuilt(inst)


def test_every_change_of_fields_reaches_the_tables_and_equals_a_rebuild(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser, 3)
    complete(inst, parser, number="17")
    sync_warehouse(inst)
    number, total, _tags, table = parser.fields
    _description, amount = table.columns
    wished = [
        number.model_copy(update={"type": FieldType.NUMBER}),
        total.model_copy(update={"name": "Grand Total"}),
        table.model_copy(
            update={
                "name": "Positions",
                "columns": (amount.model_copy(update={"name": "Sum"}), Field(name="Unit")),
            }
        ),
        Field(name="Due", type=FieldType.DATE, description="When it is due"),
    ]
    set_fields(inst, inst.team_id, parser.slug, wished)
    sync_warehouse(inst)
    columns = rows(
        inst,
        "SELECT column_name, data_type FROM duckdb_columns() WHERE schema_name = 'invoices'"
        " AND table_name = 'documents' AND column_index > 11",
    )
    assert dict(columns).keys() == {"number", "grand_total", "due"}
    assert str(dict(columns)["number"]).startswith("DECIMAL")
    assert rows(inst, "SELECT DISTINCT number, grand_total, due FROM invoices.documents") == [
        (Decimal(17), Decimal("12.5"), None)
    ]
    assert rows(inst, "SELECT DISTINCT sum, unit FROM invoices.positions ORDER BY 1") == [
        (Decimal(0), None),
        (Decimal(1), None),
    ]
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
    assert left_behind(inst) == 0
    assert rows(inst, "SELECT total FROM invoices.documents") == [(Decimal("12.5"),)] * 2
    assert everything(inst) == rebuilt(inst)
    view = get_document(
        inst, inst.team_id, str(rows(inst, "SELECT document_id FROM invoices.documents")[0][0])
    )
    assert view.data["Total"] == 12.5


def test_a_broken_parser_is_taken_over_once_it_is_repaired(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser, 2)
    complete(inst, parser)
    labels = update(ParserField).where(ParserField.parser_id == parser.id)
    with inst.catalog.transaction() as session:
        session.execute(labels.values(labels=17))
    assert sync_warehouse(inst).documents == 0
    with inst.catalog.transaction() as session:
        session.execute(labels.values(labels=[]))
    assert sync_warehouse(inst).documents == 2


def test_a_new_parser_has_tables_at_once_and_a_deleted_one_has_none(inst: Installation) -> None:
    parser = make_parser(inst)
    sync_warehouse(inst)
    assert set(everything(inst)) == {"invoices.documents", "invoices.line_items", "invoices._evidence"}
    delete_parser(inst, inst.team_id, parser.slug)
    sync_warehouse(inst)
    assert everything(inst) == {}
    assert left_behind(inst) == 0


def test_a_new_parser_has_no_rows_of_a_deleted_one_with_its_slug(inst: Installation) -> None:
    old = make_parser(inst)
    add(inst, old, 2)
    complete(inst, old)
    sync_warehouse(inst)
    assert inst.warehouse.counts(published=False)["invoices"]["documents"] == 2
    delete_parser(inst, inst.team_id, old.id)
    new = make_parser(inst)
    assert new.slug == old.slug
    sync_warehouse(inst)
    assert inst.warehouse.counts(published=False)["invoices"]["documents"] == 0
    add(inst, new, 1)
    complete(inst, new)
    sync_warehouse(inst)
    assert inst.warehouse.counts(published=False)["invoices"]["documents"] == 1


def test_what_is_left_of_deleted_fields_is_in_no_table(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    (document_id,) = add(any_inst, parser)
    complete(any_inst, parser)
    sync_warehouse(any_inst)
    (total,) = (field for field in parser.fields if field.name == "Total")
    set_fields(any_inst, any_inst.team_id, parser.slug, [total])
    rebuild(any_inst)
    shown = get_document(any_inst, any_inst.team_id, document_id)
    assert (shown.data["Number"], shown.data["Line Items"][0]["Description"]) == ("A-1", "item 0")
    tables = everything(any_inst)
    assert tables.keys() == {"invoices.documents", "invoices._evidence"}
    assert "12.5" in str(tables) and "A-1" not in str(tables) and "item" not in str(tables)


def test_a_rebuild_tells_how_far_it_is(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser, 5)
    complete(inst, parser)
    told: list[tuple[int, int]] = []
    assert rebuild(inst, lambda done, total: told.append((done, total))) == 5
    assert told[-1] == (5, 5)
    assert left_behind(inst) == 0


def test_times_are_those_of_the_catalog(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser)
    complete(inst, parser)
    sync_warehouse(inst)
    ((created, processed),) = rows(inst, "SELECT created_at, processed_at FROM invoices.documents")
    assert dt.timedelta(0) <= processed - created < dt.timedelta(minutes=1)


def left_behind(inst: Installation) -> int:
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(WarehouseOutbox)) or 0


def rebuilt(inst: Installation) -> dict[str, list[tuple[Any, ...]]]:
    rebuild(inst)
    return everything(inst)


def fail(inst: Installation, parser_id: str) -> None:
    from docduck.errors import DamagedFile

    claims = claim(inst, [ClaimRequest(parser_id, 100)], "me")
    parser = get_parser(inst, inst.team_id, parser_id)
    store_outcomes(inst, [ExtractionOutcome(one, parser, error=DamagedFile()) for one in claims], "me")


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
    for parser, count in zip(parsers, (3, 3, 5, 0, 6), strict=True):
        add(any_inst, parser, count)
        complete(any_inst, parser)
    delete_parser(any_inst, any_inst.team_id, parsers[1].slug)
    done = sync_warehouse(any_inst)
    assert sorted(done.by_parser[parser.id] for parser in parsers) == [0, 0, 3, 5, 6]
    assert left_behind(any_inst) == 0
    counts = any_inst.warehouse.counts(published=False)
    assert sorted(tables["documents"] for tables in counts.values()) == [0, 3, 5, 6]


def test_a_broken_parser_is_taken_over_after_a_rebuild_once_it_is_repaired(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser, 2)
    complete(inst, parser)
    sync_warehouse(inst)
    labels = update(ParserField).where(ParserField.parser_id == parser.id)
    with inst.catalog.transaction() as session:
        session.execute(labels.values(labels=17))
    rebuild(inst)
    with inst.catalog.transaction() as session:
        session.execute(labels.values(labels=[]))
    sync_warehouse(inst)
    assert rows(inst, "SELECT count(*) FROM invoices.documents") == [(2,)]
