"""The column ``duplicate_of``, by which sums leave duplicates out."""

from __future__ import annotations

from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.outputs import warehouse_sync
from docduck.service.parsers.parsers import ParserChanges, ParserView, update_parser
from tests.service.core.documents import complete, correct, make_parser, upload


def read(inst: Installation, parser: ParserView, content: str, name: str, number: str = "A-1") -> str:
    document = upload(inst, inst.team_id, parser.slug, content.encode(), name)
    complete(inst, parser, number=number)
    return document


def repeated(inst: Installation) -> dict[str, str | None]:
    warehouse_sync.sync_warehouse(inst)
    warehouse_sync.publish(inst, force=True)
    rows = inst.warehouse.query("SELECT name, duplicate_of FROM invoices.documents").rows
    return {str(name): None if other is None else str(other) for name, other in rows}


def test_a_document_of_the_same_content_names_the_first(any_inst: Installation) -> None:
    inst = any_inst
    parser = make_parser(inst)
    first = read(inst, parser, "same", "invoice.txt")
    second = read(inst, parser, "same", "reminder.txt")
    read(inst, parser, "other", "other.txt")
    assert repeated(inst) == {"invoice.txt": None, "reminder.txt": first, "other.txt": None}
    total = "SELECT sum(total) FROM invoices.documents WHERE duplicate_of IS NULL"
    assert [*inst.warehouse.query(total).rows] == [(25,)]
    read(inst, parser, "same", "again.txt")
    delete_documents(inst, inst.team_id, [first])
    assert repeated(inst) == {"reminder.txt": None, "again.txt": second, "other.txt": None}


def test_documents_with_the_same_keys_are_duplicates_too(any_inst: Installation) -> None:
    inst = any_inst
    parser = make_parser(inst)
    number = str(next(field.id for field in parser.fields if field.name == "Number"))
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"duplicateKeys": [number]}))
    first = read(inst, parser, "1", "a.txt")
    read(inst, parser, "2", "b.txt")
    third = read(inst, parser, "3", "c.txt", "A-3")
    assert repeated(inst) == {"a.txt": None, "b.txt": first, "c.txt": None}
    correct(inst, inst.team_id, first, {"Number": "A-9"})
    assert repeated(inst) == {"a.txt": None, "b.txt": None, "c.txt": None}
    correct(inst, inst.team_id, first, {"Number": "A-3"})
    assert repeated(inst) == {"a.txt": None, "b.txt": None, "c.txt": first}
    delete_documents(inst, inst.team_id, [first])
    assert repeated(inst) == {"b.txt": None, "c.txt": None}
    correct(inst, inst.team_id, third, {"Number": "A-1"})
    assert repeated(inst)["c.txt"] is not None
