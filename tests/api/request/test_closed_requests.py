"""Every request is closed: what is unknown, or given twice, is refused and named."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest

from docduck.api.request.body import MAX_JSON_BYTES
from docduck.server.app import create_app
from tests.server.served import Api


class World:
    """All operations of the API with a parser, document, field and folder that are there."""

    def __init__(self, api: Api) -> None:
        self.api = api
        parser_id = api.parser()
        folder = api.post(f"/parsers/{parser_id}/folders", json={"name": "Paid"}).json()
        uploaded = api.post(f"/process/{parser_id}/files", files={"file": ("a.txt", b"Number: 1")}).json()
        item = uploaded["result"][0]
        routing = {"rules": [{"label": "Invoice", "targetParserId": parser_id}]}
        new = api.post("/classifiers", json={"name": "Mail", "routing": routing}).json()
        stage = api.post(f"/parsers/{parser_id}/review-stages", json={"name": "Books"}).json()
        url = {"url": "https://example.org/hook", "isActive": False}
        webhook = api.post(f"/parsers/{parser_id}/webhooks", json=url).json()
        layout = api.post(f"/parsers/{parser_id}/export-layouts", json={"name": "Books"}).json()
        self.ids = {
            "parserId": parser_id,
            "layoutId": layout["id"],
            "documentId": item["documentId"],
            "fieldId": "Total",
            "name": "vendors",
            "folderId": folder["id"],
            "classifierId": new["id"],
            "stageId": stage["id"],
            "webhookId": webhook["id"],
            "deliveryId": webhook["id"],
            "lessonId": webhook["id"],
            "operationId": item["operationName"].removeprefix("operations/"),
        }
        self.operations: list[tuple[str, str, dict[str, Any]]] = [
            (method.upper(), path.removeprefix("/api/v1"), operation)
            for path, item in create_app(api.inst).openapi()["paths"].items()
            for method, operation in item.items()
            if path.startswith("/api/v1")
        ]

    def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        where = re.sub(r"\{(\w+)\}", lambda found: self.ids[found[1]], path)
        return self.api.request(method, where, **more)


@pytest.fixture(scope="module")
def world(shared: Api) -> World:
    return World(shared)


def told(answer: httpx.Response) -> dict[str, str]:
    """The messages of a 400 by their places."""
    assert answer.status_code == 400, (answer.request.method, answer.request.url, answer.text)
    return {one["path"]: one["message"] for one in answer.json()["details"]}


def test_unknown_keys_of_every_body(world: World) -> None:
    bodies = 0
    for method, path, operation in world.operations:
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            bodies += 1
            found = told(world.send(method, path, json={"__proto__": 1}))
            assert found["__proto__"] == "Unknown property: __proto__", (method, path)
    assert bodies > 15


def test_bodies_where_none_is_taken(world: World) -> None:
    bodies: tuple[tuple[bytes, str], ...] = (
        (b'{"__proto__": 1, "b": 2}', "Unknown property: __proto__"),
        (b"[1]", "This request takes no body"),
        (b"5", "This request takes no body"),
        (b" " * (MAX_JSON_BYTES + 1), "This request takes no body"),
    )
    paths = 0
    for method, path, operation in world.operations:
        if method in ("GET", "HEAD") or "requestBody" in operation:
            continue
        paths += 1
        for body, message in bodies:
            answer = world.send(method, path, content=body, headers={"Content-Type": "application/json"})
            assert (answer.status_code, answer.json()["message"]) == (400, message), (method, path)
        form = world.send(method, path, files={"file": ("a.txt", b"a")})
        assert form.status_code == 400 and "as JSON" in form.json()["message"], (method, path)
    assert paths > 5


def test_an_empty_body_is_accepted_where_none_is_taken(world: World) -> None:
    for body in (b"{}", b"null", b""):
        parser = world.api.parser()
        answer = world.api.request("DELETE", f"/parsers/{parser}", content=body)
        assert answer.status_code == 200, answer.text


def test_unknown_keys_of_objects_inside(world: World) -> None:
    parser, fields = (
        "/parsers/{parserId}",
        [{"name": "A", "type": "table", "columns": [{"name": "B", "x": 1}]}],
    )
    for method, path, body, place in (
        ("POST", "/parsers", {"name": "A", "fields": fields}, "fields.0.columns.0.x"),
        ("POST", "/parsers", {"name": "A", "fields": [{"x": 1}]}, "fields.0.x"),
        ("POST", "/parsers", {"name": "A", "splitDocuments": {"x": 1}}, "splitDocuments.x"),
        ("PATCH", parser, {"emailParsing": {"senderFilter": {"x": 1}}}, "emailParsing.senderFilter.x"),
        ("POST", f"{parser}/fields", fields[0], "columns.0.x"),
        ("POST", f"{parser}/documents/search", {"filters": [{"x": 1}]}, "filters.0.x"),
    ):
        found = told(world.send(method, path, json=body))
        assert found[place] == "Unknown property: x", (method, path, found)


def test_unknown_parts_of_every_upload(world: World) -> None:
    uploads = 0
    for method, path, operation in world.operations:
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("multipart/form-data", {}).get("schema")
        if schema is None:
            continue
        uploads += 1
        file = {"file": ("a.txt", b"Number: 1")}
        assert told(world.send(method, path, files=file, data={"x": "1"})) == {"x": "Unknown property: x"}
        unknown = {"x": ("a.txt", b"Number: 1")}
        assert told(world.send(method, path, files=unknown)).keys() == {"x"}
        for name in schema["properties"].keys() - {"file"}:
            found = told(world.send(method, path, files=file, data={name: ["[]", "[]"]}))
            assert found == {name: f"Property given twice: {name}"}
    assert uploads >= 3


def test_unknown_parameters_of_every_endpoint(world: World) -> None:
    for method, path, operation in world.operations:
        # A body that would be refused tells whether the parameters are looked at first.
        body = {"content": b"{", "headers": {"Content-Type": "application/json"}}
        more = body if "requestBody" in operation else {}
        found = told(world.send(method, path, params={"limt": "5"}, **more))
        assert found == {"limt": "Unknown parameter: limt"}, (method, path)
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "query":
                twice = [(parameter["name"], "1"), (parameter["name"], "1")]
                found = told(world.send(method, path, params=twice, **more))
                assert found == {parameter["name"]: f"Parameter given twice: {parameter['name']}"}


def test_the_document_says_that_bodies_are_closed(world: World) -> None:
    schemas = create_app(world.api.inst).openapi()["components"]["schemas"]
    for _, path, operation in world.operations:
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            text = json.dumps(content["schema"])
            names = re.findall(r"#/components/schemas/(\w+)", text)
            if kind == "text/csv":
                continue
            for schema in [schemas[name] for name in names] or [content["schema"]]:
                assert schema["additionalProperties"] is False, (path, kind)
