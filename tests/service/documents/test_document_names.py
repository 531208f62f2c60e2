from __future__ import annotations

from typing import Any

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.parsers import ParserChanges, ParserView, get_parser, update_parser
from docduck.service.previews.signed_links import linked_file
from docduck.service.search.query import DocumentQuery
from tests.service.core.documents import add, complete, make_parser, read_outcomes


def named(inst: Installation, template: str | None = "Bill {Number}") -> tuple[ParserView, str]:
    """A parser with this template for names, and a document that is queued."""
    changes = ParserChanges(settings={"documentNameTemplate": template})
    parser = update_parser(inst, inst.team_id, make_parser(inst).id, changes)
    return parser, add(inst, parser)[0]


def shown(inst: Installation, document_id: str) -> DocumentView:
    return get_document(inst, inst.team_id, document_id)


def found(inst: Installation, parser: ParserView, **query: Any) -> list[str]:
    return [row.name for row in find_documents(inst, inst.team_id, parser.id, DocumentQuery(**query)).rows]


def read_again(inst: Installation, parser: ParserView, document_id: str, **values: Any) -> str:
    reprocess(inst, inst.team_id, [document_id], discard_corrections=True)
    complete(inst, parser, **values)
    return shown(inst, document_id).name


def test_a_document_is_named_after_its_values(any_inst: Installation) -> None:
    inst = any_inst
    parser, document_id = named(inst)
    assert shown(inst, document_id).name == "doc-0.txt"
    complete(inst, parser)
    view = shown(inst, document_id)
    assert (view.name, view.file_name) == ("Bill A-1", "doc-0.txt")
    assert linked_file(inst, document_id).name == "doc-0.txt"
    assert found(inst, parser, q="BILL a", in_values=True) == ["Bill A-1"]
    assert found(inst, parser, q="bill a") == ["Bill A-1"]
    assert found(inst, parser, q="doc-0") == []
    filters = [{"field": "$name", "operator": "equals", "value": "bill a-1"}]
    assert found(inst, parser, filters=filters, in_values=True)
    with inst.catalog.read_session() as session:
        assert session.get_one(Document, document_id).name_key == "bill a-1"
    reprocess(inst, inst.team_id, [document_id])
    (again,) = read_outcomes(inst, parser)
    assert again.claim.name == "doc-0.txt", "a file keeps its name for reading"


def test_without_a_value_it_is_called_as_its_file_is(inst: Installation) -> None:
    parser, document_id = named(inst, "{Number} {Total}")
    complete(inst, parser, total=None)
    assert shown(inst, document_id).name == "doc-0.txt"
    assert read_again(inst, parser, document_id, number="B") == "B 12.5"
    assert read_again(inst, parser, document_id, total=None) == "doc-0.txt"
    assert found(inst, parser, q="B 12") == []


def test_corrected_values_rename_it_but_a_name_that_a_person_gave_stays(inst: Installation) -> None:
    parser, document_id = named(inst)
    complete(inst, parser)
    for number, name in (("C/3", "Bill C-3"), (None, "doc-0.txt")):
        assert set_values(inst, inst.team_id, parser.id, document_id, {"Number": number}).name == name
    update_document(inst, inst.team_id, parser.id, document_id, {"name": "Mine"})
    assert read_again(inst, parser, document_id, number="B") == "Mine"
    update_document(inst, inst.team_id, parser.id, document_id, {"name": "doc-0.txt"})
    assert read_again(inst, parser, document_id, number="B") == "Bill B"
    # Without a template, names stay.
    parser, document_id = named(inst, None)
    update_document(inst, inst.team_id, parser.id, document_id, {"name": "Mine"})
    complete(inst, parser)
    assert shown(inst, document_id).name == "Mine"


def test_a_template_follows_its_fields(inst: Installation) -> None:
    parser, document_id = named(inst, "Bill {number} of {Total}")
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
