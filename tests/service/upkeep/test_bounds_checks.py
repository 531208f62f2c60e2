"""Checks of values and numbers of rows against the bounds of pipeline.yaml."""

from __future__ import annotations

from decimal import Decimal

from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import schema_of, sync_warehouse
from docduck.service.parsers.parsers import get_parser
from docduck.service.pipeline.bounds import bounds_of
from docduck.service.pipeline.pipeline_spec import BoundsSpec
from docduck.service.upkeep.bounds_checks import bounds_checks, failing_blocks
from docduck.service.upkeep.checks import CheckResult
from docduck.warehouse.layout import layout_of
from tests.service.core.documents import add, complete, make_parser


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
    assert total.metadata == {
        "values": 3,
        "outside": 1,
        "lowest": 12.5,
        "highest": 1000.1,
        "maximum": 1000.0,
    }
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
