"""What tests of hostile clients share: looks at what an answer tells, and at what a request left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any

import httpx
from sqlalchemy import func, select

from docduck.catalog.models import Base
from tests.server.served import Api

JSON = {"Content-Type": "application/json"}
_NOT_COUNTED = {"rate_windows", "rate_counts", "api_keys"}
_LEAKS = re.compile(
    r"Traceback|File \"|sqlalchemy|sqlite|psycopg|SELECT |INSERT |\.py\b|/home/|/tmp/|site-packages"
)


def everything(api: Api) -> dict[str, Any]:
    """How many rows each table has, and which files are stored or half-written."""
    with api.inst.catalog.read_session() as session:
        found: dict[str, Any] = {
            name: session.scalar(select(func.count()).select_from(table))
            for name, table in Base.metadata.tables.items()
            if name not in _NOT_COUNTED
        }
    root = api.inst.settings.home / "files"
    return found | {"files": sorted(api.inst.files.hashes()), "incoming": list((root / "incoming").iterdir())}


@contextmanager
def nothing_changes(api: Api) -> Iterator[None]:
    before = everything(api)
    yield
    assert everything(api) == before


def refused(answer: httpx.Response, status: int, message: str | None = None, **more: Any) -> dict[str, Any]:
    """The answer's body, after a look at its shape and at what it must not hold."""
    assert answer.status_code == status, answer.text[:500]
    body: dict[str, Any] = answer.json()
    assert body["error"] is True and body["requestId"] == answer.headers["x-request-id"]
    assert not _LEAKS.search(answer.text), answer.text[:500]
    if message is not None:
        assert body["message"] == message
    assert {key: body.get(key) for key in more} == more
    return body


def send(api: Api, method: str, path: str, content: str | bytes, **headers: str) -> httpx.Response:
    return api.request(method, path, content=content, headers={**JSON, **headers})


def raw(api: Api, method: str, path: str) -> httpx.Response:
    """The answer to a request whose path is sent as it is written here."""
    connection = HTTPConnection(api.address.removeprefix("http://"), timeout=60)
    try:
        connection.request(method, path, headers={"Authorization": f"Bearer {api.key}"})
        got = connection.getresponse()
        return httpx.Response(got.status, headers=got.getheaders(), content=got.read())
    finally:
        connection.close()
