"""Paths that lead astray, methods that are none, forged hosts, keys in the wrong place, and the log."""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.request.hostile import JSON, nothing_changes, raw, refused
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.waiting import wait_for


def test_paths_that_lead_astray(shared: Api) -> None:
    p = shared.parser()
    with nothing_changes(shared):
        for path, status in (
            ("/api/v1/parsers/", 404), ("/api/v1//parsers", 404), ("//api/v1/parsers", 404),
            ("/api/v1/parsers/%2e%2e/parsers", 404), ("/api/v1/../../healthz", 404),
            ("/healthz/../api/v1/parsers", 404), ("/api/v1/openapi.json/../parsers", 404),
            ("/api/v1/openapi.json%2f..%2fparsers", 404), ("/files/../../etc/passwd", 404),
            ("/files/file/%2e%2e%2f%2e%2e", 404), ("/docs/", 404), ("/API/V1/parsers", 404),
            ("/api/v1/parsers/%00", 400), (f"/api/v1/parsers/{p}%00", 400), (f"/api/v1/parsers/{p}%0a", 400),
            (f"/api/v1/parsers/%7B{p}%7D", 400), (f"/api/v1/parsers/urn:uuid:{p}", 400),
            (f"/api/v1/parsers/{p.replace('-', '')}", 400), ("/api/v1/parsers/%ED%A0%80", 400),
            ("/api/v1/parsers/%FF", 400),
        ):  # fmt: skip
            answer = raw(shared, "GET", path)
            refused(answer, status)
            assert "location" not in answer.headers
        for name in ("..", "%2e%2e", ".", "a%2fb", "%00", "%0d%0aX-Evil:%201", "%ff"):
            answer = raw(shared, "DELETE", f"/api/v1/parsers/{p}/fields/{name}")
            assert answer.status_code in (400, 404)
            assert "x-evil" not in answer.headers
    assert shared.get(f"/parsers/{p}").status_code == 200


def test_other_methods(shared: Api) -> None:
    p = shared.parser()
    with nothing_changes(shared):
        for method in ("OPTIONS", "TRACE", "PROPFIND", "PUT"):
            answer = shared.request(method, "/parsers")
            refused(answer, 405, "Method not allowed")
            assert answer.headers["allow"] == "GET, HEAD, POST", method
            assert shared.key not in answer.text
        assert shared.request("OPTIONS", f"/process/{p}/files").headers["allow"] == "POST"
        unknown = raw(shared, "FOO", "/api/v1/parsers")
        assert unknown.status_code == 400


def test_a_key_counts_in_its_header_alone(shared: Api) -> None:
    with httpx.Client(base_url=f"{shared.address}/api/v1", trust_env=False) as nobody:
        for name in ("api_key", "apiKey", "key", "token", "access_token", "authorization"):
            refused(nobody.get("/parsers", params={name: shared.key}), 401, "Missing API key")
            refused(nobody.get("/parsers", headers={f"X-{name}": shared.key}), 401, "Missing API key")
        nobody.cookies.set("authorization", shared.key)
        refused(nobody.get("/parsers"), 401, "Missing API key")


def test_the_log_holds_no_key_query_or_body(lite: Api, caplog: pytest.LogCaptureFixture) -> None:
    p = lite.parser()
    with caplog.at_level(logging.DEBUG):
        lite.get("/parsers", params={"q": "query-secret", "api_key": lite.key})
        lite.post("/parsers", json={"name": "body-secret"})
        lite.post("/parsers", content=b'{"name": "body-secret', headers=JSON)
        lite.patch(f"/parsers/{p}", json={"body-secret": 1}, headers={"X-Other": "header-secret"})
        lite.get("/parsers", headers={"Authorization": "Bearer wrong-secret"})
        item = lite.post(f"/process/{p}/files", files={"file": ("name-secret.txt", b"body-secret")})
        lite.get(item.json()["result"][0]["url"])
        lite.get("/parsers/%0d%0a%7B%22forged%22:1%7D")

    def log_of() -> str:
        return "\n".join(one.getMessage() for one in caplog.records if one.name.startswith("docduck"))

    # A line is written after its response was sent.
    wait_for(lambda: log_of().count('"status":') >= 8, 10)
    log = log_of()
    assert "secret" not in log and lite.key not in log and "signature" not in log
    assert "\r" not in log and '\n{"forged"' not in log


@pytest.mark.parametrize("host", ["[::1", "a b", "user:pw@evil", "evil/x", "evil?x", "evil:x", "\xff", ""])
def test_a_host_that_is_none_gets_links_without_one(shared: Api, host: str) -> None:
    p = shared.parser()
    answer = shared.post(
        f"/process/{p}/files",
        files={"file": ("a.txt", b"a")},
        headers=[(b"Host", host.encode("latin-1"))],
    )
    if answer.status_code == 200:
        assert answer.json()["result"][0]["url"].startswith("/files/")
    else:
        assert answer.status_code == 400


def test_links_are_those_of_the_setting_whatever_the_host(make_installation: MakeInstallation) -> None:
    with serving(make_installation(base_url="https://docs.example.org")) as api:
        p = api.parser()
        answer = api.post(
            f"/process/{p}/files",
            files={"file": ("a.txt", b"a")},
            headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil"},
        )
        link = urlsplit(answer.json()["result"][0]["url"])
        assert (link.scheme, link.netloc) == ("https", "docs.example.org")
