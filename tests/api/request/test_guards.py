"""Nobody gets in who may not: every route that exists, with every kind of key that is not enough."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from docduck import clock
from docduck.api.request.authentication import PREFIX, PUBLIC
from docduck.api.route import ANY_KEY
from docduck.catalog.models import ApiKey
from docduck.ids import new_id
from docduck.server.app import create_app
from docduck.service.accounts.keys import create_key, revoke_key
from docduck.service.accounts.permissions import PERMISSIONS
from tests.server.app_routes import app_routes
from tests.server.served import Api

Operations = list[tuple[str, str, str, str]]

PARSER, CLASSIFIER = "/parsers/{parserId}", "/classifiers/{classifierId}"
DOCUMENT = f"{PARSER}/documents/{{documentId}}"
ROUTES = {
    "/audit-log": "audit:read get",
    "/classifiers": "classifiers:read get, classifiers:write post",
    CLASSIFIER: "classifiers:read get, classifiers:write delete patch",
    f"{CLASSIFIER}/documents": "classifiers:read get",
    f"{CLASSIFIER}/documents/{{documentId}}/route": "documents:write post",
    f"{CLASSIFIER}/upload-page": "classifiers:read get, classifiers:write delete put",
    f"{CLASSIFIER}/upload-page/renew": "classifiers:write post",
    "/documents": "documents:read get",
    "/documents/cancel": "documents:write post",
    "/documents/delete": "documents:delete post",
    "/documents/deletions": "documents:read get",
    "/documents/reprocess": "documents:write post",
    "/documents/{documentId}": "documents:read get",
    "/documents/{documentId}/history": "documents:read get",
    "/events": "documents:read get",
    "/me": "any get",
    "/models": "parsers:read get",
    "/operations/{operationId}": "documents:read get",
    "/parsers": "parsers:read get, parsers:write post",
    PARSER: "parsers:read get, parsers:write delete patch",
    f"{PARSER}/documents": "documents:read get, documents:write patch",
    f"{PARSER}/documents/bulk-update": "documents:write post",
    f"{PARSER}/documents/delete": "documents:delete post",
    f"{PARSER}/documents/reprocess": "documents:write post",
    f"{PARSER}/documents/search": "documents:read post",
    DOCUMENT: "documents:delete delete, documents:read get, documents:write patch",
    f"{DOCUMENT}/cancel": "documents:write post",
    f"{DOCUMENT}/confirm": "documents:write post",
    f"{DOCUMENT}/data": "documents:write patch put",
    f"{DOCUMENT}/export": "webhooks:write post",
    f"{DOCUMENT}/history": "documents:read get",
    f"{DOCUMENT}/reprocess": "documents:write post",
    f"{DOCUMENT}/review/approve": "reviews:write post",
    f"{DOCUMENT}/review/assign": "reviews:write post",
    f"{DOCUMENT}/review/reject": "reviews:write post",
    f"{DOCUMENT}/review/reset": "reviews:write post",
    f"{DOCUMENT}/split/undo": "documents:delete post",
    f"{PARSER}/documents/{{documentId}}/explanation": "documents:read get",
    f"{PARSER}/duplicate": "parsers:write post",
    f"{PARSER}/evaluations": "documents:read post",
    f"{PARSER}/export-layouts": "exports:read get, parsers:write post",
    f"{PARSER}/export-layouts/{{layoutId}}": "exports:read get, parsers:write delete patch",
    f"{PARSER}/exports": "exports:read post",
    f"{PARSER}/fields": "fields:write post put, parsers:read get",
    f"{PARSER}/fields/reorder": "fields:write post",
    f"{PARSER}/fields/suggest": "fields:write post",
    f"{PARSER}/fields/{{fieldId}}": "fields:write delete patch",
    f"{PARSER}/folders": "folders:write post, parsers:read get",
    f"{PARSER}/folders/{{folderId}}": "folders:write delete patch, parsers:read get",
    f"{PARSER}/lessons": "parsers:read get",
    f"{PARSER}/lessons/{{lessonId}}": "parsers:write delete",
    f"{PARSER}/lookup-tables": "parsers:read get",
    f"{PARSER}/lookup-tables/{{name}}": "parsers:write delete put",
    f"{PARSER}/post-processing": "parsers:read get, parsers:write put",
    f"{PARSER}/review-stages": "reviews:read get, reviews:write post",
    f"{PARSER}/review-stages/{{stageId}}": "reviews:read get, reviews:write delete patch",
    f"{PARSER}/reviewers": "reviews:read get",
    f"{PARSER}/upload-page": "parsers:read get, parsers:write delete put",
    f"{PARSER}/upload-page/renew": "parsers:write post",
    f"{PARSER}/webhooks": "webhooks:read get, webhooks:write post",
    f"{PARSER}/webhooks/{{webhookId}}": "webhooks:read get, webhooks:write delete patch",
    f"{PARSER}/webhooks/{{webhookId}}/deliveries": "webhooks:read get",
    f"{PARSER}/webhooks/{{webhookId}}/deliveries/{{deliveryId}}/retry": "webhooks:write post",
    f"{PARSER}/webhooks/{{webhookId}}/secret": "webhooks:write get",
    f"{PARSER}/webhooks/{{webhookId}}/secret/rotate": "webhooks:write post",
    f"{PARSER}/webhooks/{{webhookId}}/test": "webhooks:write post",
    "/process/files": "documents:write post",
    "/process/urls": "documents:write post",
    "/process/{parserId}/documents/delete": "documents:delete post",
    "/process/{parserId}/files": "documents:write post",
    "/process/{parserId}/files/data": "documents:read get",
    "/process/{parserId}/reprocess": "documents:write post",
    "/process/{parserId}/urls": "documents:write post",
    "/usage": "parsers:read get",
    "/webhooks": "webhooks:read get, webhooks:write post",
    "/webhooks/{webhookId}": "webhooks:read get, webhooks:write delete patch",
    "/webhooks/{webhookId}/deliveries": "webhooks:read get",
    "/webhooks/{webhookId}/deliveries/{deliveryId}/retry": "webhooks:write post",
    "/webhooks/{webhookId}/replay": "webhooks:write post",
    "/webhooks/{webhookId}/secret": "webhooks:write get",
    "/webhooks/{webhookId}/secret/rotate": "webhooks:write post",
    "/webhooks/{webhookId}/test": "webhooks:write post",
}
"""The permission that each method of a route needs."""

_ID = new_id()
_FILE = {"files": {"file": ("a.txt", b"a")}}
_BODIES: dict[str, dict[str, Any]] = {
    "classifiers.route": {"json": {"targetParserId": _ID}},
    "documents.bulk_update": {"json": {"documentIds": [_ID], "custom": None}},
    "documents.bulk_update_by_patch": {"json": {"documentIds": [_ID], "custom": None}},
    "documents.delete": {"json": {"documentIds": [_ID]}},
    "documents.explanation": {"params": {"field": "A"}},
    "documents.replace_data": {"json": {"data": {}}},
    "documents.reprocess": {"json": {"documentId": _ID}},
    "documents.update_data": {"json": {"data": {}}},
    "exports.create_layout": {"json": {"name": "a"}},
    "fields.put": {"json": {"fields": [{"name": "A"}]}},
    "fields.reorder": {"json": {"fieldIds": []}},
    "fields.suggest": _FILE,
    "folders.create": {"json": {"name": "a"}},
    "post_processing.put_table": {"content": b"a\n1\n", "headers": {"Content-Type": "text/csv"}},
    "post_processing.set": {"json": {"steps": []}},
    "process.data": {"params": {"documentId": _ID}},
    "process.delete": {"json": {"documentIds": [_ID]}},
    "process.files": _FILE,
    "process.urls": {"json": {"urls": ["https://example.org/"]}},
    "review_stages.create": {"json": {"name": "a"}},
    "reviews.assign": {"json": {"assigneeId": _ID}},
    **{f"reviews.{decision}": {"json": {"reviewerId": _ID}} for decision in ("approve", "reject", "reset")},
    "webhooks.create": {"json": {"url": "https://example.org/"}},
    "webhooks.create_of_team": {"json": {"url": "https://example.org/"}},
}
"""What operations need to be sent; ``{}`` is enough for the others."""


@pytest.fixture(scope="module")
def operations(shared: Api) -> Operations:
    """Method, path below the prefix, permission and name of every operation of the document."""
    paths = create_app(shared.inst).openapi()["paths"]
    return [
        (
            method.upper(),
            path.removeprefix(PREFIX),
            operation["x-required-permission"],
            operation["operationId"],
        )
        for path, item in paths.items()
        for method, operation in item.items()
        if path.startswith(PREFIX)
    ]


def filled(path: str, **ids: str) -> str:
    """The path with these ids, and new ones for the others."""
    return re.sub(r"\{(\w+)\}", lambda found: ids.get(found[1]) or new_id(), path)


def sent(method: str, name: str) -> dict[str, Any]:
    """A request that the operation takes."""
    return _BODIES.get(name) or ({"json": {}} if method in ("PATCH", "PUT", "POST") else {})


def classifier(api: Api, parser_id: str, name: str = "All Mail") -> dict[str, Any]:
    routing = {"rules": [{"label": "Bill", "targetParserId": parser_id}]}
    made: dict[str, Any] = api.post("/classifiers", json={"name": name, "routing": routing}).json()
    return made


def test_every_route_is_listed_and_asks_for_its_permission(shared: Api, operations: Operations) -> None:
    found: dict[str, dict[str, list[str]]] = {}
    for method, path, permission, _ in operations:
        found.setdefault(path, {}).setdefault(permission, []).append(method.lower())
    assert {path: _told(needed) for path, needed in found.items()} == ROUTES
    assert {permission for _, _, permission, _ in operations} <= {ANY_KEY, *PERMISSIONS}
    paths = {route.path.replace(":path}", "}") for route in app_routes(shared.inst)}
    assert {one for one in paths if one.startswith("/api/")} == {PREFIX + path for path in ROUTES} | PUBLIC


def _told(needed: dict[str, list[str]]) -> str:
    return ", ".join(
        f"{permission} {' '.join(sorted(methods))}" for permission, methods in sorted(needed.items())
    )


def test_without_a_key(shared: Api, operations: Operations) -> None:
    for method, path, _, _ in operations:
        answer = shared.request(method, filled(path), headers={"Authorization": ""})
        assert answer.status_code == 401, (method, path)
        assert answer.json()["message"] == "Missing API key"
        assert answer.headers["www-authenticate"] == "Bearer"
    assert shared.get("/parsers", headers={"Authorization": "Bearer"}).json()["message"] == "Missing API key"


def test_with_a_key_that_is_wrong_revoked_or_expired(shared: Api, operations: Operations) -> None:
    inst = shared.inst
    revoked = create_key(inst, inst.team_id, "revoked")
    revoke_key(inst, inst.team_id, revoked.key.id)
    expired = create_key(inst, inst.team_id, "expired", expires_at=clock.now() + timedelta(days=1))
    with inst.catalog.transaction() as session:
        session.get_one(ApiKey, expired.key.id).expires_at = clock.now() - timedelta(seconds=1)

    def refused(text: str, method: str, path: str) -> None:
        headers = {b"Authorization": f"Bearer {text}".encode()}
        answer = shared.request(method, filled(path), headers=headers)
        assert answer.status_code == 401, (method, path, text[:20])
        assert answer.json()["message"] == "Invalid API key"

    for method, path, _, _ in operations:
        refused(f"docduck_{'x' * 43}", method, path)
    for text in (revoked.text, expired.text, shared.key[:-1], shared.key.upper(), "é", "x" * 10_000):
        refused(text, "GET", "/parsers")


def test_without_the_permission(shared: Api, operations: Operations) -> None:
    parser_id = shared.parser()
    for permission in {needed for _, _, needed, _ in operations} - {ANY_KEY}:
        others = [one for one in PERMISSIONS if one != permission]
        with shared.using(shared.key_with(permissions=others)) as client:
            for method, path, needed, _ in operations:
                if needed == permission:
                    answer = client.request(method, filled(path, parserId=parser_id))
                    assert answer.status_code == 403, (method, path)
                    request_id = answer.headers["x-request-id"]
                    told = {
                        "error": True,
                        "code": "forbidden",
                        "message": "Access denied",
                        "requestId": request_id,
                    }
                    assert answer.json() == told


def test_with_a_key_of_another_team(shared: Api, operations: Operations) -> None:
    parser_id = shared.parser()
    ids = {"parserId": parser_id, "classifierId": classifier(shared, parser_id)["id"]}
    with shared.other_team() as strangers:
        for method, path, _, name in operations:
            if named := ids.keys() & set(re.findall(r"\{(\w+)\}", path)):
                answer = strangers.request(method, filled(path, **ids), **sent(method, name))
                assert answer.status_code == 404, (method, path, answer.text)
                assert answer.json()["notFound"][0]["type"] in named, (method, path)
        for path in ("/parsers", "/classifiers", "/documents"):
            assert strangers.get(path).json()["data"] == []


def test_with_a_key_for_other_parsers(shared: Api, operations: Operations) -> None:
    mine, other = shared.parser("Mine"), shared.parser("Other")
    ids = {"parserId": mine, "classifierId": classifier(shared, mine)["id"]}
    with shared.using(shared.key_with(parser_ids=[other])) as client:
        for method, path, _, _ in operations:
            if ids.keys() & set(re.findall(r"\{(\w+)\}", path)):
                answer = client.request(method, filled(path, **ids))
                assert answer.status_code == 403, (method, path, answer.text)
                gone = client.request(method, filled(path))
                assert gone.status_code == 404, (method, path, gone.text)
        assert [one["id"] for one in client.get("/parsers").json()["data"]] == [other]


def test_webhooks_of_all_parsers_are_not_for_a_key_for_some(shared: Api, operations: Operations) -> None:
    with shared.using(shared.key_with(parser_ids=[shared.parser()])) as client:
        paths = 0
        for method, path, _, name in operations:
            if path.startswith("/webhooks") and name != "webhooks.replay":
                paths += 1
                answer = client.request(method, filled(path), **sent(method, name))
                assert answer.status_code == 403, (method, path, answer.text)
    assert paths > 9


def test_both_header_forms_and_the_alias(shared: Api) -> None:
    key = shared.key
    for header in (f"Bearer {key}", f"bearer {key}", f"BEARER   {key}", key):
        assert shared.get("/parsers", headers={"Authorization": header}).status_code == 200, header
    answer = shared.get(f"{shared.address}/v1/parsers")
    assert answer.status_code == 200 and answer.headers["x-api-version"] == "1"


def test_ids_that_are_none(shared: Api, operations: Operations) -> None:
    for method, path, _, _ in operations:
        for name in set(re.findall(r"\{(\w+Id)\}", path)) - {"fieldId"}:
            answer = shared.request(method, filled(path, **{name: "17"}))
            assert (answer.status_code, answer.json()["message"]) == (400, f"Invalid {name}"), (method, path)


def test_parsers_and_classifiers_are_named_by_slug_as_well(lite: Api) -> None:
    parser_id = lite.parser("Delete")
    made = [classifier(lite, parser_id) for _ in "ab"]
    assert [one["slug"] for one in made] == ["all_mail", "all_mail_2"]
    assert lite.get("/parsers/delete").json()["id"] == parser_id
    assert lite.get("/parsers/delete/documents").json()["data"] == []
    assert lite.patch("/classifiers/all_mail_2", json={"name": "Post"}).json()["id"] == made[1]["id"]
    assert lite.get("/classifiers/all_mail_2").json()["name"] == "Post"
    lite.upload("delete")
    for key in (lite.key_with(parser_ids=[lite.parser("Other 2")]), lite.key_with(["exports:read"])):
        with lite.using(key) as limited:
            assert limited.get("/parsers/delete").status_code == 403
            assert limited.get("/classifiers/all_mail").status_code == 403
    with lite.other_team() as strangers:
        for path in ("/parsers/delete", "/classifiers/all_mail"):
            assert strangers.get(path).status_code == 400, "an id that is none"
    assert lite.delete("/classifiers/all_mail").status_code == 200
    assert classifier(lite, parser_id)["slug"] == "all_mail"
