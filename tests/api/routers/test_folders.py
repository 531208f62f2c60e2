"""Folders over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.ids import new_id
from docduck.service.documents.document_changes import update_document
from docduck.service.parsers.parsers import ParserView
from tests.api.request.hostile import refused
from tests.server.served import Api
from tests.service.core.documents import add, make_parser

KEYS = {
    "id",
    "name",
    "slug",
    "color",
    "parentId",
    "documentCount",
    "directDocumentCount",
    "childFolderCount",
    "pathIds",
    "pathNames",
    "pathLabel",
    "depth",
    "hasAutoAssign",
    "autoAssignment",
    "createdAt",
    "updatedAt",
}
RULE = {"field": "Total", "condition": "extracted_value", "operator": ">", "value": 100}
SHOWN = {
    "match": "all",
    "rules": [
        {
            "type": "simple",
            "field": "Total",
            "condition": "extracted_value",
            "operator": "greater_than",
            "value": 100,
            "name": "Total greater than 100",
        }
    ],
    "instructions": None,
}


@pytest.fixture
def parser(api: Api) -> ParserView:
    return make_parser(api.inst)


def path(parser: ParserView, *more: str) -> str:
    return "/".join((f"/parsers/{parser.id}/folders", *more))


def make(api: Api, parser: ParserView, name: str, parent: str | None = None, **body: Any) -> str:
    answer = api.post(path(parser), json={"name": name, "parentId": parent, **body})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def put(api: Api, parser: ParserView, folder_id: str, count: int, prefix: str) -> list[str]:
    documents = add(api.inst, parser, count, prefix)
    for one in documents:
        update_document(api.inst, parser.team_id, parser.id, one, {"folder_id": folder_id})
    return documents


def test_create_and_get(api: Api, parser: ParserView) -> None:
    answer = api.post(path(parser), json={"name": " Invoices 2026 ", "color": "#1f77b4"})
    assert answer.status_code == 201
    root = answer.json()
    assert set(root) == KEYS
    assert root == {
        **root,
        "name": "Invoices 2026",
        "slug": "invoices-2026",
        "color": "#1f77b4",
        "parentId": None,
        "documentCount": 0,
        "directDocumentCount": 0,
        "childFolderCount": 0,
        "pathIds": [root["id"]],
        "pathNames": ["Invoices 2026"],
        "pathLabel": "Invoices 2026",
        "depth": 0,
        "hasAutoAssign": False,
        "autoAssignment": None,
    }
    body = {"name": "EU", "parentId": root["id"], "hasAutoAssign": True, "autoAssignment": {"rules": [RULE]}}
    child = api.post(path(parser), json=body).json()
    assert child["pathLabel"] == "Invoices 2026 / EU"
    assert (child["depth"], child["parentId"], child["pathIds"]) == (1, root["id"], [root["id"], child["id"]])
    assert (child["hasAutoAssign"], child["autoAssignment"]) == (True, SHOWN)
    assert api.get(path(parser, child["id"])).json() == child
    assert api.get(path(parser, root["id"])).json() == {**root, "childFolderCount": 1}
    assert api.post(path(parser), json={"name": "EU", "parentId": None}).status_code == 201


def test_list(api: Api, parser: ParserView) -> None:
    b, a = make(api, parser, "b"), make(api, parser, "a")
    inner = make(api, parser, "Inner B", a)
    put(api, parser, inner, 2, "inner")
    put(api, parser, a, 1, "outer")

    def labels(**query: Any) -> list[str]:
        answer = api.get(path(parser), params=query)
        assert answer.status_code == 200
        assert set(answer.json()) == {"data"}
        return [one["pathLabel"] for one in answer.json()["data"]]

    assert labels() == labels(flat="true") == ["a", "a / Inner B", "b"]
    assert labels(parentId="root") == labels(flat="false") == ["a", "b"]
    assert labels(parentId=a) == labels(parentId=a.upper()) == ["a / Inner B"]
    assert labels(parentId=b) == []
    assert labels(q="B") == ["a / Inner B", "b"]
    assert labels(parentId="root", flat="true", q="inner") == ["a / Inner B"]
    counts = [
        (one["documentCount"], one["directDocumentCount"]) for one in api.get(path(parser)).json()["data"]
    ]
    assert counts == [(3, 1), (2, 2), (0, 0)]
    refused(api.get(path(parser), params={"parentId": "here"}), 400, "Invalid parentId")
    assert api.get(path(parser), params={"flat": "perhaps"}).status_code == 400
    gone = new_id()
    missing = refused(api.get(path(parser), params={"parentId": gone}), 404, "Folder not found")
    assert missing["notFound"] == [{"type": "folderId", "value": gone}]


def test_update(api: Api, parser: ParserView) -> None:
    a, b = make(api, parser, "a", color="red"), make(api, parser, "b")

    def change(**body: Any) -> Any:
        answer = api.patch(path(parser, b), json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    changed = change(name="New", parentId=a, color="blue")
    assert (changed["pathLabel"], changed["slug"], changed["color"]) == ("a / New", "new", "blue")
    assert change() == changed
    assert change(color=None)["color"] is None
    assert change(parentId=None)["pathLabel"] == "New"
    assert change(autoAssignment={"rules": [RULE]})["hasAutoAssign"] is True
    assert change(autoAssignment=False)["autoAssignment"] == SHOWN
    again = change(autoAssignment=True)
    assert (again["hasAutoAssign"], again["autoAssignment"]) == (True, SHOWN)
    assert change(autoAssignment=again["autoAssignment"])["autoAssignment"] == SHOWN
    off = change(hasAutoAssign=False)
    assert (off["hasAutoAssign"], off["autoAssignment"]) == (False, SHOWN)
    none = change(autoAssignment=None)
    assert (none["hasAutoAssign"], none["autoAssignment"]) == (False, None)


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({"nane": "a"}, "Unknown property: nane", "nane"),
        ({"id": new_id()}, "Unknown property: id", "id"),
        ({"name": None}, "name: must be a string", "name"),
        ({"name": 5}, "name: must be a string", "name"),
        ({"name": " "}, "name: must not be blank", "name"),
        ({"name": "x" * 256}, "name: must have at most 255 characters", "name"),
        ({"color": ""}, "color: must have at least 1 character", "color"),
        ({"parentId": "root"}, "parentId: must be a UUID", "parentId"),
        ({"hasAutoAssign": None}, "hasAutoAssign: must be true or false", "hasAutoAssign"),
        ({"hasAutoAssign": "true"}, "hasAutoAssign: must be true or false", "hasAutoAssign"),
        (
            {"hasAutoAssign": True},
            "hasAutoAssign needs an autoAssignment with rules or instructions",
            "hasAutoAssign",
        ),
        ({"autoAssignment": "yes"}, "autoAssignment must be an object", "autoAssignment"),
        ({"autoAssignment": {}}, "autoAssignment needs rules or instructions", "autoAssignment"),
        ({"autoAssignment": {"rule": []}}, "Unknown property: rule", "autoAssignment.rule"),
        (
            {"autoAssignment": {"rules": [RULE, {**RULE, "field": "Totl"}]}},
            "Unknown field: Totl",
            "autoAssignment.rules.1.field",
        ),
        (
            {"autoAssignment": {"rules": [{**RULE, "operator": "matches_regex", "value": "("}]}},
            "Not a regular expression of RE2's kind: missing ): (",
            "autoAssignment.rules.0.value",
        ),
    ],
)
def test_wrong_bodies(api: Api, parser: ParserView, body: dict[str, Any], message: str, place: str) -> None:
    folder = make(api, parser, "a")
    for answer in (
        api.patch(path(parser, folder), json=body),
        api.post(path(parser), json={"name": "b", **body}),
    ):
        details = refused(answer, 400, message)["details"]
        assert details[0]["path"] == place
    assert [one["name"] for one in api.get(path(parser)).json()["data"]] == ["a"]


def test_several_wrong_rules_are_all_told(api: Api, parser: ParserView) -> None:
    rules = [{**RULE, "field": "No"}, {**RULE, "operator": "like"}, RULE, {**RULE, "value": None}]
    answer = api.post(path(parser), json={"name": "a", "autoAssignment": {"rules": rules}})
    assert [one["path"] for one in refused(answer, 400, "Unknown field: No")["details"]] == [
        "autoAssignment.rules.0.field",
        "autoAssignment.rules.1.operator",
        "autoAssignment.rules.3.value",
    ]


def test_bodies_that_are_none(api: Api, parser: ParserView) -> None:
    assert api.post(path(parser)).status_code == 400
    assert api.post(path(parser), json={}).status_code == 400
    assert api.post(path(parser), json=[]).status_code == 400
    assert (
        api.post(path(parser), content=b"{", headers={"Content-Type": "application/json"}).status_code == 400
    )


def test_conflicts(api: Api, parser: ParserView) -> None:
    a = make(api, parser, "a")
    b = make(api, parser, "b", a)
    refused(api.post(path(parser), json={"name": "A"}), 409, "Folder already exists: A")
    refused(api.patch(path(parser, b), json={"parentId": None, "name": "a"}), 409, "Folder already exists: a")
    ring = "A folder can't be moved into itself or into a folder below it"
    refused(api.patch(path(parser, a), json={"parentId": b}), 409, ring)
    refused(api.patch(path(parser, a), json={"parentId": a}), 409, ring)


def test_depth(api: Api, parser: ParserView) -> None:
    last = None
    for level in range(11):
        last = make(api, parser, f"level {level}", last)
    assert api.get(path(parser, str(last))).json()["depth"] == 10
    body = refused(
        api.post(path(parser), json={"name": "deeper", "parentId": last}),
        400,
        "Folders may be nested at most 10 deep",
    )
    assert body["details"] == [{"path": "parentId", "message": "Folders may be nested at most 10 deep"}]


def test_delete(api: Api, parser: ParserView) -> None:
    a = make(api, parser, "a")
    b = make(api, parser, "b", a)
    kept = put(api, parser, b, 2, "kept") + put(api, parser, a, 1, "too")
    answer = api.delete(path(parser, a))
    assert (answer.status_code, answer.json()) == (
        200,
        {"success": True, "id": a, "deletedFolders": 2, "movedDocuments": 3, "deletedDocuments": 0},
    )
    assert api.get(path(parser)).json() == {"data": []}
    for how, sent in (
        ("query", {"params": {"deleteDocuments": "true"}}),
        ("body", {"json": {"deleteDocuments": True}}),
        ("both", {"params": {"deleteDocuments": "true"}, "json": {"deleteDocuments": True}}),
    ):
        folder = make(api, parser, how)
        put(api, parser, folder, 2, how)
        gone = api.request("DELETE", path(parser, folder), **sent).json()
        assert gone == {
            "success": True,
            "id": folder,
            "deletedFolders": 1,
            "movedDocuments": 0,
            "deletedDocuments": 2,
        }
    for query in ("false", None):
        folder = make(api, parser, "stays")
        one = put(api, parser, folder, 1, f"stays {query}")
        gone = api.request("DELETE", path(parser, folder), params={"deleteDocuments": query} if query else {})
        assert (gone.json()["movedDocuments"], gone.json()["deletedDocuments"]) == (1, 0)
        kept += one
    with api.inst.catalog.read_session() as session:
        assert sorted(session.scalars(select(Document.id))) == sorted(kept)
        assert not any(session.scalars(select(Document.folder_id)))


@pytest.mark.parametrize(
    "sent", [{"params": {"deleteDocuments": "true"}}, {"json": {"deleteDocuments": True}}]
)
def test_deleting_the_documents_too_needs_their_permission(
    api: Api, parser: ParserView, sent: dict[str, Any]
) -> None:
    folder = make(api, parser, "a")
    (document,) = put(api, parser, folder, 1, "kept")
    with api.using(api.key_with(["folders:write", "documents:write"])) as limited:
        refused(limited.request("DELETE", path(parser, folder), **sent), 403, "Access denied")
        with api.inst.catalog.read_session() as session:
            assert session.get_one(Document, document).folder_id == folder
        assert limited.delete(path(parser, folder)).json()["movedDocuments"] == 1
    folder = make(api, parser, "b")
    with api.using(api.key_with(["folders:write", "documents:delete"])) as allowed:
        assert allowed.request("DELETE", path(parser, folder), **sent).status_code == 200


def test_wrong_deletions(api: Api, parser: ParserView) -> None:
    folder = make(api, parser, "a")

    def delete(**how: Any) -> Any:
        return api.request("DELETE", path(parser, folder), **how)

    assert delete(params={"deleteDocuments": "maybe"}).status_code == 400
    refused(delete(json={"documents": True}), 400, "Unknown property: documents")
    assert delete(json={"deleteDocuments": 1}).status_code == 400
    both = {"params": {"deleteDocuments": "false"}, "json": {"deleteDocuments": True}}
    refused(delete(**both), 400, "deleteDocuments differs between query and body")
    assert delete().status_code == 200
    missing = refused(delete(), 404, "Folder not found")
    assert missing["notFound"] == [{"type": "folderId", "value": folder}]


def test_what_is_not_there(api: Api, parser: ParserView) -> None:
    folder, gone = make(api, parser, "a"), new_id()
    other = make_parser(api.inst, "Others")
    for answer in (
        api.get(path(parser, gone)),
        api.patch(path(parser, gone), json={"name": "x"}),
        api.delete(path(parser, gone)),
        api.post(path(parser), json={"name": "x", "parentId": gone}),
        api.patch(path(parser, folder), json={"parentId": gone}),
    ):
        missing = refused(answer, 404, "Folder not found")
        assert missing["notFound"] == [{"type": "folderId", "value": gone}]
    refused(api.get(path(other, folder)), 404, "Folder not found")
    refused(api.post(path(other), json={"name": "x", "parentId": folder}), 404, "Folder not found")
    refused(api.get(f"/parsers/{gone}/folders"), 404, "Parser not found")
    refused(api.post(f"/parsers/{gone}/folders", json={"name": "x"}), 404, "Parser not found")
    refused(api.get(path(parser, "nothing")), 400, "Invalid folderId")
    refused(api.get("/parsers/nothing/folders"), 400, "Invalid parserId")
    refused(api.put(path(parser, folder), json={}), 405, "Method not allowed")


def test_who_may(api: Api, parser: ParserView) -> None:
    folder = make(api, parser, "a")
    calls: list[tuple[str, str, dict[str, Any], str]] = [
        ("GET", path(parser), {}, "parsers:read"),
        ("GET", path(parser, folder), {}, "parsers:read"),
        ("POST", path(parser), {"json": {"name": "b"}}, "folders:write"),
        ("PATCH", path(parser, folder), {"json": {"name": "c"}}, "folders:write"),
        ("DELETE", path(parser, folder), {}, "folders:write"),
    ]
    other = make_parser(api.inst, "Other").id
    names = ["parsers:read", "parsers:write", "folders:write", "documents:delete"]
    for method, where, how, permission in calls:
        refused(api.request(method, where, **how, headers={"Authorization": ""}), 401, "Missing API key")
        with api.other_team() as stranger:
            refused(stranger.request(method, where, **how), 404, "Parser not found")
        with api.using(api.key_with(parser_ids=[other])) as elsewhere:
            refused(elsewhere.request(method, where, **how), 403, "Access denied")
        with api.using(api.key_with([one for one in names if one != permission])) as lacking:
            refused(lacking.request(method, where, **how), 403, "Access denied")
    for method, where, how, permission in calls:
        with api.using(api.key_with([permission], [parser.id])) as allowed:
            assert allowed.request(method, where, **how).status_code in (200, 201)
