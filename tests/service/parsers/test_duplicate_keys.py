from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries import duplicates
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import ParserChanges, ParserView, get_parser, update_parser
from tests.service.core.documents import add, complete, correct, make_parser, upload


def keyed(inst: Installation, *keys: str, name: str = "Invoices") -> ParserView:
    parser = make_parser(inst, name)
    changes = ParserChanges(settings={"duplicateKeys": list(keys)})
    return update_parser(inst, inst.team_id, parser.id, changes)


def read(inst: Installation, parser: ParserView, prefix: str, **values: Any) -> str:
    (document_id,) = add(inst, parser, prefix=prefix)
    complete(inst, parser, **values)
    return document_id


def duplicate_of(inst: Installation, document_id: str) -> list[str]:
    return list(get_document(inst, inst.team_id, document_id).duplicate_of)


def test_keys_are_stored_by_id_and_follow_renames(inst: Installation) -> None:
    parser = keyed(inst, "number", "Total", "NUMBER")
    ids = [str(field.id) for field in parser.fields[:2]]
    assert parser.settings["duplicateKeys"] == ids
    update_field(inst, inst.team_id, parser.id, ids[0], {"name": "Bill No."})
    assert get_parser(inst, inst.team_id, parser.id).settings["duplicateKeys"] == ids
    copy = duplicate_parser(inst, inst.team_id, parser.id)
    assert copy.settings["duplicateKeys"] == [str(field.id) for field in copy.fields[:2]]


def test_documents_with_the_same_key_values_are_duplicates(any_inst: Installation) -> None:
    inst = any_inst
    parser, other = keyed(inst, "Number", "Total"), keyed(inst, "Number", name="Others")
    read(inst, other, "other", number="a 1", total=5)
    first = read(inst, parser, "a", number="A 1", total=5)
    read(inst, parser, "b", number="A 1", total=6)
    second = read(inst, parser, "c", number=" a 1", total=5.0)
    third = read(inst, parser, "d", number="a 1 ", total=5)
    assert [duplicate_of(inst, one) for one in (first, second, third)] == [[], [first], [first, second]]
    delete_documents(inst, inst.team_id, [first])
    assert [duplicate_of(inst, one) for one in (second, third)] == [[], [second]]


def test_the_same_content_counts_beside_the_same_keys(any_inst: Installation) -> None:
    inst, parser = any_inst, keyed(any_inst, "Number")
    first = upload(inst, inst.team_id, parser.id, b"same", "a.txt")
    complete(inst, parser, number="1")
    second = read(inst, parser, "other", number="2")
    third = upload(inst, inst.team_id, parser.id, b"same", "b.txt")
    assert duplicate_of(inst, third) == [first]
    complete(inst, parser, number="2")
    assert duplicate_of(inst, third) == [first, second]
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"duplicateKeys": []}))
    assert duplicate_of(inst, third) == [first]


@pytest.mark.parametrize("total", [None, "n/a", ""])
def test_values_that_are_missing_or_no_such_never_count(any_inst: Installation, total: Any) -> None:
    parser = keyed(any_inst, "Number", "Total")
    read(any_inst, parser, "a", number="1", total=total)
    assert duplicate_of(any_inst, read(any_inst, parser, "b", number="1", total=total)) == []


def test_corrections_and_deleted_fields_count(any_inst: Installation, monkeypatch: Any) -> None:
    monkeypatch.setattr("docduck.service.corrections.pending_corrections.learn", lambda *given, **more: {})
    inst, parser = any_inst, keyed(any_inst, "Number", "Total")
    first = read(inst, parser, "a", number="1")
    second = read(inst, parser, "b", number="2")
    assert duplicate_of(inst, second) == []
    correct(inst, inst.team_id, second, {"Number": "1"})
    assert duplicate_of(inst, second) == [first]
    delete_field(inst, inst.team_id, parser.id, "Total")
    assert duplicate_of(inst, second) == [], "a key that is gone has no value"


def test_few_rows_are_looked_at_however_common_one_key_is(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rarest value leads; no more documents are named than the limit."""
    inst, parser = any_inst, keyed(any_inst, "Total", "Number")
    monkeypatch.setattr(duplicates, "MOST_NAMED", 2)
    ids = [read(inst, parser, f"{n}", number="same" if n % 2 else f"own {n}", total=1) for n in range(8)]
    assert duplicate_of(inst, ids[7]) == [ids[1], ids[3]]
    statements: list[str] = []
    event.listen(inst.catalog.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    duplicate_of(inst, ids[7])
    assert sum("search_values" in one for one in statements) == 3
