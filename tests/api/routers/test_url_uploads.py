"""Uploading by URL: fetched from where it may be, all of them or none."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from docduck.ids import new_id
from tests.api.request.hostile import nothing_changes, refused
from tests.api.routers.test_uploads import TEXT
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving


class _Files(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, headers, body = {
            "/a.txt": (200, {}, TEXT),
            "/named": (200, {"Content-Disposition": 'attachment; filename="../Bill 7.txt"'}, TEXT + b"7"),
            "/program": (200, {"Content-Type": "application/pdf"}, b"MZ\x90\x00" + bytes(100)),
            "/moved": (302, {"Location": "/a.txt"}, b""),
            "/inside": (302, {"Location": "http://169.254.169.254/latest/meta-data"}, b""),
        }.get(self.path, (404, {}, b"no"))
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def files_server() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Files)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def at() -> Iterator[str]:
    with files_server() as address:
        yield address


@pytest.fixture
def near(make_installation: MakeInstallation) -> Iterator[Api]:
    """An API that may fetch from this machine."""
    with serving(make_installation(outbound_allowed_networks="127.0.0.1/32")) as api:
        yield api


def test_files_are_fetched_and_queued(near: Api, at: str) -> None:
    parser_id = near.parser()
    body = {
        "urls": [f"{at}/a.txt", f"{at}/named", f"{at}/moved"],
        "externalIds": ["E-1", None, "E-3"],
        "custom": [None, {"order": 7}, None],
    }
    answer = near.post(f"/process/{parser_id}/urls", json=body)
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    assert [item["name"] for item in result] == ["a.txt", "Bill 7.txt", "a.txt"]
    assert [item["externalId"] for item in result] == ["E-1", None, "E-3"]
    assert [item["custom"] for item in result] == [None, {"order": 7}, None]
    assert {item["status"] for item in result} == {"processing"}
    together = near.post("/process/urls", json={"urls": [f"{at}/a.txt"], "parserId": parser_id})
    assert together.json()["result"][0]["parserId"] == parser_id


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"urls": []}, 400, "urls must contain between 1 and 20 items"),
    ({"urls": ["https://example.org/a"] * 21}, 400, "urls must contain between 1 and 20 items"),
    ({}, 400, "urls: "),
    ({"urls": "https://example.org"}, 400, "urls: "),
    ({"urls": [7]}, 400, "urls.0: "),
    ({"urls": ["ftp://example.org/a"]}, 400, "URL is not allowed: ftp://example.org/a"),
    ({"urls": ["http://127.0.0.1/a"]}, 400, "URL is not allowed: http://127.0.0.1/a"),
    ({"urls": ["https://example.org/a"], "externalIds": []}, 400, "externalIds length must match urls"),
    ({"urls": ["https://example.org/a"], "custom": [{}, {}]}, 400, "custom length must match urls"),
    ({"urls": ["https://example.org/a"], "custom": [{"a": "x" * 17_000}]}, 400, "custom.0 must have at most"),
    ({"urls": ["https://example.org/a"], "externalIds": [""]}, 400, "externalIds.0"),
    ({"urls": ["https://example.org/a"], "folderId": "7"}, 400, "Invalid folderId"),
    ({"urls": ["https://example.org/a"], "folderId": new_id()}, 404, "Folder not found"),
]


@pytest.mark.parametrize(("body", "status", "message"), REFUSED)
def test_what_is_refused_before_anything_is_fetched(
    shared: Api, body: Any, status: int, message: str
) -> None:
    parser_id = shared.parser()
    with nothing_changes(shared):
        answer = refused(shared.post(f"/process/{parser_id}/urls", json=body), status)
    assert answer["message"].startswith(message)


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/gone", 400, "Could not download {at}/gone: "),
        ("/program", 415, "Unsupported file type: "),
        ("/inside", 400, "URL is not allowed: "),
    ],
)
def test_one_failure_undoes_all(near: Api, at: str, path: str, status: int, message: str) -> None:
    urls = [f"{at}/a.txt", f"{at}{path}"]
    parser_id = near.parser()
    with nothing_changes(near):
        answer = near.post(f"/process/{parser_id}/urls", json={"urls": urls})
    assert refused(answer, status)["message"].startswith(message.format(at=at))
    assert "169.254" not in answer.text
