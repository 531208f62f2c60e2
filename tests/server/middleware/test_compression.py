"""Compressed answers of the API, and what is never compressed."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

import anyio
import httpx
import pytest

from docduck.server.middleware.compression import Compression
from tests.server.served import Api

_GZIP = {"Accept-Encoding": "gzip"}


def _raw(api: Api, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    with api.stream("GET", path, headers=headers) as answer:
        return answer, b"".join(answer.iter_raw())


def test_json_is_compressed_for_who_asks(lite: Api) -> None:
    parser_id = lite.parser()
    for number in range(5):
        lite.upload(parser_id, name=f"{number}.txt")
    path = f"/parsers/{parser_id}/documents"
    answer, body = _raw(lite, path, **_GZIP)
    assert answer.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in answer.headers["vary"].lower()
    assert int(answer.headers["content-length"]) == len(body)
    plain, text = _raw(lite, path, **{"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert json.loads(gzip.decompress(body)) == json.loads(text)
    assert len(body) < len(text) / 2
    small, _ = _raw(lite, "/audit-log?limit=1&actor=nobody", **_GZIP)
    assert "content-encoding" not in small.headers


@pytest.mark.parametrize(("format_", "is_compressed"), [("csv", True), ("json", True), ("xlsx", False)])
def test_exports_are_compressed_unless_they_are_already(lite: Api, format_: str, is_compressed: bool) -> None:
    parser_id = lite.parser()
    for number in range(30):
        lite.upload(parser_id, b"Number: A-%d\nTotal: 12.50\n" % number)
    lite.process(parser_id)
    body = {"format": format_}
    answer = lite.post(f"/parsers/{parser_id}/exports", json=body, headers=_GZIP)
    assert answer.status_code == 200, answer.text
    assert ("content-encoding" in answer.headers) is is_compressed


def test_pages_are_not_compressed(lite: Api) -> None:
    with httpx.Client(trust_env=False) as visitor:
        answer = visitor.get(f"{lite.address}/sign-in", headers=_GZIP)
    assert len(answer.content) > 1000
    assert "content-encoding" not in answer.headers


def test_every_answer_forbids_sniffing(lite: Api) -> None:
    for path in ("/parsers", "/nowhere", "/parsers/x"):
        assert lite.get(path).headers["x-content-type-options"] == "nosniff"
    assert lite.get("/parsers", headers={"Authorization": ""}).headers["x-content-type-options"] == "nosniff"


def test_what_is_streamed_is_sent_on_chunk_by_chunk() -> None:
    sent: list[dict[str, Any]] = []
    received: list[bytes] = []
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "http.response.body":
            received.append(unpacker.decompress(message["body"]))

    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"text/csv")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for number in range(3):
            await send({"type": "http.response.body", "body": b"row %d\n" % number, "more_body": True})
            assert received[-1] == b"row %d\n" % number, "it is not kept back"
        await send({"type": "http.response.body", "body": b""})

    scope: Any = {
        "type": "http",
        "method": "GET",
        "path": "/api/v1/x",
        "headers": [(b"accept-encoding", b"gzip")],
    }

    async def receive() -> Any:
        raise AssertionError

    anyio.run(Compression(app), scope, receive, send)
    assert (b"content-encoding", b"gzip") in sent[0]["headers"]
