"""Cursors: a list is walked through without a gap or repetition while others insert and delete."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.core.pages import SORTS, Page
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import DocumentRow
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.queries.listing import find_team_documents
from docduck.service.parsers.parsers import ParserView
from docduck.service.search import ordered_scan
from docduck.service.search.cursors import LONGEST_CURSOR, Key, read_cursor, write_cursor
from docduck.service.search.query import FURTHER_SORTS, DocumentQuery
from tests.service.core.documents import add, complete, make_parser, set_document

_MOMENT = dt.datetime(2026, 3, 5, 14, 30, tzinfo=dt.UTC)


class World:
    """Eleven documents of which many have the same names, confidences, pages and moments of change."""

    def __init__(self, inst: Installation) -> None:
        self.inst, self.parser = inst, make_parser(inst)
        self.ids = add(inst, self.parser, 11)
        for at, document_id in enumerate(self.ids):
            set_document(
                inst,
                document_id,
                name_key=f"doc {at // 3}",
                confidence=(None, 0.5, 0.1)[at % 3],
                page_count=(None, 2)[at % 2],
                updated_at=_MOMENT + dt.timedelta(microseconds=at // 4),
            )

    def page(self, of_team: bool, query: DocumentQuery) -> Page[DocumentRow]:
        if of_team:
            return find_team_documents(self.inst, self.inst.team_id, query)
        return find_documents(self.inst, self.inst.team_id, self.parser.id, query)

    def walk(self, of_team: bool, query: DocumentQuery) -> Iterator[Page[DocumentRow]]:
        while True:
            page = self.page(of_team, query)
            yield page
            if page.next_cursor is None:
                return
            query = replace(query, page=1, cursor=page.next_cursor)


@pytest.fixture
def world(any_inst: Installation) -> World:
    return World(any_inst)


@pytest.mark.parametrize("few", [0, 1000])
def test_a_walk_is_the_list(world: World, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordered_scan, "FEW", few)
    for of_team in (False, True):
        for sort in (*SORTS, *FURTHER_SORTS):
            # The second one takes the way over sets of numbers.
            for words in (None, "doc"):
                query = DocumentQuery(q=words, sort=sort, in_values=True, limit=4)
                whole = [row.id for row in world.page(of_team, replace(query, limit=100)).rows]
                assert sorted(whole) == sorted(world.ids)
                pages = [*world.walk(of_team, query)]
                assert [row.id for page in pages for row in page.rows] == whole, (of_team, sort, words)
                facts = [(page.page, page.limit, page.total, page.page_count) for page in pages]
                assert facts == [(number, 4, 11, 3) for number in (1, 2, 3)]
        second = world.page(of_team, DocumentQuery(page=2, limit=4))
        assert [page.page for page in world.walk(of_team, DocumentQuery(page=2, limit=4))] == [2, 3]
        assert world.page(of_team, DocumentQuery(page=3, limit=4, cursor=second.next_cursor)).page == 3


@pytest.mark.parametrize("of_team", [False, True])
def test_a_walk_misses_and_repeats_nothing_while_others_write(world: World, of_team: bool) -> None:
    inst = world.inst
    for sort in SORTS:
        seen: list[str] = []
        there = {row.id for row in world.page(of_team, DocumentQuery(limit=100)).rows}
        for page in world.walk(of_team, DocumentQuery(sort=sort, limit=4)):
            seen += [row.id for row in page.rows]
            if page.page <= 2:
                # The row of the cursor itself, and one before it.
                delete_documents(inst, inst.team_id, [page.rows[-1].id, page.rows[0].id])
                add(inst, world.parser, 4, prefix=f"doc {sort} {page.page} ")
        assert len(seen) == len({*seen}) and there <= {*seen}, sort


def test_a_cursor_is_of_one_list_and_order(world: World) -> None:
    inst, query = world.inst, DocumentQuery(limit=3)
    other = make_parser(inst, "Others")
    add(inst, other)
    of_parser, of_team = (world.page(which, query).next_cursor for which in (False, True))
    assert of_parser and of_team

    def refused(parser: ParserView | None, cursor: str, sort: str = "createdAt.desc", **more: Any) -> str:
        wrong = DocumentQuery(cursor=cursor, sort=sort, **more)
        with pytest.raises(InputError) as caught:
            if parser is None:
                find_team_documents(inst, inst.team_id, wrong)
            else:
                find_documents(inst, inst.team_id, parser.id, wrong)
        assert caught.value.path == "cursor"
        return caught.value.message

    hostile = ("", "x", "é", "-", "=", "A" * 43, "A" * (LONGEST_CURSOR + 1), of_parser[:-2], f"{of_parser}A")
    for parser, cursor in (
        (world.parser, of_team),
        (None, of_parser),
        (other, of_parser),
        *((world.parser, cursor) for cursor in hostile),
    ):
        assert refused(parser, cursor) == "The cursor is not one of this list; begin again without it"
    message = "The cursor is of a list with the sort createdAt.desc; send the parameters that it came with"
    assert refused(world.parser, of_parser, "createdAt.asc") == message
    for sort, q in (("relevance", "doc"), ("field:Total.asc", None)):
        page = world.page(False, DocumentQuery(q=q, sort=sort, in_values=True, limit=3))
        assert page.total == 11 and page.next_cursor is None
        message = refused(world.parser, of_parser, sort, q=q, in_values=True)
        assert "has no cursors; set sort to createdAt.desc" in message
    keys: list[Key] = ["name.asc", 1, _MOMENT, 0.1]
    text = write_cursor(inst.settings, "a", keys)
    assert read_cursor(inst.settings, "a", text) == keys
    with pytest.raises(InputError):
        read_cursor(inst.settings, "b", text)


@pytest.mark.parametrize("of_team", [False, True])
def test_documents_by_the_moment_of_their_change(world: World, of_team: bool) -> None:
    inst, day = world.inst, dt.timedelta(days=1)
    for at, document_id in enumerate(world.ids):
        set_document(inst, document_id, updated_at=_MOMENT + at * day)

    def found(**query: Any) -> list[int]:
        page = world.page(of_team, DocumentQuery(sort="updatedAt.asc", **query))
        assert page.total == len(page.rows)
        return [world.ids.index(row.id) for row in page.rows]

    assert found(updated_from=_MOMENT + 8 * day) == [8, 9, 10]
    assert found(updated_to=_MOMENT + day) == [0, 1]
    both: dict[str, Any] = {"updated_from": _MOMENT + 3 * day, "updated_to": _MOMENT + 5 * day}
    assert found(**both) == [3, 4, 5] == found(**both, q="DOC") == found(**both, q="doc", in_values=True)
    assert found(**both, status="failed") == []
    walked = [*world.walk(of_team, DocumentQuery(sort="updatedAt.asc", limit=2, **both))]
    assert [len(page.rows) for page in walked] == [2, 1]


@pytest.mark.parametrize("of_team", [False, True])
def test_rows_with_their_values(world: World, of_team: bool) -> None:
    inst = world.inst
    assert {row.data for row in world.page(of_team, DocumentQuery()).rows} == {None}
    complete(inst, world.parser, number="A-1", total=10, rows=1)
    (queued,) = add(inst, world.parser, 1, "late")
    rows = {row.id: row for row in world.page(of_team, DocumentQuery(with_data=True)).rows}
    assert rows[queued].data == {}
    assert rows[world.ids[0]].data == {
        "Number": "A-1",
        "Total": 10,
        "Tags": ["a", "b"],
        "Line Items": [{"Description": "item 0", "Amount": 0}],
    }
