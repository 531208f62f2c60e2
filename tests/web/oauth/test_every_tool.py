"""A client from nothing to every tool: discovery, registration, sign-in, consent, refresh, revocation."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import httpx

from docduck.service.accounts.caller import TeamUser
from docduck.service.oauth.protocol import SCOPES
from tests.mcp.served import Agent, Tokens
from tests.mcp.world import ARGUMENTS, REFUSED, make_world
from tests.server.served import Api
from tests.web.oauth.dance import (
    CHALLENGE,
    CODE,
    PASSWORD,
    REDIRECT,
    REFRESH,
    VERIFIER,
    answer,
    browser,
    hidden,
    member,
)


def test_a_client_finds_its_way_and_calls_every_tool(api: Api) -> None:
    user_id = member(api, role="owner")
    program, user = browser(api), browser(api)

    refused = program.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
    assert refused.status_code == 401
    place = re.search(r'resource_metadata="([^"]+)"', refused.headers["www-authenticate"])
    assert place is not None
    resource = program.get(place[1]).json()
    assert resource["resource"] == f"{api.address}/mcp"
    (issuer,) = resource["authorization_servers"]
    server = program.get(f"{issuer}/.well-known/oauth-authorization-server").json()
    assert server["issuer"] == issuer

    registration = {"redirect_uris": [REDIRECT], "client_name": "Robin"}
    client_id = program.post(server["registration_endpoint"], json=registration).json()["client_id"]
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": REDIRECT,
        "scope": " ".join(resource["scopes_supported"]),
        "state": "mine",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "resource": resource["resource"],
    }
    shown = user.get(server["authorization_endpoint"], params=asked)
    assert shown.status_code == 303 and shown.headers["location"].startswith("/sign-in?next=")
    way_on = httpx.URL(shown.headers["location"]).params["next"]
    credentials = {"email": "ann@example.org", "password": PASSWORD, "next": way_on}
    entered = user.post("/sign-in", data=credentials)
    assert entered.headers["location"] == way_on
    form: dict[str, Any] = {**hidden(user.get(way_on)), "decision": "approve", "scope": [*SCOPES]}
    told = answer(user.post("/oauth/authorize/decision", data=form))
    assert (told["state"], told["iss"]) == ("mine", issuer)

    def tokens(**more: str) -> httpx.Response:
        given = {"client_id": client_id, "resource": resource["resource"], **more}
        return program.post(server["token_endpoint"], data=given)

    first = tokens(grant_type=CODE, code=told["code"], code_verifier=VERIFIER, redirect_uri=REDIRECT).json()
    assert set(first["scope"].split()) == set(SCOPES)
    known = TeamUser(api.inst.team_id, user_id, frozenset(), None, user_id, "owner")
    with closing(Tokens(api.inst)) as clients:
        agent = Agent(api, clients, first["access_token"], known)
        world = make_world(agent)
        for name, arguments in ARGUMENTS.items():
            if name in REFUSED:
                assert agent.error(name, **arguments(world)) == REFUSED[name]
            else:
                agent.call(name, **arguments(world))

        second = tokens(grant_type=REFRESH, refresh_token=first["refresh_token"]).json()
        agent.token = second["access_token"]
        assert agent.call("get_team")["id"] == api.inst.team_id
        ended = program.post(
            server["revocation_endpoint"], data={"client_id": client_id, "token": second["refresh_token"]}
        )
        assert ended.status_code == 200
        assert agent.ask("tools/list").status_code == 401
        assert tokens(grant_type=REFRESH, refresh_token=second["refresh_token"]).status_code == 400
