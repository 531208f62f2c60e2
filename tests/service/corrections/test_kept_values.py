from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import DocumentResult
from docduck.documents.document import Box
from docduck.errors import DamagedFile
from docduck.extraction.result import Location
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import confirm_values, set_values
from docduck.service.corrections.known_values import known_values
from docduck.service.documents.queries.document_views import DocumentView, show_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.field_editing import add_field, delete_field, update_field
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.search.query import DocumentQuery
from tests.service.core.catalog import query_tables
from tests.service.core.documents import complete, read_document

PLACE = Location(1, Box(0.5, 0.5, 0.1, 0.02), "B-2")
ROWS = [{"Description": "set", "Amount": 7.0}]
TABLE = {"type": "table", "columns": [{"name": "A", "type": "text"}]}


def corrected(inst: Installation, changes: Mapping[str, Any]) -> tuple[ParserView, str]:
    """A document whose values were read, then corrected."""
    parser, document = read_document(inst)
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
        entry = found.field_metadata["Number"]
        assert (entry["editedBy"], entry["page"]) == ("ann", 1)
        assert not found.field_metadata["Total"]["edited"]
        assert found.confidence == pytest.approx((1 + 0.9 + 1) / 3, abs=1e-3)
    with inst.catalog.read_session() as session:
        result = session.get_one(DocumentResult, document)
        assert result.edited
        assert result.read_values is not None
        assert "A-9" in result.read_values.values(), "what was read is known for the accuracy"


def test_confirmed_and_cleared_values_stay_unless_all_is_to_be_read_anew(inst: Installation) -> None:
    parser, document = corrected(inst, {"Number": "A-1", "Total": None, "Tags": [], "Line Items": []})
    found = read_again(inst, parser, document, number="A-9")
    assert found.data == {"Number": "A-1", "Total": None, "Tags": [], "Line Items": []}
    assert found.field_metadata["Line Items"] == []
    found = read_again(inst, parser, document, discard=True, number="A-9", rows=3)
    assert (found.data["Number"], len(found.data["Line Items"])) == ("A-9", 3)
    assert not found.field_metadata["Number"]["edited"]
    assert read_again(inst, parser, document).data["Number"] == "A-1", "nothing comes back"


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({"name": "Nr"}, True),
        ({"type": "number"}, False),
        ({"type": "date"}, False),
        (TABLE, False),
        ({"type": "list"}, False),
    ],
)
def test_a_value_that_its_field_no_longer_takes_is_read_anew(
    inst: Installation, change: dict[str, Any], kept: bool
) -> None:
    parser, document = corrected(inst, {"Number": "12", "Total": 5.0})
    update_field(inst, inst.team_id, parser.id, "Number", change)
    found = read_again(inst, parser, document)
    name = change.get("name", "Number")
    assert (found.data[name] == "12") is kept
    if not kept:
        entry = found.field_metadata[name]
        assert not (entry and entry.get("edited")) if isinstance(entry, dict) else entry == []
    delete_field(inst, inst.team_id, parser.id, name)
    left = read_again(inst, parser, document).data
    assert (left["Total"], name in left) == (5.0, False)


def test_a_failed_reading_loses_nothing_that_people_set(any_inst: Installation) -> None:
    inst = any_inst
    parser, document = corrected(inst, {"Number": "B-2", "Total": 99.0})
    found = read_again(inst, parser, document, error=DamagedFile("x"))
    assert (found.status, found.data) == ("failed", {})
    sql = "SELECT number, total FROM invoices.documents"
    assert query_tables(inst, sql) == [(None, None)]
    assert read_again(inst, parser, document, number="A-9").data["Number"] == "B-2"
    query = DocumentQuery(filters=[{"field": "Total", "operator": "equals", "value": 99}])
    assert find_documents(inst, inst.team_id, parser.id, query).total == 1
    assert query_tables(inst, sql) == [("B-2", 99.0)]


def test_a_document_that_nobody_edited_is_read_anew(inst: Installation) -> None:
    parser, document = read_document(inst)
    assert read_again(inst, parser, document, number="A-9").data["Number"] == "A-9"
    with inst.catalog.read_session() as session:
        assert session.scalars(select(DocumentResult.read_values)).one() is None


def known(inst: Installation, parser: ParserView, document: str, *, approved: bool = False) -> dict[str, Any]:
    fields = get_parser(inst, inst.team_id, parser.id).fields
    with inst.catalog.read_session() as session:
        return known_values(fields, session.get_one(DocumentResult, document), approved=approved)


def test_only_what_a_person_set_is_known_or_all_of_an_approved_document(inst: Installation) -> None:
    parser, document = read_document(inst, total=None)
    assert known(inst, parser, document) == {}
    set_values(inst, inst.team_id, parser.id, document, {"Number": None, "Tags": []})
    assert known(inst, parser, document) == {"Number": None, "Tags": []}
    add_field(inst, inst.team_id, parser.id, {"name": "Later"})
    every = {"Number", "Total", "Tags", "Line Items"}
    assert known(inst, parser, document, approved=True).keys() == every
    confirm_values(inst, inst.team_id, parser.id, document)
    assert known(inst, parser, document).keys() == every, "it was read without the later field"


def test_values_that_their_fields_no_longer_take_are_not_known(inst: Installation) -> None:
    changes: list[tuple[str, dict[str, Any], set[str]]] = [
        ("Number", {"type": "number"}, {"Total", "Tags", "Line Items"}),
        ("Number", TABLE, {"Total", "Tags", "Line Items"}),
        ("Tags", TABLE, {"Number", "Total", "Line Items"}),
        ("Line Items", {"type": "text", "columns": []}, {"Number", "Total", "Tags"}),
        ("Line Items", {"name": "Rows"}, {"Number", "Total", "Tags", "Rows"}),
    ]
    for field, change, left in changes:
        parser, document = read_document(inst, total=None)
        confirm_values(inst, inst.team_id, parser.id, document)
        update_field(inst, inst.team_id, parser.id, field, change)
        for approved in (False, True):
            assert known(inst, parser, document, approved=approved).keys() == left
