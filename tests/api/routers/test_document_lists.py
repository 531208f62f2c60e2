from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import select, update

from docduck.catalog.models import Document, SearchEntry
from docduck.catalog.models.base import Base, UtcDateTime
from docduck.ids import new_id
from docduck.service.documents.document_changes import DocumentChanges, update_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parsers import delete_parser
from tests.server.served import Api
from tests.service.core.documents import add, complete, make_parser, upload
from tests.service.core.people import make_member, make_team, put_in_review
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

    def listed(self, **query: Any) -> list[int]:
        query.pop("parserId", None)
        answer = self.api.get(self.path, params=query)
        assert answer.status_code == 200, answer.text
        return [self.ids.index(row["id"]) for row in answer.json()["data"]]

    def search(self, **body: Any) -> list[int]:
        answer = self.api.post(f"{self.path}/search", json=body)
        assert answer.status_code == 200, answer.text
        return [self.ids.index(row["id"]) for row in answer.json()["data"]]


@pytest.fixture
def world(api: Api) -> World:
    return World(api)


def test_a_list_is_a_page_of_rows(world: World) -> None:
    answer = world.api.get(world.path, params={"limit": 2, "page": 2}).json()
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


def test_the_team_s_list_is_over_all_parsers(world: World) -> None:
    api, folder = world.api, world.folder
    everything = api.get("/documents").json()
    assert everything["pagination"]["total"] == 6
    by_parser = {row["id"]: row["parserId"] for row in everything["data"]}
    (elsewhere,) = set(by_parser) - set(world.ids)
    assert {by_parser[one] for one in world.ids} == {world.parser.id} != {by_parser[elsewhere]}
    queries: list[dict[str, Any]] = [
        {"q": "BILL"},
        {"q": "x-1"},
        {"q": "%"},
        {"status": "in_review"},
        {"folderId": folder.upper()},
        {"folderId": folder, "includeSubfolders": True},
        {"assigneeId": world.ann},
        {"reviewStageId": world.stage},
        {"externalId": "X-1"},
        {"createdTo": "2001-01-01"},
        {"createdFrom": "2999-01-01"},
        {"sort": "name.asc", "parserId": world.parser.id},
        {"sort": "name.desc", "limit": 2, "page": 2, "parserId": world.parser.id},
    ]
    for query in queries:
        found = [row["id"] for row in api.get("/documents", params=query).json()["data"]]
        assert [world.ids.index(one) for one in found] == world.listed(**query), query
    for wrong in ({"parserId": "x"}, {"sort": "size"}, {"folderId": "x"}, {"colour": "red"}):
        assert api.get("/documents", params=wrong).status_code == 400, wrong
    assert api.get("/documents", params={"parserId": new_id()}).status_code == 404


def test_the_team_s_list_shows_what_the_key_may_see(world: World) -> None:
    api, inst = world.api, world.api.inst
    other = api.get("/parsers", params={"q": "Orders"}).json()["data"][0]["id"]
    with api.using(api.key_with(parser_ids=[other])) as limited:
        (row,) = limited.get("/documents").json()["data"]
        assert row["parserId"] == other
        assert limited.get("/documents", params={"parserId": world.parser.id}).status_code == 403
    with api.using(api.key_with(["parsers:read"])) as reader:
        assert reader.get("/documents").status_code == 403
    with api.other_team() as strangers:
        assert strangers.get("/documents").json()["data"] == []
    delete_parser(inst, inst.team_id, other)
    assert len(api.get("/documents").json()["data"]) == 5, "documents of deleted parsers are hidden"


def test_a_list_leaves_what_fits(world: World) -> None:
    assert world.listed() == [4, 3, 2, 1, 0]
    assert world.listed(q="BILL") == [1, 0]
    assert world.listed(q="x-1") == [0]
    assert world.listed(q="%") == []
    assert world.listed(status="queued") == [4, 3]
    assert world.listed(status="skipped") == []
    assert world.listed(folderId=world.folder.upper()) == [0]
    assert world.listed(folderId="root") == [4, 3, 2, 1]
    above = world.api.post(f"/parsers/{world.parser.id}/folders", json={"name": "Above"}).json()["id"]
    moved = world.api.patch(
        f"/parsers/{world.parser.id}/folders/{world.folder}", json={"parentId": above}
    ).json()
    assert (moved["parentId"], world.listed(folderId=above)) == (above, [])
    assert world.listed(folderId=above, includeSubfolders="true") == [0]
    assert world.listed(folderId=above, includeSubfolders="false") == []
    assert world.search(folderId=above, includeSubfolders=True) == [0]
    assert world.search(folderId=above) == []
    path = f"/parsers/{world.parser.id}/documents"
    for answer in (
        world.api.get(path, params={"includeSubfolders": "true"}),
        world.api.post(f"{path}/search", json={"includeSubfolders": True}),
    ):
        assert answer.status_code == 400
        assert answer.json()["message"].startswith("includeSubfolders goes with folderId")
    assert world.listed(includeSubfolders="false") == world.listed()
    assert world.listed(assigneeId=world.ann) == [1]
    assert world.listed(reviewStageId=world.stage) == [1]
    assert world.listed(externalId="X-1") == [0]
    assert world.listed(externalId="x-1") == []
    assert world.listed(sort="name.asc") == [0, 1, 3, 4, 2]
    third = world.api.get(f"{world.path}/{world.ids[2]}").json()["createdAt"]
    after, before = world.listed(createdFrom=third), world.listed(createdTo=third)
    assert sorted({*after, *before}) == [0, 1, 2, 3, 4] and 2 in after and 2 in before
    assert world.listed(createdFrom="2100-01-01T00:00:00Z") == []
    assert world.listed(createdTo="2100-01-01T00:00:00+02:00") == [4, 3, 2, 1, 0]


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


BAD_QUERIES: list[dict[str, str]] = [
    {"status": "Queued"},
    {"folderId": "x"},
    {"folderId": ""},
    {"includeSubfolders": "some"},
    {"assigneeId": "x"},
    {"assigneeId": "０1a2023b-cb1a-7cff-bfff-a04a539bde26"},
    {"reviewStageId": "x"},
    {"createdFrom": "yesterday"},
    {"createdTo": "２026-01-01T00:00:00Z"},
    {"sort": "name"},
    {"sort": "relevance"},
    {"page": "0"},
    {"page": "x"},
    {"page": "٣"},
    {"limit": "１"},
    {"limit": "101"},
    {"limit": "0"},
    {"q": "a\0b"},
    {"externalId": "\0"},
]


def test_a_bad_question_is_refused(world: World) -> None:
    for query in BAD_QUERIES:
        answer = world.api.get(world.path, params=query)
        assert answer.status_code == 400, (query, answer.text)
        assert answer.json()["error"] is True


def test_a_search_looks_at_values_too(world: World) -> None:
    assert sorted(world.search(q="a-1")) == [0, 1]
    assert world.search(q="b-2 ITEM") == [2]
    assert world.search(q="nothing") == []
    assert world.search() == [4, 3, 2, 1, 0]
    assert world.search(folderId=None) == [4, 3, 2, 1]
    assert world.search(folderId=world.folder) == [0]
    assert world.search(status="in_review") == [1]
    total = {"field": "Total", "operator": "greater_than", "value": 15}
    assert world.search(filters=[total]) == [2]
    assert world.search(filters=[{"field": "$custom.order", "operator": "equals", "value": 7}]) == [0]
    assert world.search(filters=[{"field": "Line Items.Amount", "operator": "equals", "value": 9}]) == []
    assert world.search(sort="field:Total.desc")[0] == 2
    found = world.api.post(f"{world.path}/search", json={"limit": 1, "page": 2}).json()
    assert found["pagination"] == {"page": 2, "limit": 1, "total": 5, "pageCount": 5}


BAD_SEARCHES: list[tuple[Any, str | None]] = [
    (
        {"filters": [{"field": "Nothing", "operator": "equals", "value": 1}]},
        "Unknown field: Nothing",
    ),
    ({"filters": [{"field": "Total", "operator": "near", "value": 1}]}, None),
    ({"filters": [{"field": "Total"}]}, None),
    ({"filters": [{}] * 21}, None),
    ({"filters": {}}, None),
    ({"sort": "field:Nothing.asc"}, "Unknown field: Nothing"),
    ({"sort": 5}, None),
    ({"limit": 101}, None),
    ({"page": 0}, None),
    ({"page": "1"}, None),
    ({"status": "new"}, None),
    ({"folderId": "root"}, None),
    ([], None),
]


def test_a_bad_search_is_refused(world: World) -> None:
    for body, message in BAD_SEARCHES:
        answer = world.api.post(f"{world.path}/search", json=body)
        assert answer.status_code == 400, (body, answer.text)
        assert message is None or answer.json()["message"] == message


def test_documents_of_other_parsers_and_teams_are_not_listed(world: World) -> None:
    unknown = new_id()
    strangers = make_parser(world.api.inst, "Theirs", make_team(world.api.inst))
    for parser_id in (unknown, strangers.id):
        for answer in (
            world.api.get(f"/parsers/{parser_id}/documents"),
            world.api.post(f"/parsers/{parser_id}/documents/search", json={}),
        ):
            assert answer.status_code == 404
            assert answer.json()["notFound"] == [{"type": "parserId", "value": parser_id}]
