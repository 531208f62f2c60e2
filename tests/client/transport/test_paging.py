"""Lists, page by page."""

from __future__ import annotations

from urllib.parse import parse_qs

from docduck.client import Client
from tests.client.conftest import KEY, Caller, Reply, Server

PARSER = "0190b3c2-7c3e-7000-8000-000000000001"


def page(ids: list[str], number: int, pages: int, **more: str | None) -> Reply:
    facts = {"page": number, "limit": 2, "total": 5, "pageCount": pages, **more}
    return Reply(200, {"data": [{"id": one} for one in ids], "pagination": facts})


def test_a_list_is_all_its_pages(call: Caller, server: Server) -> None:
    server.answer(page(["a", "b"], 1, 3), page(["c", "d"], 2, 3), page(["e"], 3, 3))
    found = call(lambda api: api.parsers.list(q="x", is_active=True, limit=2))
    assert [one["id"] for one in found] == ["a", "b", "c", "d", "e"]
    asked = [parse_qs(one.query) for one in server.seen]
    assert asked == [{"q": ["x"], "isActive": ["true"], "limit": ["2"], "page": [str(n)]} for n in (1, 2, 3)]


def test_a_list_that_changes_meanwhile_has_each_row_once_and_an_end(call: Caller, server: Server) -> None:
    server.answer(page(["a", "b"], 1, 3), page(["b", "c"], 2, 3), page([], 3, 9))
    assert [one["id"] for one in call(lambda api: api.parsers.list())] == ["a", "b", "c"]
    assert len(server.seen) == 3


def test_a_list_begins_at_the_page_that_is_asked_for(call: Caller, server: Server) -> None:
    server.answer(page(["e"], 3, 3))
    assert [one["id"] for one in call(lambda api: api.documents.list(PARSER, page=3))] == ["e"]
    assert parse_qs(server.seen[0].query)["page"] == ["3"]
    found = call(lambda api: api.documents.page(PARSER, page=3))
    assert found["pagination"]["pageCount"] == 3


def test_a_list_with_cursors_is_followed_by_them(call: Caller, server: Server) -> None:
    server.answer(
        page(["a", "b"], 1, 2, nextCursor="x-1"),
        page(["b", "c"], 2, 2, nextCursor="x-2"),
        page(["d"], 3, 2, nextCursor=None),
    )
    found = call(lambda api: api.documents.list(PARSER, sort="updatedAt.asc"))
    assert [one["id"] for one in found] == ["a", "b", "b", "c", "d"], "what changes meanwhile comes again"
    asked = [parse_qs(one.query) for one in server.seen]
    same = {"sort": ["updatedAt.asc"], "limit": ["50"]}
    assert asked == [same, {**same, "cursor": ["x-1"]}, {**same, "cursor": ["x-2"]}]


def test_a_list_begins_at_the_cursor_that_is_given(call: Caller, server: Server) -> None:
    server.answer(page(["d"], 3, 3, nextCursor=None), page([], 1, 0, nextCursor=None))
    assert len(call(lambda api: api.documents.list(PARSER, cursor="x-2"))) == 1
    assert parse_qs(server.seen[0].query) == {"cursor": ["x-2"], "limit": ["50"]}
    call(lambda api: api.documents.list(PARSER, cursor="x-2", page=2))
    assert parse_qs(server.seen[1].query) == {"cursor": ["x-2"], "page": ["2"], "limit": ["50"]}


def test_a_list_without_cursors_is_followed_by_its_pages(call: Caller, server: Server) -> None:
    server.answer(page(["a"], 1, 2, nextCursor=None), page(["b"], 2, 2, nextCursor=None))
    found = call(lambda api: api.documents.search(PARSER, "acme"))
    assert [one["id"] for one in found] == ["a", "b"]
    same = {"q": "acme", "limit": 50}
    assert [one.json for one in server.seen] == [same, {**same, "page": 2}]


def test_a_list_that_only_grows_ends_where_there_are_no_more_rows_yet(call: Caller, server: Server) -> None:
    def feed(ids: list[str], cursor: str, has_more: bool) -> Reply:
        facts = {"limit": 2, "hasMore": has_more, "nextCursor": cursor}
        return Reply(200, {"data": [{"id": one} for one in ids], "pagination": facts})

    server.answer(feed(["a", "b"], "x-1", True), feed(["c"], "x-2", False))
    assert [one["id"] for one in call(lambda api: api.events.list())] == ["a", "b", "c"]
    assert [parse_qs(one.query).get("cursor") for one in server.seen] == [None, ["x-1"]]


def test_pages_are_fetched_when_they_are_needed(server: Server) -> None:
    server.answer(page(["a", "b"], 1, 3), page(["c", "d"], 2, 3))
    with Client(server.address, KEY) as api:
        rows = api.parsers.list()
        assert not server.seen
        assert [next(rows)["id"], next(rows)["id"], len(server.seen)] == ["a", "b", 1]
        next(rows)
        assert len(server.seen) == 2
