"""The upload pages of parsers and classifiers over the API."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.api.request.hostile import nothing_changes, refused
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving

DEFAULTS = {
    **{"isActive": True, "title": "Upload documents", "message": "", "embedOrigins": []},
    "filesPerHour": 60,
}


def owner(api: Api, kind: str) -> str:
    """The path of a new parser's or classifier's upload page."""
    parser_id = api.parser()
    if kind == "parser":
        return f"/parsers/{parser_id}/upload-page"
    routing = {"rules": [{"label": "Invoice", "targetParserId": parser_id}]}
    made = api.post("/classifiers", json={"name": "Mail", "routing": routing}).json()
    return f"/classifiers/{made['id']}/upload-page"


def status(url: str) -> int:
    """What a visitor gets."""
    return httpx.get(url, trust_env=False).status_code


@pytest.mark.parametrize("kind", ["parser", "classifier"])
def test_a_page_from_its_creation_to_its_deletion(shared: Api, kind: str) -> None:
    where = owner(shared, kind)
    for method, path in (("GET", where), ("DELETE", where), ("POST", f"{where}/renew")):
        body = refused(shared.request(method, path), 404, f"The {kind} has no upload page")
        assert body["notFound"] == [{"type": "uploadPage", "value": where.split("/")[2]}]
    made = shared.put(where, json={})
    assert made.status_code == 200, made.text
    page = made.json()
    assert {key: page[key] for key in DEFAULTS} == DEFAULTS
    assert page["url"].startswith(f"{shared.address}/upload/") and status(page["url"]) == 200
    assert shared.get(where).json() == page
    settings = {**DEFAULTS, "title": "Bills", "message": "a\nb", "embedOrigins": ["https://a.org"]}
    changed = shared.put(where, json=settings).json()
    assert {key: changed[key] for key in DEFAULTS} == settings
    assert (changed["url"], changed["id"]) == (page["url"], page["id"])
    assert shared.put(where, json={"title": "Only"}).json()["embedOrigins"] == []

    headers = {"Idempotency-Key": kind}
    renewed = [shared.post(f"{where}/renew", headers=headers).json()["url"] for _ in range(2)]
    assert renewed[0] == renewed[1] != page["url"]
    assert (status(page["url"]), status(renewed[0])) == (404, 200)
    assert shared.post(f"{where}/renew", json={}).json()["url"] != renewed[0]
    off = shared.put(where, json={"isActive": False}).json()
    assert status(off["url"]) == 404
    assert shared.delete(where).json() == {"success": True, "id": page["id"]}
    assert shared.get(where).status_code == 404


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"isActive": "yes"}, "isActive"),
        ({"title": None}, "title"),
        ({"title": " "}, "title"),
        ({"message": "\0"}, "message"),
        ({"embedOrigins": "https://a.org"}, "embedOrigins"),
        ({"embedOrigins": ["*"]}, "embedOrigins.0"),
        ({"filesPerHour": 1.5}, "filesPerHour"),
        ([], None),
        (None, None),
    ],
)
def test_wrong_settings(shared: Api, body: Any, path: str | None) -> None:
    where = owner(shared, "parser")
    with nothing_changes(shared):
        answer = refused(shared.put(where, json=body), 400)
        if path is not None:
            assert [one["path"] for one in answer["details"]] == [path]


def test_links_name_the_base_url(make_installation: MakeInstallation) -> None:
    with serving(make_installation(base_url="https://docs.example.org/duck/")) as api:
        made = api.put(owner(api, "parser"), json={}).json()
        assert made["url"].startswith("https://docs.example.org/duck/upload/")
    with serving(make_installation(base_url=None)) as api:
        where = owner(api, "parser")
        api.put(where, json={})
        assert api.get(where, headers={"Host": "evil.example"}).json()["url"].startswith("/upload/")
