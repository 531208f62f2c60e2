"""The upload pages of parsers and classifiers over the API."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from docduck.ids import new_id
from tests.api.request.hostile import nothing_changes, refused
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving

DEFAULTS = {
    "isActive": True,
    "title": "Upload documents",
    "message": "",
    "embedOrigins": [],
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
def test_a_page_from_its_creation_to_its_deletion(api: Api, kind: str) -> None:
    where = owner(api, kind)
    for method, path in (("GET", where), ("DELETE", where), ("POST", f"{where}/renew")):
        body = refused(api.request(method, path), 404, f"The {kind} has no upload page")
        assert body["notFound"] == [{"type": "uploadPage", "value": where.split("/")[2]}]
    made = api.put(where, json={})
    assert made.status_code == 200, made.text
    page = made.json()
    assert {key: page[key] for key in DEFAULTS} == DEFAULTS
    assert page["url"].startswith(f"{api.address}/upload/") and status(page["url"]) == 200
    assert api.get(where).json() == page
    settings = {**DEFAULTS, "title": "Bills", "message": "a\nb", "embedOrigins": ["https://a.org"]}
    changed = api.put(where, json=settings).json()
    assert {key: changed[key] for key in DEFAULTS} == settings
    assert (changed["url"], changed["id"]) == (page["url"], page["id"])
    assert api.put(where, json={"title": "Only"}).json()["embedOrigins"] == []

    headers = {"Idempotency-Key": "again"}
    renewed = [api.post(f"{where}/renew", headers=headers).json()["url"] for _ in range(2)]
    assert renewed[0] == renewed[1] != page["url"]
    assert (status(page["url"]), status(renewed[0])) == (404, 200)
    assert api.post(f"{where}/renew", json={}).json()["url"] != renewed[0]
    off = api.put(where, json={"isActive": False}).json()
    assert status(off["url"]) == 404
    assert api.delete(where).json() == {"success": True, "id": page["id"]}
    assert api.get(where).status_code == 404
    entries = api.get("/audit-log", params={"resourceId": where.split("/")[2]}).json()["data"]
    actions = [one["action"] for one in entries if one["action"].startswith("upload_page.")]
    done = ("deleted", "updated", "renewed", "renewed", "updated", "updated", "created")
    assert actions == [f"upload_page.{one}" for one in done]
    assert "/upload/" not in str(entries)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"more": 1}, "more"),
        ({"isActive": "yes"}, "isActive"),
        ({"title": None}, "title"),
        ({"title": ""}, "title"),
        ({"title": " "}, "title"),
        ({"title": "a\nb"}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"message": "x" * 2001}, "message"),
        ({"message": "\0"}, "message"),
        ({"embedOrigins": "https://a.org"}, "embedOrigins"),
        ({"embedOrigins": ["*"]}, "embedOrigins.0"),
        ({"embedOrigins": ["https://a.org; script-src *"]}, "embedOrigins.0"),
        ({"embedOrigins": ["https://a.org"] * 21}, "embedOrigins"),
        ({"filesPerHour": 0}, "filesPerHour"),
        ({"filesPerHour": 1.5}, "filesPerHour"),
        ({"filesPerHour": 10**9}, "filesPerHour"),
        ({"version": 2}, "version"),
        ([], None),
        (None, None),
    ],
)
def test_wrong_settings(lite: Api, body: Any, path: str | None) -> None:
    where = owner(lite, "parser")
    with nothing_changes(lite):
        answer = refused(lite.put(where, json=body), 400)
        if path is not None:
            assert [one["path"] for one in answer["details"]] == [path]


@pytest.mark.parametrize("kind", ["parser", "classifier"])
def test_who_may(lite: Api, kind: str) -> None:
    where = owner(lite, kind)
    lite.put(where, json={})
    calls = [("PUT", where), ("DELETE", where), ("POST", f"{where}/renew")]
    reading = lite.key_with([f"{kind}s:read", "documents:write"])
    elsewhere = lite.key_with(parser_ids=[lite.parser("Other")])
    with lite.using(reading) as reader, lite.using(elsewhere) as limited, lite.other_team() as strangers:
        assert reader.get(where).status_code == 200
        with nothing_changes(lite):
            for method, path in calls:
                body: dict[str, Any] = {"json": {}} if method == "PUT" else {}
                refused(reader.request(method, path, **body), 403, "Access denied")
                refused(limited.request(method, path, **body), 403, "Access denied")
                refused(strangers.request(method, path, **body), 404, f"{kind.title()} not found")
            refused(limited.get(where), 403)
            refused(strangers.get(where), 404)
            refused(lite.get(f"/{kind}s/{new_id()}/upload-page"), 404)
            refused(lite.get(f"/{kind}s/x/upload-page"), 400)


def test_links_name_the_base_url(make_installation: MakeInstallation) -> None:
    with serving(make_installation(base_url="https://docs.example.org/duck/")) as api:
        made = api.put(owner(api, "parser"), json={}).json()
        assert made["url"].startswith("https://docs.example.org/duck/upload/")
    with serving(make_installation(base_url=None)) as api:
        where = owner(api, "parser")
        api.put(where, json={})
        assert api.get(where, headers={"Host": "evil.example"}).json()["url"].startswith("/upload/")
