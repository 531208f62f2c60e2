"""The bounds of a parser's values and rows in pipeline.yaml."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import schema_of
from docduck.service.pipeline.bounds import bounds_of
from docduck.service.pipeline.pipeline_spec import BoundsSpec
from docduck.service.provisioning.pipeline import apply_pipeline, load_pipeline
from docduck.warehouse.layout import layout_of
from tests.service.core.documents import make_parser

FILE = """parsers:
- name: Notes
  fields: [{name: Number}, {name: Lines, type: table, columns: [{name: Amount, type: currency}]}]
  checks:
"""


def told(inst: Installation, tmp_path: Path, *checks: str) -> list[str]:
    """Apply a file with these checks; return the lines of the error."""
    file = tmp_path / "pipeline.yaml"
    file.write_text(FILE + "".join(f"  - {check}\n" for check in checks))
    try:
        apply_pipeline(inst, inst.team_id, load_pipeline(file))
    except InputError as error:
        return error.message.splitlines()
    return []


def test_bounds_are_of_a_column_or_of_a_number_of_rows(inst: Installation) -> None:
    layout = layout_of(schema_of(make_parser(inst)))
    specs = [
        BoundsSpec(field="Total", minimum=Decimal(0), maximum=Decimal("9.5")),
        BoundsSpec(field="Line Items.Amount", minimum=Decimal(1)),
        BoundsSpec(rows="documents", maximum=Decimal(9), blocking=True),
        BoundsSpec(rows="Line Items", minimum=Decimal(1)),
    ]
    found = bounds_of(layout, specs)
    assert [(one.table, one.name, one.sentence, one.is_blocking) for one in found] == [
        ("documents", "bounds_total", "Total is at least 0 and at most 9.5", False),
        ("line_items", "bounds_amount", "Line Items.Amount is at least 1", False),
        ("documents", "row_count", "The number of rows in documents is at most 9", True),
        ("line_items", "row_count", "The number of rows in Line Items is at least 1", False),
    ]


def test_a_wrong_check_is_told_with_line_and_key(inst: Installation, tmp_path: Path) -> None:
    no_field = "there is no number field 'Number'; known are Lines.Amount"
    for check, message in (
        ("{field: Lines.Amount}", "checks[0]: needs minimum, maximum or both"),
        ("{minimum: 1}", "checks[0]: needs either field or rows, what is to be checked"),
        ("{field: Number, rows: Lines, minimum: 1}", "checks[0]: needs either field or rows"),
        ("{rows: Lines, minimum: 2, maximum: 1}", "checks[0]: minimum is above maximum"),
        ("{rows: Lines, minimum: few}", "checks[0].minimum: "),
        ("{rows: Lines, minimum: .nan}", "checks[0].minimum: "),
        ("{rows: Lines, minimun: 1}", "checks[0].minimun: unknown key; did you mean minimum?"),
        ("{rows: Lines, minimum: 1, blocking: perhaps}", "checks[0].blocking: must be true or false"),
        ("{rows: Rows, minimum: 1}", "checks[0].rows: there is no table 'Rows'; known are documents, Lines"),
        ("{field: Number, minimum: 1}", f"checks[0].field: {no_field}"),
    ):
        (line,) = told(inst, tmp_path, check)
        assert line.startswith(f"pipeline.yaml:5: parsers[0].{message}")
    # A column has one check.
    checks = "{rows: Lines, minimum: 1}", "{field: Lines.Amount, minimum: 1}"
    assert told(inst, tmp_path, *checks) == []
    assert told(inst, tmp_path, *checks, checks[1]) == [
        "pipeline.yaml:7: parsers[0].checks[2]: is checked by checks[1] already"
    ]
