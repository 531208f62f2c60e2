"""The checks of a parser's tables, and those against the bounds of pipeline.yaml."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import select

from docduck.catalog.models import DocumentResult
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import schema_of, sync_warehouse
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.pipeline.bounds import bounds_of
from docduck.service.pipeline.pipeline_spec import BoundsSpec
from docduck.service.upkeep.bounds_checks import bounds_checks, failing_blocks
from docduck.service.upkeep.checks import DOCUMENT_CHECKS, CheckResult, checks
from docduck.warehouse.layout import layout_of
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, make_parser


def null_shares(inst: Installation) -> dict[str, CheckResult]:
    parser = get_parser(inst, inst.team_id, "invoices")
    return {one.table: one for one in checks(inst, parser) if one.name == "null_share"}


def test_the_checks_of_documents_come_first(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_null_share=0)
    parser = make_parser(inst)
    found = checks(inst, get_parser(inst, inst.team_id, parser.id))
    assert tuple(one.name for one in found if one.table == "documents") == (*DOCUMENT_CHECKS,)
    assert [(one.table, one.name) for one in found[len(DOCUMENT_CHECKS) :]] == [("line_items", "null_share")]
    add(inst, parser, 3)
    complete(inst, parser)
    assert {one.passed for one in null_shares(inst).values()} == {True}, "few rows say nothing"


def test_a_column_without_values_is_named(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    add(any_inst, parser, 25)
    outcomes = complete(any_inst, parser, rows=2)
    assert len(outcomes) == 25
    assert {one.passed for one in null_shares(any_inst).values()} == {True}
    with any_inst.catalog.transaction() as session:
        for result in session.scalars(select(DocumentResult)):
            result.values = {
                field: [{**row, description: None} for row in value] if field == items else value
                for field, value in result.values.items()
                for items, description in [ids_of(parser)]
                if field != str(parser.fields[1].id)
            }
    found = null_shares(any_inst)
    assert found["documents"].description == "Mostly empty: Total (100%)"
    assert found["line_items"].description == "Mostly empty: Description (100%)"
    assert found["line_items"].metadata == {"rows": 50, "highest": 1.0, "limit": 0.95}


def ids_of(parser: ParserView) -> tuple[str, str]:
    """Return the ids of the table and of its first column."""
    return str(parser.fields[3].id), str(parser.fields[3].columns[0].id)


def check(inst: Installation, *specs: BoundsSpec, blocks: bool = False) -> list[CheckResult]:
    parser = get_parser(inst, inst.team_id, "invoices")
    bounds = bounds_of(layout_of(schema_of(parser)), specs)
    return failing_blocks(inst, parser, bounds) if blocks else bounds_checks(inst, parser, bounds)


def test_values_outside_are_named(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    add(any_inst, parser, 2)
    complete(any_inst, parser, total=12.5, rows=2)
    add(any_inst, parser, 1, "dear")
    complete(any_inst, parser, total=1000.1, rows=3)
    total, amount = check(
        any_inst,
        BoundsSpec(field="Total", maximum=Decimal(1000)),
        BoundsSpec(field="Line Items.Amount", minimum=Decimal(0), maximum=Decimal(2)),
    )
    assert (total.table, total.passed, total.severity) == ("documents", False, "WARN")
    assert total.description == "Total is at most 1000, but not in dear-0.txt: 1000.1"
    assert total.metadata == {"values": 3, "outside": 1, "lowest": 12.5, "highest": 1000.1, "maximum": 1000.0}
    assert (amount.table, amount.passed, amount.metadata["values"]) == ("line_items", True, 7)


def test_values_that_are_missing_are_not_outside(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    add(any_inst, parser, 1)
    complete(any_inst, parser, total=None, rows=0)
    (total,) = check(any_inst, BoundsSpec(field="Total", minimum=Decimal(1)))
    assert total.passed
    assert total.metadata["lowest"] is None


def test_numbers_of_rows_are_those_of_the_warehouse(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    rows = BoundsSpec(rows="Line Items", minimum=Decimal(5), blocking=True)
    documents = BoundsSpec(rows="documents", maximum=Decimal(3))
    for count, passed in ((2, False), (1, True)):
        add(any_inst, parser, count, f"doc{count}")
        complete(any_inst, parser, rows=2)
        sync_warehouse(any_inst)
        lines, all_documents = check(any_inst, rows, documents)
        assert (lines.passed, lines.severity, all_documents.passed) == (passed, "ERROR", True)
        assert bool(check(any_inst, rows, documents, blocks=True)) is not passed
    assert lines.metadata == {"rows": 6, "minimum": 5.0}
    (too_many,) = check(any_inst, BoundsSpec(rows="documents", maximum=Decimal(2)))
    assert too_many.description == "The number of rows in documents is at most 2, but now 3"
