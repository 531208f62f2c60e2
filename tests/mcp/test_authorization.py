"""Who may ask: tokens, scopes, rates, and other sites."""

from __future__ import annotations

import pytest

from docduck.mcp.tools import TOOLS
from docduck.service.accounts.permissions import ALL
from docduck.service.oauth.protocol import SCOPES
from tests.conftest import MakeInstallation
from tests.mcp.served import Agent, serving_mcp


def test_without_a_token_a_client_learns_where_to_get_one(lite: Agent) -> None:
    answer = lite.ask("tools/list", {"Authorization": ""})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == (
        f'Bearer resource_metadata="{lite.api.address}/.well-known/oauth-protected-resource/mcp", '
        f'scope="{" ".join(SCOPES)}"'
    )
    assert answer.json()["message"] == "Missing access token"


def test_an_api_key_is_no_access_token(lite: Agent) -> None:
    for header in (f"Bearer {lite.api.key}", lite.api.key, "Bearer nonsense"):
        answer = lite.ask("tools/list", {"Authorization": header})
        assert answer.status_code == 401, header
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_a_missing_scope_can_be_asked_for(lite: Agent) -> None:
    reader = lite.other(scopes=frozenset({"parsers:read"}))
    assert reader.call("list_parsers")["data"] == []
    answer = reader.ask("tools/call", name="create_parser", arguments={"name": "Bills"})
    assert answer.status_code == 403
    assert (
        'error="insufficient_scope", scope="parsers:read parsers:write"' in answer.headers["www-authenticate"]
    )
    assert reader.ask("tools/list").status_code == 200


def test_what_the_role_forbids_is_an_error_of_the_tool(lite: Agent) -> None:
    assert lite.other("reviewer", scopes=ALL).error("create_parser", name="Bills") == "Access denied"


def test_other_sites_and_hosts_are_refused(lite: Agent) -> None:
    assert lite.ask("tools/list", {"Origin": "https://evil.example"}).status_code == 403
    assert lite.ask("tools/list", {"Host": "evil.example"}).status_code == 403
    assert lite.ask("tools/list", {"Origin": lite.api.address}).status_code == 200


@pytest.mark.parametrize("base_url", [None, "https://docs.example.org"])
def test_pages_without_an_origin_of_their_own_are_refused(
    make_installation: MakeInstallation, base_url: str | None
) -> None:
    with serving_mcp(make_installation(base_url=base_url)) as agent:
        for origin in ("null", "", "file://", "http://", "http://["):
            answer = agent.ask("tools/list", {"Origin": origin})
            assert answer.status_code == 403, origin
            assert answer.json()["message"] == "Requests from pages of other sites are not allowed"


def test_pages_of_all_sites_are_let_in_where_all_are_allowed(make_installation: MakeInstallation) -> None:
    with serving_mcp(make_installation(cors_allowed_origins=("*",))) as agent:
        assert agent.ask("tools/list", {"Origin": "https://app.example"}).status_code == 200
        refused = agent.ask("tools/list", {"Origin": "https://app.example", "Authorization": ""})
        assert "WWW-Authenticate" in refused.headers["access-control-expose-headers"].split(", ")


def test_the_scopes_are_what_tools_need() -> None:
    assert set(SCOPES) == {tool.permission for tool in TOOLS}


def test_a_connection_has_a_rate_of_its_own(make_installation: MakeInstallation) -> None:
    with serving_mcp(make_installation(rate_limit_minute=0, rate_limit_day=3)) as agent:
        answers = [agent.ask("tools/list") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert [answer.headers["x-ratelimit-remaining"] for answer in answers] == ["2", "1", "0", "0"]
        assert {answer.headers["x-ratelimit-limit"] for answer in answers} == {"3"}
        assert all(int(answer.headers["x-ratelimit-reset"]) > 0 for answer in answers)
        assert agent.other().ask("tools/list").status_code == 200
        refused = agent.ask("tools/list")
        assert int(refused.headers["retry-after"]) > 0


@pytest.mark.parametrize("base", ["https://docs.example.org/"])
def test_the_address_is_the_one_from_outside(make_installation: MakeInstallation, base: str) -> None:
    with serving_mcp(make_installation(base_url=base)) as agent:
        answer = agent.ask("tools/list", {"Authorization": "", "Host": "docs.example.org"})
        assert '"https://docs.example.org/.well-known/' in answer.headers["www-authenticate"]
