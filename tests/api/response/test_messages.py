"""Whatever is sent, the messages are written for users: no library's wording gets out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import httpx
import pytest

from docduck.error_codes import CODES
from docduck.server.app import create_app
from tests.api.request.test_closed_requests import World
from tests.frameworks import assert_plain
from tests.server.served import Api

VALUES: tuple[Any, ...] = (
    *(None, True, -1, 2**70, 1.5, "", " ", "x", "x" * 11_000, "2026-13-45T99:00:00Z"),
    *([], [1], [[]], [None] * 1500, {}, {"x": 1}, {"": None}),
)
TEXTS = (
    *("", " ", "x", "-1", "1.5", "1e9", "nan", "9" * 30, "true", "[]", "null", "x" * 3000),
    *("2026-13-45", "\u20ac"),
)
BODIES = (
    *(b"", b" ", b"null", b"true", b"5", b"1e999", b'"x"', b"[]", b"[{}]", b"{", b"[", b"{]", b"nope"),
    *(b'{"a" 1}', b'{"a": 1,}', b"{'a': 1}", b'{"a": "\\q"}', b'{"a": "\\u12"}', b'{"a": "x\ny"}', b'"x'),
    *(b"\xef\xbb\xbf{", b"\xef\xbb\xbfx", b"\xff\xfe{\x00", b"{}{}", b'{"a": NaN}', b"{" * 9000, b"[" * 9000),
)
DEEPEST = 4


@pytest.fixture(scope="module")
def world(shared: Api) -> World:
    return World(shared)


def judge(answer: httpx.Response) -> bool:
    """Whether it was refused; then in plain words, at places that were sent."""
    assert answer.status_code < 500, answer.text
    if answer.status_code < 400:
        return False
    body = answer.json()
    assert body["code"] in CODES
    for message in (body["message"], *(one["message"] for one in body.get("details") or ())):
        assert_plain(message)
    for one in body.get("details") or ():
        assert not re.search(r"function|constrained|union|\[|\(", one["path"]), one
    return True


def shapes(schema: dict[str, Any], known: dict[str, Any], depth: int = 0) -> Iterator[Any]:
    """Values that are wrong at one place each, at every place that the schema has."""
    if "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    yield from VALUES
    if depth == DEEPEST:
        return
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if "properties" in part or "items" in part or "$ref" in part:
            yield from shapes(part, known, depth)
    if "items" in schema:
        yield from ([one] for one in shapes(schema["items"], known, depth + 1))
    for name, part in schema.get("properties", {}).items():
        needed = {one: "x" for one in schema.get("required", ()) if one != name}
        yield from ({**needed, name: one} for one in shapes(part, known, depth + 1))


@pytest.mark.extended
def test_bodies_of_every_shape(world: World) -> None:
    known = create_app(world.api.inst).openapi()["components"]["schemas"]
    refused = 0
    for method, path, operation in world.operations:
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" not in content or method == "DELETE":
            continue
        seen = set()
        for shape in shapes(content["application/json"]["schema"], known):
            text = json.dumps(shape)
            if text not in seen:
                seen.add(text)
                headers = {"Content-Type": "application/json"}
                refused += judge(world.send(method, path, content=text, headers=headers))
    assert refused > 3000


@pytest.mark.extended
def test_bodies_that_are_none(world: World) -> None:
    for method, path, operation in world.operations:
        if "requestBody" not in operation or method == "DELETE":
            continue
        for body in BODIES:
            for kind in (
                "application/json",
                "text/plain",
                "multipart/form-data",
                "multipart/form-data; boundary=x",
            ):
                judge(world.send(method, path, content=body, headers={"Content-Type": kind}))


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.extended)])
def test_parameters_of_every_shape(world: World, every: bool) -> None:
    """Those of the same name and schema are the same, unless ``every`` route is asked."""
    queries: dict[object, tuple[str, str]] = {}
    paths: dict[object, str] = {}
    for method, path, operation in world.operations:
        for parameter in operation.get("parameters", ()):
            name, kind = parameter["name"], json.dumps(parameter["schema"])
            if parameter["in"] == "query" and method == "GET":
                queries.setdefault((name, path if every else kind), (name, path))
            elif parameter["in"] == "path":
                paths.setdefault((name, path if every else kind), path.replace(f"{{{name}}}", "{}"))
    refused = 0
    for name, path in queries.values():
        refused += sum(judge(world.send("GET", path, params={name: text})) for text in TEXTS)
    for path in paths.values():
        for text in filter(str.strip, TEXTS):
            refused += judge(world.send("GET", path.replace("{}", text.replace(" ", "%20"))))
    assert refused > 200


def test_uploads_of_every_shape(world: World) -> None:
    begin, end = b'--x\r\nContent-Disposition: form-data; name="', b"\r\n--x--\r\n"
    broken = [
        *(b"--x", b"--x--", b"--y\r\n\r\n--y--", b"--x\r\n\r\n--x--\r\n", b"--x\r\nA\r\n\r\n" + end),
        *(
            begin + b'file"; filename="a.txt"\r\n\r\nx',
            begin + b'file"\r\n\r\nx' + end,
            begin + b"\r\n\r\nx" + end,
        ),
        *(
            begin + name + b'"\r\n\r\n' + value + end
            for name in (b"folderId", b"externalIds", b"custom", b"x")
            for value in (b"", b"x", b"[", b"{}", b"[1]", b"[{}, {}]", b"\xff", b'["x"]', b"\xef\xbb\xbf[")
        ),
    ]
    uploads = [
        (method, path)
        for method, path, operation in world.operations
        if "multipart/form-data" in operation.get("requestBody", {}).get("content", {})
    ]
    assert len(uploads) >= 3
    (_, first), *_ = uploads
    for method, path in uploads:
        for body, boundary in product(broken, ("x", "", "y" * 300) if path == first else ("x",)):
            kind = f"multipart/form-data; boundary={boundary}".removesuffix("; boundary=")
            assert judge(world.send(method, path, content=body, headers={"Content-Type": kind})), body
        for name in ("folderId", "externalIds", "custom", "parserId", "classifierId"):
            for text in (*TEXTS, "[1]", "[{}]", '["a", "a"]', "{") if path == first else ("x", "[1]"):
                file = {"file": ("a.txt", b"Number: 1")}
                judge(world.send(method, path, files=file, data={name: text}))


def test_headers_of_every_shape(world: World) -> None:
    api: Api = world.api
    for name in ("Idempotency-Key", "X-Source", "Authorization", "Content-Type", "Range"):
        odd = ("Bearer", "Bearer x", "bytes=x", "bytes=9-1", "multipart/form-data; boundary=")
        for text in filter(str.strip, (*TEXTS, *odd)):
            headers = [(name.encode(), text.encode())]
            file = {"file": ("a.txt", b"x")}
            judge(api.post(f"/process/{world.ids['parserId']}/files", files=file, headers=headers))
            judge(api.post("/parsers", json={"name": ""}, headers=headers))
