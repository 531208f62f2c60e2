"""A bad id has one wording, wherever it is sent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.request.hostile import refused
from tests.server.served import Api

_URLS = ["https://example.org/a"]


@pytest.mark.parametrize(
    ("method", "path", "sent", "name"),
    [
        ("GET", "/parsers/{p}/documents/x", {}, "documentId"),
        ("GET", "/parsers/{p}/documents?folderId=x", {}, "folderId"),
        ("GET", "/parsers/{p}/documents?assigneeId=x", {}, "assigneeId"),
        ("GET", "/parsers/{p}/folders?parentId=x", {}, "parentId"),
        ("GET", "/documents?parserId=x", {}, "parserId"),
        ("GET", "/audit-log?resourceId=x", {}, "resourceId"),
        ("GET", "/process/{p}/files/data?documentId=x", {}, "documentId"),
        ("POST", "/parsers/{p}/documents/search", {"json": {"folderId": "x"}}, "folderId"),
        ("POST", "/process/{p}/urls", {"json": {"urls": _URLS, "folderId": "x"}}, "folderId"),
        ("POST", "/process/{p}/files", {"files": {"file": b"a"}, "data": {"folderId": "x"}}, "folderId"),
        ("POST", "/parsers/{p}/documents/delete", {"json": {"documentIds": ["x"]}}, "documentIds.0"),
        ("POST", "/documents/reprocess", {"json": {"documentIds": ["x"]}}, "documentIds.0"),
        ("POST", "/parsers/{p}/review-stages", {"json": {"name": "A", "reviewerId": "x"}}, "reviewerId"),
        ("PATCH", "/parsers/{p}/documents", {"json": {"documentIds": ["x"]}}, "documentIds.0"),
    ],
)
def test_it_is_named(shared: Api, method: str, path: str, sent: dict[str, Any], name: str) -> None:
    answer = shared.request(method, path.format(p=shared.parser()), **sent)
    assert refused(answer, 400)["message"] == f"Invalid {name}"
