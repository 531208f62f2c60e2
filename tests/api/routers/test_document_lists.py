from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from docduck.catalog.models import Document, SearchEntry
from docduck.catalog.models.base import Base, UtcDateTime
from docduck.ids import new_id
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import DocumentChanges, update_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parsers import delete_parser
from tests.api.request.hostile import refused
from tests.server.served import Api
from tests.service.core.documents import add, complete, make_parser, upload
from tests.service.core.people import make_member, put_in_review
from tests.service.documents.test_document_changes import make_folder


class World:
    """A parser with five documents: three processed, of which one is in a folder, and two queued."""

    def __init__(self, api: Api) -> None:
        self.api, inst = api, api.inst
        self.parser, other = make_parser(inst), make_parser(inst, "Orders")
        add(inst, other)
        self.ids = add(inst, self.parser, 2, "bill")
        complete(inst, self.parser, number="A-1", total=10)
        self.ids += add(inst, self.parser, 1, "note")
        complete(inst, self.parser, number="B-2", total=20)
        self.ids += add(inst, self.parser, 2, "late")
        self.folder, self.ann = make_folder(inst, self.parser), make_member(inst)
        changes: DocumentChanges = {"folder_id": self.folder, "external_id": "X-1", "custom": {"order": 7}}
        update_document(inst, inst.team_id, self.parser.id, self.ids[0], changes)
        (self.stage,) = put_in_review(inst, self.ids[1], ("First", "in_progress"), assignee_id=self.ann)
        self.path = f"/parsers/{self.parser.id}/documents"

    def ids_of(self, answer: httpx.Response) -> list[int]:
        assert answer.status_code == 200, answer.text
        return [self.ids.index(row["id"]) for row in answer.json()["data"] if row["id"] in self.ids]

    def listed(self, **query: Any) -> list[int]:
        return self.ids_of(self.api.get(self.path, params=query))

    def search(self, **body: Any) -> list[int]:
        return self.ids_of(self.api.post(f"{self.path}/search", json=body))


@pytest.fixture
def world(lite: Api) -> World:
    return World(lite)


def test_a_list_is_a_page_of_rows(world: World) -> None:
    answer = world.api.get(world.path, params={"limit": 2, "page": 2}).json()
    assert answer["pagination"].pop("nextCursor")
    assert answer["pagination"] == {"page": 2, "limit": 2, "total": 5, "pageCount": 3}
    assert [row["id"] for row in answer["data"]] == [world.ids[2], world.ids[1]]
    row = answer["data"][1]
    assert row.pop("review")["currentStage"]["id"] == world.stage
    assert set(row) == {
        *("id", "parserId", "name", "externalId", "custom", "status", "folderId", "source", "contentType"),
        *("createdAt", "updatedAt", "isProcessed", "isFailed", "pageCount", "confidence"),
    }
    assert (row["name"], row["status"], row["isProcessed"]) == ("bill-1.txt", "in_review", True)
    past = world.api.get(world.path, params={"page": 9}).json()
    assert (past["data"], past["pagination"]["total"]) == ([], 5)


def test_lists_and_searches_leave_what_fits(world: World) -> None:
    api, folder = world.api, world.folder
    above = api.post(f"/parsers/{world.parser.id}/folders", json={"name": "Above"}).json()["id"]
    moved = api.patch(f"/parsers/{world.parser.id}/folders/{folder}", json={"parentId": above})
    assert moved.json()["parentId"] == above
    third = api.get(f"{world.path}/{world.ids[2]}").json()["createdAt"]
    queries: list[tuple[dict[str, Any], list[int]]] = [
        ({}, [4, 3, 2, 1, 0]),
        ({"q": "BILL"}, [1, 0]),
        ({"q": "x-1"}, [0]),
        ({"q": "%"}, []),
        ({"status": "in_review"}, [1]),
        ({"folderId": folder.upper()}, [0]),
        ({"folderId": above}, []),
        ({"folderId": above, "includeSubfolders": True}, [0]),
        ({"includeSubfolders": False}, [4, 3, 2, 1, 0]),
        ({"assigneeId": world.ann}, [1]),
        ({"reviewStageId": world.stage}, [1]),
        ({"externalId": "X-1"}, [0]),
        ({"externalId": "x-1"}, []),
        ({"sort": "name.asc"}, [0, 1, 3, 4, 2]),
        ({"sort": "name.desc", "limit": 2, "page": 2}, [3, 1]),
        ({"createdFrom": third, "createdTo": third}, [2]),
        ({"createdFrom": "2100-01-01T00:00:00Z"}, []),
        ({"createdTo": "2100-01-01T00:00:00+02:00"}, [4, 3, 2, 1, 0]),
    ]
    for query, expected in queries:
        assert world.listed(**query) == expected, query
        if query.keys() - {"createdFrom", "createdTo"}:
            assert world.search(**query) == expected, query
        of_team = api.get("/documents", params={**query, "parserId": world.parser.id})
        assert world.ids_of(of_team) == expected, query
    assert world.listed(folderId="root") == world.search(folderId=None) == [4, 3, 2, 1]
    for answer in (
        api.get(world.path, params={"includeSubfolders": "true"}),
        api.post(f"{world.path}/search", json={"includeSubfolders": True}),
    ):
        message = refused(answer, 400)["message"]
        assert message.startswith("includeSubfolders goes with folderId")


def test_lists_and_searches_go_on_at_a_cursor(world: World) -> None:
    api = world.api

    def listed(where: str) -> Callable[..., httpx.Response]:
        return lambda **query: api.get(where, params=query)

    def searched(**query: Any) -> httpx.Response:
        return api.post(f"{world.path}/search", json=query)

    for ask in (listed(world.path), listed("/documents"), searched):
        first = ask(sort="updatedAt.asc", limit=4, include="data").json()
        same = {"sort": "updatedAt.asc", "limit": 4, "cursor": first["pagination"]["nextCursor"]}
        second = ask(**same).json()
        assert second["pagination"]["page"] == 2 and second["pagination"]["nextCursor"] is None
        rows = [*first["data"], *second["data"]]
        moments = [row["updatedAt"] for row in rows]
        assert moments == sorted(moments) and {row["id"] for row in rows} >= {*world.ids}
        values = {row["id"]: row["data"] for row in first["data"]}
        assert {"Total": 10, "Number": "A-1"}.items() <= values.get(
            world.ids[1], {"Total": 10, "Number": "A-1"}
        ).items()
        assert {"data" in row for row in second["data"]} == {False}
        later = ask(updatedFrom=moments[3], updatedTo=moments[-1], sort="updatedAt.asc").json()["data"]
        assert [row["updatedAt"] for row in later] == moments[moments.index(moments[3]) :]
        message = "Provide either page or cursor, not both"
        assert refused(ask(**same, page=1), 400)["message"] == message
        for wrong in ({"cursor": "x" * 5000}, {"cursor": "?"}, {"include": "all"}, {"updatedFrom": "soon"}):
            (detail,) = refused(ask(**wrong), 400)["details"]
            assert [detail["path"]] == [*wrong]
    with api.using(api.key_with(parser_ids=[world.parser.id])) as limited:
        everything = api.get("/documents", params={"sort": "name.asc", "limit": 1}).json()
        cursor = everything["pagination"]["nextCursor"]
        rest = limited.get("/documents", params={"sort": "name.asc", "cursor": cursor}).json()["data"]
        assert {row["parserId"] for row in rest} == {world.parser.id}


def test_deletions_are_listed_of_the_parsers_that_the_key_may_see(world: World) -> None:
    api, inst = world.api, world.api.inst
    other = make_parser(inst, "Others")
    (elsewhere,) = add(inst, other)
    since = api.get(f"/documents/{elsewhere}").json()["createdAt"]
    delete_documents(inst, inst.team_id, [elsewhere, world.ids[0]])
    both = api.get("/documents/deletions", params={"since": since}).json()
    assert {row["id"]: row["parserId"] for row in both["data"]} == {
        elsewhere: other.id,
        world.ids[0]: world.parser.id,
    }
    assert {*both["data"][0]} == {"id", "parserId", "deletedAt"} and both["pagination"]["nextCursor"] is None
    one = api.get("/documents/deletions", params={"limit": 1}).json()["pagination"]
    rest = api.get("/documents/deletions", params={"cursor": one["nextCursor"]}).json()
    assert (rest["data"], rest["pagination"]["page"]) == (both["data"][1:], 2)
    of_one = api.get("/documents/deletions", params={"parserId": other.id}).json()["data"]
    assert [row["id"] for row in of_one] == [elsewhere]
    with api.using(api.key_with(parser_ids=[other.id])) as limited:
        assert limited.get("/documents/deletions").json()["data"] == of_one
        refused(limited.get("/documents/deletions", params={"parserId": world.parser.id}), 403)
    with api.other_team() as strangers:
        assert strangers.get("/documents/deletions").json()["data"] == []
        (detail,) = refused(strangers.get("/documents/deletions?since=2020-01-01"), 400)["details"]
        assert detail["path"] == "since"


def test_the_team_s_list_is_over_the_parsers_that_the_key_may_see(world: World) -> None:
    api = world.api
    everything = api.get("/documents").json()
    assert everything["pagination"]["total"] == 6
    by_parser = {row["id"]: row["parserId"] for row in everything["data"]}
    (elsewhere,) = set(by_parser) - set(world.ids)
    other = by_parser[elsewhere]
    assert {by_parser[one] for one in world.ids} == {world.parser.id} != {other}
    for wrong in ({"parserId": "x"}, {"sort": "size"}, {"folderId": "x"}):
        refused(api.get("/documents", params=wrong), 400)
    refused(api.get("/documents", params={"parserId": new_id()}), 404)
    with api.using(api.key_with(parser_ids=[other])) as limited:
        assert [row["id"] for row in limited.get("/documents").json()["data"]] == [elsewhere]
        refused(limited.get("/documents", params={"parserId": world.parser.id}), 403)
    delete_parser(api.inst, api.inst.team_id, other)
    assert len(api.get("/documents").json()["data"]) == 5, "documents of deleted parsers are hidden"


@pytest.mark.parametrize("microseconds", [0, 999], ids=["new", "written before"])
def test_bounds_take_in_the_moment_that_is_shown(world: World, microseconds: int) -> None:
    with world.api.inst.catalog.transaction() as session:
        for index, document_id in enumerate(world.ids):
            moment = dt.datetime(2026, 3, 5, 14, 30, 0, index * 1000 + microseconds, tzinfo=dt.UTC)
            session.execute(
                update(SearchEntry).where(SearchEntry.document_id == document_id).values(created_at=moment)
            )
            session.execute(
                update(Document)
                .where(Document.id == document_id)
                .values(created_at=moment, updated_at=moment)
            )
    for index, document_id in enumerate(world.ids):
        shown = world.api.get(f"{world.path}/{document_id}").json()["createdAt"]
        assert shown == f"2026-03-05T14:30:00.00{index}Z"
        for ask in (world.listed, world.search):
            assert ask(createdFrom=shown, createdTo=shown) == [index]
            assert ask(createdTo=shown, sort="createdAt.asc") == list(range(index + 1))
            assert ask(createdFrom=shown, sort="createdAt.asc") == list(range(index, 5))
        for field in ("$createdAt", "$updatedAt"):
            for operator, found in (("equals", [index]), ("less_than_or_equal", list(range(index + 1)))):
                filters = [{"field": field, "operator": operator, "value": shown}]
                assert world.search(filters=filters, sort="createdAt.asc") == found, (field, operator)


def test_a_date_as_upper_bound_includes_its_day(world: World) -> None:
    moment = dt.datetime(2026, 3, 5, 14, 30, tzinfo=dt.UTC)
    with world.api.inst.catalog.transaction() as session:
        session.execute(update(SearchEntry).values(created_at=moment))
        session.execute(update(Document).values(created_at=moment))
    for to, count in (("2026-03-05", 5), ("2026-03-04", 0), ("2026-03-05+14:00", 0), ("2026-03-04-12:00", 0)):
        assert len(world.listed(createdTo=to)) == len(world.search(createdTo=to)) == count, to
        assert len(world.ids_of(world.api.get("/documents", params={"createdTo": to}))) == count, to
        for operator, value in (("less_than_or_equal", to), ("between", ["2026-01-01", to])):
            filters = [{"field": "$createdAt", "operator": operator, "value": value}]
            assert len(world.search(filters=filters)) == count, (operator, to)


def test_moments_are_stored_as_they_are_shown(world: World) -> None:
    moments = 0
    with world.api.inst.catalog.read_session() as session:
        for table in Base.metadata.sorted_tables:
            for column in table.columns:
                if isinstance(column.type, UtcDateTime):
                    for moment in session.scalars(select(column).where(column.is_not(None))):
                        moments += 1
                        assert moment.microsecond % 1000 == 0, column
    assert moments > 30


def test_documents_are_sorted_by_name_whatever_its_case(world: World) -> None:
    names = ["ähren.txt", "Zebra.txt", "apfel.txt", "STRASSE 2.txt", "Straße 1.txt", "Äpfel.txt", "Birne.txt"]
    for name in names:
        upload(world.api.inst, world.api.inst.team_id, world.parser.id, name.encode(), name)
    renamed = {"name": "aal.txt"}
    assert world.api.patch(f"{world.path}/{world.ids[0]}", json=renamed).status_code == 200

    def listed(sort: str, **body: Any) -> list[str]:
        found = world.api.get(world.path, params={"sort": sort, "limit": 100}).json()["data"]
        searched = world.api.post(f"{world.path}/search", json={"sort": sort, "limit": 100, **body}).json()
        assert [row["name"] for row in searched["data"]] == [row["name"] for row in found]
        return [row["name"] for row in found]

    expected = sorted(listed("createdAt.asc"), key=str.casefold)
    assert expected[0] == "aal.txt"
    assert listed("name.asc") == expected
    assert listed("name.desc") == expected[::-1]
    known = list_documents(world.api.inst, world.api.inst.team_id, sort="name.asc", q="STRASSE")
    assert [row.name for row in known.rows] == ["Straße 1.txt", "STRASSE 2.txt"]


def test_a_search_looks_at_values_too(world: World) -> None:
    assert sorted(world.search(q="a-1")) == [0, 1]
    assert world.search(q="b-2 ITEM") == [2]
    total = {"field": "Total", "operator": "greater_than", "value": 15}
    assert world.search(filters=[total]) == [2]
    assert world.search(filters=[{"field": "$custom.order", "operator": "equals", "value": 7}]) == [0]
    assert world.search(filters=[{"field": "Line Items.Amount", "operator": "equals", "value": 9}]) == []
    assert world.search(sort="field:Total.desc")[0] == 2
    found = world.api.post(f"{world.path}/search", json={"limit": 1, "page": 2}).json()
    assert found["pagination"].pop("nextCursor")
    assert found["pagination"] == {"page": 2, "limit": 1, "total": 5, "pageCount": 5}
    unknown = {"field": "Nothing", "operator": "equals", "value": 1}
    bad: list[tuple[Any, str | None]] = [
        ({"filters": [unknown]}, "Unknown field: Nothing"),
        ({"sort": "field:Nothing.asc"}, "Unknown field: Nothing"),
        ({"filters": [{"field": "Total"}]}, None),
        ({"filters": [{}] * 21}, None),
        ({"filters": {}}, None),
        *(({key: value}, None) for key, value in (("sort", 5), ("limit", 101), ("page", 0), ("page", "1"))),
        *(({"status": "new"}, None), ({"folderId": "root"}, None), ([], None)),
    ]
    for body, message in bad:
        refused(world.api.post(f"{world.path}/search", json=body), 400, message)
