"""Folders over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.ids import new_id
from docduck.service.documents.document_changes import update_document
from docduck.service.parsers.parsers import ParserView
from tests.api.request.hostile import nothing_changes, refused
from tests.server.served import Api
from tests.service.core.documents import add, make_parser

KEYS = {
    *("id", "name", "slug", "color", "parentId", "documentCount", "directDocumentCount", "childFolderCount"),
    *("pathIds", "pathNames", "pathLabel", "depth", "hasAutoAssign", "autoAssignment"),
    *("createdAt", "updatedAt"),
}
RULE = {"field": "Total", "condition": "extracted_value", "operator": ">", "value": 100}
SHOWN = {
    "match": "all",
    "rules": [{"type": "simple", **RULE, "operator": "greater_than", "name": "Total greater than 100"}],
    "instructions": None,
}


@pytest.fixture
def parser(shared: Api) -> ParserView:
    return make_parser(shared.inst)


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


def test_create_and_get(shared: Api, parser: ParserView) -> None:
    answer = shared.post(path(parser), json={"name": " Invoices 2026 ", "color": "#1f77b4"})
    assert answer.status_code == 201
    root = answer.json()
    assert set(root) == KEYS
    assert root == {
        **root,
        **{"name": "Invoices 2026", "slug": "invoices-2026", "color": "#1f77b4", "parentId": None},
        **{"documentCount": 0, "directDocumentCount": 0, "childFolderCount": 0, "depth": 0},
        **{"pathIds": [root["id"]], "pathNames": ["Invoices 2026"], "pathLabel": "Invoices 2026"},
        **{"hasAutoAssign": False, "autoAssignment": None},
    }
    body = {"name": "EU", "parentId": root["id"], "hasAutoAssign": True, "autoAssignment": {"rules": [RULE]}}
    child = shared.post(path(parser), json=body).json()
    assert child["pathLabel"] == "Invoices 2026 / EU"
    assert (child["depth"], child["parentId"], child["pathIds"]) == (1, root["id"], [root["id"], child["id"]])
    assert (child["hasAutoAssign"], child["autoAssignment"]) == (True, SHOWN)
    assert shared.get(path(parser, child["id"])).json() == child
    assert shared.get(path(parser, root["id"])).json() == {**root, "childFolderCount": 1}


def test_list(shared: Api, parser: ParserView) -> None:
    b, a = make(shared, parser, "b"), make(shared, parser, "a")
    put(shared, parser, make(shared, parser, "Inner B", a), 2, "inner")

    def labels(**query: Any) -> list[str]:
        answer = shared.get(path(parser), params=query)
        assert answer.status_code == 200
        assert set(answer.json()) == {"data", "pagination"}
        assert answer.json()["pagination"]["total"] == len(answer.json()["data"])
        return [one["pathLabel"] for one in answer.json()["data"]]

    assert labels() == labels(flat="true") == ["a", "a / Inner B", "b"]
    assert labels(parentId="root") == labels(flat="false") == ["a", "b"]
    assert labels(parentId=a) == labels(parentId=a.upper()) == ["a / Inner B"]
    assert labels(parentId=b) == []
    assert labels(parentId="root", flat="true", q="inner") == ["a / Inner B"]
    first = shared.get(path(parser)).json()["data"][0]
    assert (first["documentCount"], first["directDocumentCount"]) == (2, 0)
    refused(shared.get(path(parser), params={"parentId": "here"}), 400, "Invalid parentId")
    refused(shared.get(path(parser), params={"flat": "perhaps"}), 400)
    gone = new_id()
    missing = refused(shared.get(path(parser), params={"parentId": gone}), 404, "Folder not found")
    assert missing["notFound"] == [{"type": "folderId", "value": gone}]


def test_update(shared: Api, parser: ParserView) -> None:
    a, b = make(shared, parser, "a", color="red"), make(shared, parser, "b")

    def change(**body: Any) -> Any:
        answer = shared.patch(path(parser, b), json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    changed = change(name="New", parentId=a, color="blue")
    assert (changed["pathLabel"], changed["slug"], changed["color"]) == ("a / New", "new", "blue")
    assert change() == changed
    cleared = change(color=None, parentId=None)
    assert (cleared["color"], cleared["pathLabel"]) == (None, "New")
    forms: list[tuple[dict[str, Any], bool, Any]] = [
        ({"autoAssignment": {"rules": [RULE]}}, True, SHOWN),
        ({"autoAssignment": False}, False, SHOWN),
        ({"autoAssignment": True}, True, SHOWN),
        ({"autoAssignment": SHOWN}, True, SHOWN),
        ({"hasAutoAssign": False}, False, SHOWN),
        ({"autoAssignment": None}, False, None),
    ]
    for body, has, shown in forms:
        found = change(**body)
        assert (found["hasAutoAssign"], found["autoAssignment"]) == (has, shown), body
    refused(shared.patch(path(parser, b), json={"name": "A"}), 409, "Folder already exists: A")
    ring = "A folder can't be moved into itself or into a folder below it"
    refused(shared.patch(path(parser, b), json={"parentId": b}), 409, ring)


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({"name": None}, "name: must be a string", "name"),
        ({"name": " "}, "name: must not be blank", "name"),
        ({"color": ""}, "color: must have at least 1 character", "color"),
        ({"parentId": "root"}, "Invalid parentId", "parentId"),
        ({"hasAutoAssign": "true"}, "hasAutoAssign: must be true or false", "hasAutoAssign"),
        ({"hasAutoAssign": None}, "hasAutoAssign: must be true or false", "hasAutoAssign"),
        (
            {"hasAutoAssign": True},
            "hasAutoAssign needs an autoAssignment with rules or instructions",
            "hasAutoAssign",
        ),
        ({"autoAssignment": "yes"}, "autoAssignment must be an object", "autoAssignment"),
        ({"autoAssignment": {"rule": []}}, "Unknown property: rule", "autoAssignment.rule"),
        (
            {"autoAssignment": {"rules": [RULE, {**RULE, "operator": "matches_regex", "value": "("}]}},
            "Not a regular expression of RE2's kind: missing ): (",
            "autoAssignment.rules.1.value",
        ),
    ],
)
def test_wrong_bodies(
    shared: Api, parser: ParserView, body: dict[str, Any], message: str, place: str
) -> None:
    folder = make(shared, parser, "a")
    with nothing_changes(shared):
        for answer in (
            shared.patch(path(parser, folder), json=body),
            shared.post(path(parser), json={"name": "b", **body}),
        ):
            assert refused(answer, 400, message)["details"][0]["path"] == place


def test_several_wrong_rules_are_all_told(shared: Api, parser: ParserView) -> None:
    rules = [{**RULE, "field": "No"}, {**RULE, "operator": "like"}, RULE, {**RULE, "value": None}]
    answer = shared.post(path(parser), json={"name": "a", "autoAssignment": {"rules": rules}})
    assert [one["path"] for one in refused(answer, 400, "Unknown field: No")["details"]] == [
        "autoAssignment.rules.0.field",
        "autoAssignment.rules.1.operator",
        "autoAssignment.rules.3.value",
    ]


def test_delete(shared: Api, parser: ParserView) -> None:
    yes = {"deleteDocuments": True}
    cases: list[tuple[dict[str, Any], tuple[int, int]]] = [
        ({}, (2, 0)),
        ({"params": {"deleteDocuments": "false"}}, (2, 0)),
        ({"params": {"deleteDocuments": "true"}}, (0, 2)),
        ({"json": yes}, (0, 2)),
        ({"params": {"deleteDocuments": "true"}, "json": yes}, (0, 2)),
    ]
    for number, (sent, (moved, deleted)) in enumerate(cases):
        folder = make(shared, parser, "a")
        put(shared, parser, make(shared, parser, "b", folder), 2, f"{number}")
        answer = shared.request("DELETE", path(parser, folder), **sent)
        assert answer.status_code == 200
        counts = {"deletedFolders": 2, "movedDocuments": moved, "deletedDocuments": deleted}
        assert answer.json() == {"success": True, "id": folder, **counts}
    missing = refused(shared.delete(path(parser, folder)), 404, "Folder not found")
    assert missing["notFound"] == [{"type": "folderId", "value": folder}]
    folder = make(shared, parser, "a")
    wrong: list[tuple[dict[str, Any], str | None]] = [
        ({"params": {"deleteDocuments": "maybe"}}, None),
        ({"json": {"deleteDocuments": 1}}, None),
        (
            {"params": {"deleteDocuments": "false"}, "json": yes},
            "deleteDocuments differs between query and body",
        ),
    ]
    for sent, message in wrong:
        refused(shared.request("DELETE", path(parser, folder), **sent), 400, message)


@pytest.mark.parametrize(
    "sent", [{"params": {"deleteDocuments": "true"}}, {"json": {"deleteDocuments": True}}]
)
def test_deleting_the_documents_too_needs_their_permission(
    shared: Api, parser: ParserView, sent: dict[str, Any]
) -> None:
    folder = make(shared, parser, "a")
    put(shared, parser, folder, 1, "kept")
    with shared.using(shared.key_with(["folders:write", "documents:write"])) as limited:
        refused(limited.request("DELETE", path(parser, folder), **sent), 403, "Access denied")
        assert limited.delete(path(parser, folder)).json()["movedDocuments"] == 1
    folder = make(shared, parser, "b")
    with shared.using(shared.key_with(["folders:write", "documents:delete"])) as allowed:
        assert allowed.request("DELETE", path(parser, folder), **sent).status_code == 200
