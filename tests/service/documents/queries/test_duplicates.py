from __future__ import annotations

from typing import Any

import pytest

from docduck.service.conditions import Condition, DocumentFacts, Scope, holds, parse_condition
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries import duplicates
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.duplicates import DuplicateLookup, duplicate_ids
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.queries.listing import find_team_documents
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import ParserChanges, ParserView, get_parser, update_parser
from docduck.service.processing.results import store_outcomes
from docduck.service.search.query import DocumentQuery
from tests.service.core.catalog import statements
from tests.service.core.documents import add, add_read, complete, make_parser, read_outcomes, upload


def read(inst: Installation, parser: ParserView, name: str, **values: Any) -> str:
    """A document that was read with these values, by field name."""
    (document_id,) = add(inst, parser, prefix=name)
    outcomes = read_outcomes(inst, parser)
    for one in outcomes:
        assert one.extraction is not None
        one.extraction.data.update(values)
    store_outcomes(inst, outcomes, "me")
    return document_id


def keyed(inst: Installation, *keys: str) -> ParserView:
    """A parser with these duplicate keys."""
    changes = ParserChanges(settings={"duplicateKeys": list(keys)})
    return update_parser(inst, inst.team_id, make_parser(inst).id, changes)


def copies(inst: Installation, parser: ParserView, count: int) -> list[str]:
    return [upload(inst, parser.team_id, parser.slug, b"the same", f"copy {n}.txt") for n in range(count)]


def duplicate_of(inst: Installation, document_id: str) -> list[str]:
    return list(get_document(inst, inst.team_id, document_id).duplicate_of)


def is_duplicate(
    inst: Installation, parser: ParserView, document_id: str, condition: Condition, facts: dict[str, Any]
) -> bool:
    with inst.catalog.read_session() as session:
        asked = DuplicateLookup(session, parser.id, document_id)
        return holds(condition, DocumentFacts(facts, duplicates=asked))


def test_a_value_that_another_document_has(any_inst: Installation) -> None:
    cases: list[tuple[str, Any, Any, bool]] = [
        ("Number", "A-1", " a-1 ", True),
        ("Number", "A-1", "A-2", False),
        ("Number", "x" * 500 + "1", "X" * 500 + "1", True),
        ("Number", "x" * 500 + "1", "x" * 500 + "2", False),
        ("Number", None, None, False),
        ("Number", "", "", False),
        ("Total", 5.0, 5, True),
        ("Total", 5.0, 5.01, False),
        ("Total", "no number", "no number", False),
        ("Tags", ["a", "B"], ["b", "A"], True),
        ("Tags", ["a"], ["a", "b"], False),
        ("Tags", ["a", "b", "c"], ["a", "b"], True),
        ("Line Items.Amount", [{"Amount": 3}], [{"Amount": 9}, {"Amount": 3.0}], True),
        ("Line Items.Amount", [{"Amount": 3}], [{"Amount": None}], False),
        ("Line Items.Amount", [], [], False),
    ]
    parser, other = make_parser(any_inst), make_parser(any_inst, "Others")
    for field, first, second, expected in cases:
        name = field.partition(".")[0]
        read(any_inst, other, "elsewhere", **{name: second})
        new = read(any_inst, parser, "second", **{name: second})
        condition = parse_condition({"field": field, "condition": "is_duplicate"}, Scope(parser.fields), "")
        facts = {name: second}
        seen = [is_duplicate(any_inst, parser, new, condition, facts)]
        old = read(any_inst, parser, "first", **{name: first})
        seen.append(is_duplicate(any_inst, parser, new, condition, facts))
        delete_documents(any_inst, parser.team_id, [old])
        seen.append(is_duplicate(any_inst, parser, new, condition, facts))
        assert seen == [False, expected, False], (field, first, second)
        delete_documents(any_inst, parser.team_id, [new])


def test_a_document_is_a_duplicate_of_the_earlier_ones_with_its_content(any_inst: Installation) -> None:
    parser, other = make_parser(any_inst), make_parser(any_inst, "Others")
    copies(any_inst, other, 1)
    add(any_inst, parser)
    first, second, third = copies(any_inst, parser, 3)
    assert [duplicate_of(any_inst, one) for one in (first, second, third)] == [[], [first], [first, second]]
    delete_documents(any_inst, any_inst.team_id, [first])
    assert [duplicate_of(any_inst, one) for one in (second, third)] == [[], [second]]
    (fourth,) = copies(any_inst, parser, 1)
    delete_documents(any_inst, any_inst.team_id, [second, third])
    assert duplicate_of(any_inst, fourth) == []


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((), {"copy 1": ["copy 0"]}),
        (
            ("Number",),
            {"b": ["a"], "c": ["a", "b"], "i": ["h"], "copy 0": ["k"], "copy 1": ["k", "copy 0"]},
        ),
        (("Number", "Total"), {"c": ["a"], "copy 1": ["copy 0"]}),
    ],
)
def test_documents_with_the_same_key_values_are_duplicates(
    any_inst: Installation, keys: tuple[str, ...], expected: dict[str, list[str]]
) -> None:
    inst, other, parser = any_inst, keyed(any_inst, *keys), keyed(any_inst, *keys)
    elsewhere = [read(inst, other, "elsewhere", Number="A-1", Total=5), *copies(inst, other, 1)]
    ids: dict[str, str] = {}
    for name, number, total in (
        *(("a", "A-1", 5), ("b", "A-1", 6), ("c", " a-1 ", 5.0), ("d", None, 5), ("e", None, 5)),
        *(("f", "", 5), ("g", "", 5), ("h", "B", None), ("i", "B", "n/a"), ("k", "C", "n/a")),
    ):
        ids[name] = read(inst, parser, name, Number=number, Total=total)
    ids["copy 0"], ids["copy 1"] = copies(inst, parser, 2)
    complete(inst, parser, number="C", total=None)
    names = {document_id: name for name, document_id in ids.items()}
    told = {
        name: [names[one] for one in duplicate_of(inst, document_id)] for name, document_id in ids.items()
    }
    assert {name: found for name, found in told.items() if found} == expected
    # Lists say the same.
    wanted = {ids[name] for name in expected}
    assert duplicate_ids(inst, inst.team_id, [*ids.values(), *elsewhere]) == wanted
    of_team = find_team_documents(inst, inst.team_id, DocumentQuery(duplicates=True))
    of_parser = find_documents(inst, inst.team_id, parser.id, DocumentQuery(duplicates=True, in_values=True))
    for found in (of_team, of_parser):
        assert (found.total, {row.id for row in found.rows}) == (len(wanted), wanted)
    assert duplicate_ids(inst, other.id, [*ids.values()]) == set()


def test_keys_are_stored_by_id_and_follow_renames(inst: Installation) -> None:
    parser = keyed(inst, "number", "Total", "NUMBER")
    ids = [str(field.id) for field in parser.fields[:2]]
    assert parser.settings["duplicateKeys"] == ids
    update_field(inst, inst.team_id, parser.id, ids[0], {"name": "Bill No."})
    assert get_parser(inst, inst.team_id, parser.id).settings["duplicateKeys"] == ids
    copy = duplicate_parser(inst, inst.team_id, parser.id)
    assert copy.settings["duplicateKeys"] == [str(field.id) for field in copy.fields[:2]]


def test_corrections_deletions_and_deleted_fields_count(inst: Installation) -> None:
    parser = keyed(inst, "Number", "Total")
    first, second, third = (add_read(inst, parser, one, number=one) for one in "123")
    for document_id, duplicates_ in ((second, [first]), (third, [first, second])):
        assert duplicate_of(inst, document_id) == []
        set_values(inst, inst.team_id, parser.id, document_id, {"Number": "1"})
        assert duplicate_of(inst, document_id) == duplicates_
    delete_documents(inst, inst.team_id, [first])
    assert [duplicate_of(inst, one) for one in (second, third)] == [[], [second]]
    delete_field(inst, inst.team_id, parser.id, "Total")
    assert duplicate_of(inst, third) == [], "a key that is gone has no value"


def test_few_rows_are_looked_at_however_common_one_key_is(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rarest value leads; no more documents are named than the limit."""
    inst, parser = any_inst, keyed(any_inst, "Total", "Number")
    monkeypatch.setattr(duplicates, "MOST_NAMED", 2)
    ids = [add_read(inst, parser, f"{n}", number="same" if n % 2 else f"own {n}", total=1) for n in range(8)]
    with statements(inst) as sent:
        assert duplicate_of(inst, ids[7]) == [ids[1], ids[3]]
    assert sum("search_values" in one for one in sent) == 3
