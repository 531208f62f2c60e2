from __future__ import annotations

from typing import Any

from docduck.catalog.models import DocumentResult
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import confirm_values, set_values
from docduck.service.corrections.known_values import known_values
from docduck.service.parsers.field_editing import add_field, update_field
from docduck.service.parsers.parsers import ParserView, get_parser
from tests.service.core.documents import read_document

TABLE = {"type": "table", "columns": [{"name": "A", "type": "text"}]}


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
