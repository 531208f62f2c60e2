from __future__ import annotations

from typing import Any

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.parsers import ParserChanges, ParserView, get_parser, update_parser
from docduck.service.previews.signed_links import linked_file
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.search.query import DocumentQuery
from tests.service.core.documents import add, complete, correct, make_parser


def named(inst: Installation, template: str | None = "Bill {Number}") -> ParserView:
    parser = make_parser(inst)
    return update_parser(
        inst, inst.team_id, parser.id, ParserChanges(settings={"documentNameTemplate": template})
    )


def shown(inst: Installation, document_id: str) -> DocumentView:
    return get_document(inst, inst.team_id, document_id)


def found(inst: Installation, parser: ParserView, **query: Any) -> list[str]:
    return [row.name for row in find_documents(inst, inst.team_id, parser.id, DocumentQuery(**query)).rows]


def read_again(inst: Installation, parser: ParserView, document_id: str, **values: Any) -> str:
    reprocess(inst, inst.team_id, [document_id])
    complete(inst, parser, **values)
    return shown(inst, document_id).name


def test_a_document_is_named_after_its_values(any_inst: Installation) -> None:
    inst, parser = any_inst, named(any_inst)
    (document_id,) = add(inst, parser)
    assert shown(inst, document_id).name == "doc-0.txt"
    complete(inst, parser)
    view = shown(inst, document_id)
    assert (view.name, view.file_name) == ("Bill A-1", "doc-0.txt")
    assert linked_file(inst, document_id).name == "doc-0.txt"
    assert found(inst, parser, q="BILL a", in_values=True) == ["Bill A-1"]
    assert found(inst, parser, q="bill a") == ["Bill A-1"]
    assert found(inst, parser, q="doc-0") == []
    assert found(
        inst, parser, filters=[{"field": "$name", "operator": "equals", "value": "bill a-1"}], in_values=True
    )
    with inst.catalog.read_session() as session:
        row = session.get(Document, document_id)
        assert row is not None
        assert row.name_key == "bill a-1"


def test_without_a_value_it_is_called_as_its_file_is(any_inst: Installation) -> None:
    inst, parser = any_inst, named(any_inst, "{Number} {Total}")
    (document_id,) = add(inst, parser)
    complete(inst, parser, total=None)
    assert shown(inst, document_id).name == "doc-0.txt"
    assert read_again(inst, parser, document_id, number="B") == "B 12.5"
    assert read_again(inst, parser, document_id, total=None) == "doc-0.txt"
    assert found(inst, parser, q="B 12") == []


def test_a_file_keeps_its_name_for_reading(inst: Installation) -> None:
    parser = named(inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    reprocess(inst, inst.team_id, [document_id])
    assert [one.name for one in claim(inst, [ClaimRequest(parser.id, 1)], "me")] == ["doc-0.txt"]


def test_corrected_values_rename_it(any_inst: Installation, monkeypatch: Any) -> None:
    monkeypatch.setattr("docduck.service.corrections.pending_corrections.learn", lambda *given, **more: {})
    inst, parser = any_inst, named(any_inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    assert correct(inst, inst.team_id, document_id, {"Number": "C/3"}).name == "Bill C-3"
    assert correct(inst, inst.team_id, document_id, {"Number": None}).name == "doc-0.txt"


def test_a_name_that_a_person_gave_stays(any_inst: Installation) -> None:
    inst, parser = any_inst, named(any_inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    update_document(inst, inst.team_id, parser.id, document_id, {"name": "Mine"})
    assert read_again(inst, parser, document_id, number="B") == "Mine"
    update_document(inst, inst.team_id, parser.id, document_id, {"name": "doc-0.txt"})
    assert read_again(inst, parser, document_id, number="B") == "Bill B"


def test_a_template_follows_its_fields(any_inst: Installation) -> None:
    inst, parser = any_inst, named(any_inst, "Bill {number} of {Total}")
    (document_id,) = add(inst, parser)
    numbers, totals = (str(field.id) for field in parser.fields[:2])

    def template() -> Any:
        return get_parser(inst, inst.team_id, parser.id).settings["documentNameTemplate"]

    update_field(inst, inst.team_id, parser.id, numbers, {"name": "Bill No."})
    assert template() == "Bill {Bill No.} of {Total}"
    update_field(inst, inst.team_id, parser.id, totals, {"name": "Sum"})
    update_field(inst, inst.team_id, parser.id, numbers, {"name": "Total"})
    assert template() == "Bill {Total} of {Sum}"
    delete_field(inst, inst.team_id, parser.id, "Sum")
    assert template() == "Bill {Total} of {Sum}"
    complete(inst, parser)
    assert shown(inst, document_id).name == "doc-0.txt", "a field that is gone has no value"


def test_without_a_template_names_stay(any_inst: Installation) -> None:
    inst, parser = any_inst, named(any_inst, None)
    (document_id,) = add(inst, parser)
    update_document(inst, inst.team_id, parser.id, document_id, {"name": "Mine"})
    complete(inst, parser)
    assert shown(inst, document_id).name == "Mine"
