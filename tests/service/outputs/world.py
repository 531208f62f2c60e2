"""A parser with two tables and three documents, and what each sheet of its exports holds."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

from docduck.extraction.result import Extraction, PageFacts
from docduck.fields import parse_fields
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.processing.results import store_outcomes
from tests.exports.cells import Rows, as_text, effective
from tests.service.core.documents import add, read_outcomes, set_document

FIELDS = parse_fields(
    [
        {"name": "Number"},
        {
            "name": "Line Items",
            "type": "table",
            "columns": [{"name": "Text"}, {"name": "Amount", "type": "currency"}],
        },
        {"name": "Total", "type": "currency"},
        {"name": "Paid", "type": "boolean"},
        {"name": "Due", "type": "date"},
        {"name": "Tags", "type": "list"},
        {"name": "Taxes", "type": "table", "columns": [{"name": "Rate", "type": "number"}]},
    ]
)
CREATED = dt.datetime(2026, 2, 28, 23, 59, 59, tzinfo=dt.UTC)
VALUES: list[dict[str, Any]] = [
    {
        "Number": "Ä-1 <&> \"x\", 'y'",
        "Line Items": [{"Text": "Öl\nfein", "Amount": 0.1}, {"Text": "=1+1", "Amount": None}],
        "Total": 1234.5,
        "Paid": True,
        "Due": "2024-02-29",
        "Tags": ["neu", "東京 😀"],
        "Taxes": [{"Rate": 19}],
    },
    {"Number": "B-2", "Taxes": [{"Rate": 7.5}], "Total": -3.0, "Paid": False},
    {"Number": "C-3"},
]


def make_world(inst: Installation, name: str = "Bills") -> tuple[ParserView, list[str]]:
    """A parser, and the ids of its processed documents in their order."""
    parser = create_parser(inst, inst.team_id, NewParser(name=name, fields=FIELDS))
    ids = add(inst, parser, len(VALUES))
    for one in ids:
        set_document(inst, one, created_at=CREATED)
    values = dict(zip(ids, VALUES, strict=True))
    outcomes = [
        replace(one, extraction=_extraction(values[one.claim.document_id]))
        for one in read_outcomes(inst, parser)
    ]
    assert len(store_outcomes(inst, outcomes, "me").stored) == len(ids)
    return parser, ids


def _extraction(values: dict[str, Any]) -> Extraction:
    return Extraction(
        data=values,
        field_metadata={},
        markdown="",
        pages=[PageFacts(1, 595, 842, "text")],
        page_count=1,
        content_type="text/plain",
        confidence=None,
    )


def expected(format: str, scope: str | None, ids: list[str]) -> dict[str, Rows]:
    """What ``read_cell`` finds in an export of these documents."""
    nested = effective(format, scope) is None or (format == "xml" and scope == "fields_only")
    texts = [_texts(values, format) for values in VALUES]
    bases: Rows = [
        {"document_id": one, "document_name": f"doc-{i}.txt", "status": "processed"}
        | ({} if nested else {"created_at": CREATED.date().isoformat()})
        for i, one in enumerate(ids)
    ]
    fields = [base | text[""] for base, text in zip(bases, texts, strict=True)]
    tables = {
        table: [
            base | {"row_number": str(number)} | row
            for base, text in zip(bases, texts, strict=True)
            for number, row in enumerate(text[table], start=1)
        ]
        for table in ("Line Items", "Taxes")
    }
    one = {"xlsx": {"fields_only": "Fields", "all_flat": "Data", "table": "Line Items"}}.get(format, {})
    match effective(format, scope):
        case None:
            return {"Fields": fields, **tables}
        case "all_sheets":
            return {"Fields": fields, **tables}
        case "fields_only":
            return {"Fields" if nested else one.get("fields_only", ""): fields}
        case "table":
            return {one.get("table", ""): tables["Line Items"]}
        case _:
            return {one.get("all_flat", ""): _flat(fields, texts)}


def _flat(fields: Rows, texts: list[dict[str, Any]]) -> Rows:
    rows = []
    for field, text in zip(fields, texts, strict=True):
        lines = [
            field | {f"{table}.{name}": value for name, value in row.items()}
            for table in ("Line Items", "Taxes")
            for row in text[table]
        ]
        rows += lines or [field]
    return rows


def _texts(values: dict[str, Any], format: str) -> dict[str, Any]:
    """The values of a document as ``as_text`` shows them: scalars, and the rows of each table."""

    def shown(row: dict[str, Any]) -> dict[str, str]:
        texts = {name: as_text(value) for name, value in row.items()}
        if format == "csv":
            texts = {name: f"'{text}" if text.startswith("=") else text for name, text in texts.items()}
        return {name: text for name, text in texts.items() if text}

    scalars = shown({name: value for name, value in values.items() if name not in ("Line Items", "Taxes")})
    return {
        "": scalars,
        **{table: [shown(row) for row in values.get(table, [])] for table in ("Line Items", "Taxes")},
    }
