"""The scripts, style sheets and icons of all pages."""

from __future__ import annotations

import re
from pathlib import Path

import httpx

import docduck.web
from tests.server.served import Api

WEB = Path(docduck.web.__file__).parent
FILES = sorted(one for one in WEB.rglob("*") if one.suffix in (".css", ".js", ".svg"))


def test_their_names_are_unique() -> None:
    assert len({one.name for one in FILES}) == len(FILES) > 5


def test_each_is_used_by_a_page() -> None:
    texts = "".join(one.read_text() for one in WEB.rglob("*") if one.suffix in (".j2", ".js"))
    assert [one.name for one in FILES if f"/{one.name}" not in texts] == []


def test_each_is_served_and_nothing_else(lite: Api) -> None:
    for file in FILES:
        found = httpx.get(f"{lite.address}/static/{file.name}")
        assert (found.status_code, found.content) == (200, file.read_bytes())
        assert found.headers["content-encoding"] == "gzip" and found.headers["vary"] == "Accept-Encoding"
        assert int(found.headers["content-length"]) < max(1000, len(found.content) * 0.6)
        assert found.headers["x-content-type-options"] == "nosniff"
        elsewhere = "https?://(?!www\\.w3\\.org)" + (
            "|@import|url\\((?!./static/)" if file.suffix == ".css" else ""
        )
        assert re.findall(elsewhere, found.text) == [], file.name
    plain = httpx.get(f"{lite.address}/static/docduck.css", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == (WEB / "layout/docduck.css").read_bytes()
    for name in ("base.html.j2", "page.py", "..%2fpage.py", "%2e%2e/page.py", ""):
        assert httpx.get(f"{lite.address}/static/{name}").status_code == 404
