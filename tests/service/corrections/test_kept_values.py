from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import DocumentResult
from docduck.documents.document import Box
from docduck.errors import DamagedFile
from docduck.extraction.result import Location
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.queries.document_views import DocumentView, show_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes
from docduck.service.search.query import DocumentQuery
from tests.service.core.documents import add, complete, make_parser

PLACE = Location(1, Box(0.5, 0.5, 0.1, 0.02), "B-2")
ROWS = [{"Description": "set", "Amount": 7.0}]


def corrected(inst: Installation, changes: Mapping[str, Any]) -> tuple[ParserView, str]:
    """A document whose values were read, then corrected."""
    parser = make_parser(inst)
    (document,) = add(inst, parser)
    complete(inst, parser)
    set_values(inst, inst.team_id, parser.id, document, changes, actor="ann", places={("Number",): [PLACE]})
    return parser, document


def read_again(
    inst: Installation, parser: ParserView, document: str, *, discard: bool = False, **values: Any
) -> DocumentView:
    reprocess(inst, inst.team_id, [document], discard_corrections=discard)
    complete(inst, parser, **values)
    return show_document(inst, inst.team_id, parser.id, document)


def test_what_people_set_stays_with_its_evidence(any_inst: Installation) -> None:
    inst = any_inst
    parser, document = corrected(inst, {"Number": "B-2", "Line Items": ROWS})
    before = show_document(inst, inst.team_id, parser.id, document)
    for total in (20.0, 30.0):
        found = read_again(inst, parser, document, number="A-9", total=total, rows=3)
        assert found.data == {"Number": "B-2", "Total": total, "Tags": ["a", "b"], "Line Items": ROWS}
        for name in ("Number", "Line Items"):
            assert found.field_metadata[name] == before.field_metadata[name]
        assert (found.field_metadata["Number"]["editedBy"], found.field_metadata["Number"]["page"]) == (
            "ann",
            1,
        )
        assert not found.field_metadata["Total"]["edited"]
        assert found.confidence == pytest.approx((1 + 0.9 + 1) / 3, abs=1e-3)
    with inst.catalog.read_session() as session:
        result = session.get_one(DocumentResult, document)
        assert result.edited
        assert result.read_values is not None
        assert "A-9" in result.read_values.values(), "what was read is known for the accuracy"


def test_a_confirmed_value_and_cleared_ones_stay(inst: Installation) -> None:
    parser, document = corrected(inst, {"Number": "A-1", "Total": None, "Tags": [], "Line Items": []})
    found = read_again(inst, parser, document, number="A-9")
    assert found.data == {"Number": "A-1", "Total": None, "Tags": [], "Line Items": []}
    assert found.field_metadata["Line Items"] == []


def test_all_is_read_anew_on_request(inst: Installation) -> None:
    parser, document = corrected(inst, {"Number": "B-2", "Line Items": ROWS})
    found = read_again(inst, parser, document, discard=True, number="A-9", rows=3)
    assert (found.data["Number"], len(found.data["Line Items"])) == ("A-9", 3)
    assert not found.field_metadata["Number"]["edited"]
    assert read_again(inst, parser, document).data["Number"] == "A-1", "nothing comes back"


def test_what_people_set_is_found_and_in_the_tables(inst: Installation) -> None:
    parser, document = corrected(inst, {"Total": 99.0})
    read_again(inst, parser, document)
    query = DocumentQuery(filters=[{"field": "Total", "operator": "equals", "value": 99}])
    assert find_documents(inst, inst.team_id, parser.id, query).total == 1
    sync_warehouse(inst)
    inst.warehouse.publish()
    assert inst.warehouse.query("SELECT total FROM invoices.documents").rows == [(99.0,)]


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (lambda inst, parser: rename(inst, parser), "12"),
        (lambda inst, parser: retype(inst, parser, "number"), None),
        (lambda inst, parser: retype(inst, parser, "date"), None),
        (lambda inst, parser: retype(inst, parser, "table"), None),
        (lambda inst, parser: retype(inst, parser, "list"), None),
    ],
)
def test_a_value_that_its_field_no_longer_takes_is_read_anew(
    inst: Installation, change: Callable[[Installation, ParserView], None], kept: str | None
) -> None:
    parser, document = corrected(inst, {"Number": "12", "Total": 5.0})
    change(inst, parser)
    found = read_again(inst, parser, document)
    number = next(one for one in get_parser(inst, inst.team_id, parser.id).fields if one.position == 0)
    if kept:
        assert found.data[number.name] == kept
    else:
        assert found.data[number.name] != "12"
        entry = found.field_metadata[number.name]
        assert not (entry and entry.get("edited")) if isinstance(entry, dict) else entry == []
    assert found.data["Total"] == 5.0


def rename(inst: Installation, parser: ParserView) -> None:
    update_field(inst, inst.team_id, parser.id, "Number", {"name": "Nr"})


def retype(inst: Installation, parser: ParserView, kind: str) -> None:
    columns = {"columns": [{"name": "A", "type": "text"}]} if kind == "table" else {}
    update_field(inst, inst.team_id, parser.id, "Number", {"type": kind, **columns})


def test_a_deleted_field_takes_its_value_along(inst: Installation) -> None:
    parser, document = corrected(inst, {"Number": "B-2", "Total": 5.0})
    delete_field(inst, inst.team_id, parser.id, "Number")
    found = read_again(inst, parser, document)
    assert "Number" not in found.data
    assert found.data["Total"] == 5.0


def test_a_failed_reading_loses_nothing_that_people_set(any_inst: Installation) -> None:
    inst = any_inst
    parser, document = corrected(inst, {"Number": "B-2"})
    reprocess(inst, inst.team_id, [document])
    claims = claim(inst, [ClaimRequest(parser.id, 10)], "me")
    failed = [
        ExtractionOutcome(one, get_parser(inst, inst.team_id, parser.id), error=DamagedFile("x"))
        for one in claims
    ]
    store_outcomes(inst, failed, "me")
    found = show_document(inst, inst.team_id, parser.id, document)
    assert (found.status, found.data) == ("failed", {})
    sync_warehouse(inst)
    inst.warehouse.publish()
    assert inst.warehouse.query("SELECT number FROM invoices.documents").rows == [(None,)]
    assert read_again(inst, parser, document, number="A-9").data["Number"] == "B-2"


def test_a_document_that_nobody_edited_is_read_anew(inst: Installation) -> None:
    parser = make_parser(inst)
    (document,) = add(inst, parser)
    complete(inst, parser)
    assert read_again(inst, parser, document, number="A-9").data["Number"] == "A-9"
    with inst.catalog.read_session() as session:
        assert session.scalars(select(DocumentResult.read_values)).one() is None
