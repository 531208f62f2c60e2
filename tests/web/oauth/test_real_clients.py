"""Clients as they are: each registers, asks the user, gets tokens, calls a tool and refreshes."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from docduck.outbound.errors import DownloadFailed
from docduck.service.oauth.protocol import SCOPES
from tests.server.served import Api
from tests.web.oauth.dance import Dance, answer, member
from tests.web.oauth.real_clients import CLIENTS, RealClient

README = (Path(__file__).parents[3] / "docduck" / "mcp" / "README.md").read_text()


@pytest.fixture(autouse=True)
def _no_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents can't be fetched, as from many data centres."""

    async def refused(url: str, *_: Any, **__: Any) -> None:
        raise DownloadFailed(url, "HTTP status 403")

    monkeypatch.setattr("docduck.service.oauth.client_documents.download", refused)


def call(dance: Dance, token: str, path: str = "/mcp") -> httpx.Response:
    """The answer to a call of a tool."""
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "get_team", "arguments": {}},
    }
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
    }
    return dance.program.post(path, json=asked, headers=headers)


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS.keys())
def test_a_client_connects(lite: Api, client: RealClient) -> None:
    member(lite)
    dance = Dance(lite, redirect=client.redirect, client_id=client.document or "-")
    if client.registration is not None:
        made = dance.program.post("/oauth/register", json=dict(client.registration))
        assert made.status_code == 201, made.text
        assert made.json()["redirect_uris"] == client.registration["redirect_uris"]
        assert made.json()["token_endpoint_auth_method"] == "none"
        assert "client_secret" not in made.json()
        dance.client_id = made.json()["client_id"]
    scope = " ".join([*SCOPES, "offline_access"])
    decided = dance.decide(dance.authorize(scope=scope), SCOPES)
    assert decided.headers["location"].startswith(f"{client.redirect}?"), decided.text
    redeemed = dance.redeem(answer(decided)["code"])
    assert redeemed.status_code == 200, redeemed.text
    refreshed = dance.refresh(redeemed.json()["refresh_token"], scope=scope)
    assert refreshed.status_code == 200, refreshed.text
    for tokens in (redeemed.json(), refreshed.json()):
        called = call(dance, tokens["access_token"])
        assert called.json()["result"]["structuredContent"]["id"] == lite.inst.team_id


def test_the_readme_has_what_is_said_when_it_does_not_connect(lite: Api) -> None:
    member(lite)
    dance = Dance(lite)
    elsewhere = {"Host": "docs.example.org"}
    said = [
        dance.program.post("/mcp", headers=elsewhere).json()["message"],
        dance.program.get("/.well-known/oauth-protected-resource/mcp", headers=elsewhere).text,
        answer(dance.authorize(resource="https://other.example/mcp"))["error_description"],
        html.unescape(dance.authorize(client_id="forgotten").text),
        html.unescape(dance.authorize(redirect_uri="http://localhost/other").text),
    ]
    _, _, failures = README.partition("## When it doesn't connect")
    told = [one.removeprefix("… ") for one in re.findall("`([^`]+)`", failures) if " " in one]
    for text in said:
        assert [one for one in told if one in text], text


def test_the_end_of_the_address_does_not_matter(lite: Api) -> None:
    member(lite)
    dance = Dance(lite)
    for end in ("/", "?toolsets=all", "/?toolsets=all"):
        address = f"{dance.resource}{end}"
        refused = dance.program.post(f"/mcp{end}", json={})
        assert refused.status_code == 401
        assert f"{dance.api.address}/.well-known" in refused.headers["www-authenticate"]
        code = answer(dance.decide(dance.authorize(resource=address)))["code"]
        tokens = dance.redeem(code, resource=address).json()
        tokens = dance.refresh(tokens["refresh_token"], resource=address).json()
        assert call(dance, tokens["access_token"], f"/mcp{end}").json()["result"]["structuredContent"]
    for other in (f"{dance.resource}//", f"{dance.resource}x", f"{dance.api.address}?/mcp"):
        assert answer(dance.authorize(resource=other))["error"] == "invalid_target"


def test_the_readmes_entries_are_json() -> None:
    entries = re.findall(r'^(\{".*\})$|`(\{".*\})`', README, re.MULTILINE)
    assert len(entries) == 4
    for first, second in entries:
        assert "https://docs.example.org/mcp" in str(json.loads(first or second))


def test_a_client_of_that_maker_is_sent_nowhere_else(lite: Api) -> None:
    member(lite)
    for client in CLIENTS.values():
        if client.document:
            dance = Dance(lite, redirect="https://evil.example/callback", client_id=client.document)
            refused = dance.authorize()
            assert refused.status_code == 400
            assert "&#39;https://evil.example/callback&#39;" in refused.text, "it is told where"
