"""The authorization flow over HTTP, and what is refused in it."""

from __future__ import annotations

import datetime as dt
import re
from urllib.parse import urlencode, urlsplit

import httpx
import pytest
from sqlalchemy import update

from docduck import clock
from docduck.catalog.models import OAuthClient, OAuthToken
from docduck.service.accounts.accounts import add_member, create_team, remove_member
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.keys import create_key
from docduck.service.accounts.permissions import ROLES
from docduck.service.oauth.tokens import REPEATED_WITHIN, check_access_token
from tests.server.served import Api
from tests.web.oauth.dance import CHALLENGE, REDIRECT, Dance, answer, browser, hidden, member


def is_valid(dance: Dance, token: str, resource: str | None = None) -> bool:
    return check_access_token(dance.api.inst, token, resource or dance.resource) is not None


def refusal(answered: httpx.Response) -> str:
    """The code of a refusal by an endpoint for programs."""
    assert answered.status_code == 400, answered.text
    assert answered.headers["cache-control"] == "no-store"
    return str(answered.json()["error"])


def test_a_client_gets_tokens_for_what_the_user_approved(dance: Dance, ann: str) -> None:
    shown = dance.authorize()
    assert "Robin" in shown.text and "See parsers and their fields" in shown.text
    assert "Delete documents" not in shown.text, "nobody asked for it"
    policy = shown.headers["content-security-policy"]
    assert "form-action 'self' http://127.0.0.1:7777;" in policy and "frame-ancestors 'none'" in policy
    answered = dance.decide(shown, ["documents:read"])
    assert answered.headers["cache-control"] == "no-store"
    assert answered.headers["location"].startswith(f"{REDIRECT}?")
    told = answer(answered)
    assert (told["state"], told["iss"]) == ("s t&a=te", dance.api.address)
    redeemed = dance.redeem(told["code"])
    assert redeemed.headers["cache-control"] == "no-store"
    tokens = redeemed.json()
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 900, "documents:read")
    caller = check_access_token(dance.api.inst, tokens["access_token"], dance.resource)
    assert caller is not None
    assert (caller.user_id, caller.actor, caller.team_id) == (ann, ann, dance.api.inst.team_id)
    assert (caller.permissions, caller.role) == (frozenset({"documents:read"}), "member")


def test_a_visitor_signs_in_first_and_comes_back(dance: Dance) -> None:
    with browser(dance.api) as visitor:
        sent = visitor.get("/oauth/authorize", params=dance.asked())
        assert sent.status_code == 303
        page = visitor.get(sent.headers["location"])
        found = re.search(r'name="next" value="([^"]+)"', page.text)
        assert found is not None
        back = found[1].replace("&amp;", "&")
        form = {"email": dance.email, "password": "correct horse battery", "next": back}
        entered = visitor.post("/sign-in", data=form)
        assert "Connect Robin" in visitor.get(entered.headers["location"]).text


WRONG: list[tuple[dict[str, str | None], str]] = [
    ({"code_challenge": None}, "invalid_request"),
    ({"code_challenge": "short"}, "invalid_request"),
    ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"code_challenge_method": None}, "invalid_request"),
    ({"response_type": "token"}, "unsupported_response_type"),
    ({"response_type": None}, "invalid_request"),
    ({"response_mode": "fragment"}, "invalid_request"),
    ({"scope": "parsers:read root"}, "invalid_scope"),
    ({"scope": "parsers:read audit:read"}, "invalid_scope"),
    ({"resource": "https://evil.example/mcp"}, "invalid_target"),
]


def test_a_wrong_request_is_told_to_the_client(dance: Dance) -> None:
    for changes, code in WRONG:
        told = dance.authorize(**changes)
        assert told.headers["location"].startswith(f"{REDIRECT}?")
        assert answer(told)["error"] == code, changes
        assert (answer(told)["state"], answer(told)["iss"]) == ("s t&a=te", dance.api.address)
    twice = f"{urlencode(dance.asked())}&code_challenge={CHALLENGE}"
    assert answer(dance.user.get(f"/oauth/authorize?{twice}"))["error"] == "invalid_request"


def test_nobody_is_sent_to_a_website_that_anybody_registered(dance: Dance) -> None:
    dance.redirect = "https://evil.example/phish"
    dance.client_id = dance.register(dance.redirect).json()["client_id"]
    for site in ("cross-site", "same-origin", None):
        headers = {} if site is None else {"Sec-Fetch-Site": site}
        asked = dance.asked(response_type=None)
        shown = dance.user.get("/oauth/authorize", params=asked, headers=headers)
        assert shown.status_code == 200
        assert not {"location", "refresh"} & shown.headers.keys()
        assert '<a href="https://evil.example/phish?error=invalid_request&amp;' in shown.text
    assert answer(dance.decide(dance.authorize()))["code"], "a request that is right goes on"


def test_a_client_is_told_after_the_sign_in_form(dance: Dance) -> None:
    headers = {"Sec-Fetch-Site": "same-origin"}
    shown = dance.user.get("/oauth/authorize", params=dance.asked(response_type=None), headers=headers)
    assert shown.headers["refresh"].startswith(f"0;url={REDIRECT}?error=invalid_request")


ELSEWHERE = [
    "https://evil.example/callback",
    "http://127.0.0.1:7777/callback/",
    "http://127.0.0.1:7777/callback?next=x",
    "http://127.0.0.1:7777/callback#x",
    "http://127.0.0.1:7777/CALLBACK",
    "http://localhost:7777/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://127.0.0.1:7777@evil.example/callback",
    "https://127.0.0.1:7777/callback",
    "javascript:alert(1)",
    "",
    None,
]


def test_nobody_is_redirected_elsewhere(dance: Dance) -> None:
    for uri in ELSEWHERE:
        for kind in ("code", "token"):
            shown = dance.authorize(redirect_uri=uri, response_type=kind)
            assert (shown.status_code, "location" in shown.headers) == (400, False), uri
            assert f"&#39;{uri}&#39;" in shown.text or not uri, "it is told where"


def test_a_client_that_is_unknown_or_given_twice_is_not_answered(dance: Dance) -> None:
    for client in ("unknown", None, "a\0b"):
        assert dance.authorize(client_id=client).status_code == 400
    twice = f"{urlencode(dance.asked())}&client_id={dance.client_id}"
    assert dance.user.get(f"/oauth/authorize?{twice}").status_code == 400


def test_a_client_with_a_document_is_shown_by_its_host(dance: Dance) -> None:
    refused = dance.authorize(client_id="https://127.0.0.1/client.json")
    assert refused.status_code == 400 and "URL is not allowed" in refused.text
    dance.client_id = "https://app.example.org/client.json"
    dance.redirect = "https://app.example.org/callback"
    later = clock.now() + dt.timedelta(hours=1)
    with dance.api.inst.catalog.transaction() as session:
        session.add(
            OAuthClient(
                client_id=dance.client_id,
                name="<b>Robin</b>",
                redirect_uris=[dance.redirect],
                fresh_until=later,
                keep_until=later,
            )
        )
    assert answer(dance.authorize(response_type=None))["error"] == "invalid_request"
    shown = dance.authorize()
    assert "is described at <strong>app.example.org</strong>" in shown.text
    assert "sent to <strong>app.example.org</strong>" in shown.text
    assert "&lt;b&gt;Robin&lt;/b&gt;" in shown.text and "<b>" not in shown.text
    assert is_valid(dance, dance.tokens()["access_token"])


def test_cancelling_tells_the_client(dance: Dance) -> None:
    told = answer(dance.decide(dance.authorize(), decision="deny"))
    assert (told["error"], told["iss"]) == ("access_denied", dance.api.address)
    assert "code" not in told


def test_only_what_was_offered_can_be_approved(dance: Dance) -> None:
    for scopes in (["documents:delete"], ["parsers:read", "documents:delete"], [], ["root"]):
        refused = dance.decide(dance.authorize(), scopes)
        assert refused.status_code == 400
        assert "Choose at least one" in refused.text


def test_what_is_approved_is_what_was_shown(dance: Dance) -> None:
    shown = dance.authorize()
    request = hidden(shown)["request"]
    other = hidden(dance.authorize(scope="documents:delete"))["request"]
    for changed in (f"{request[:-8]}AAAAAAAA", f"{other[:-32]}{request[-32:]}", request[:-4], "é", ""):
        assert dance.decide(shown, request=changed).status_code == 403
    assert dance.decide(shown, form_token="0" * 64).status_code == 403
    assert dance.decide(shown).status_code == 303


def test_nobody_else_approves_it(dance: Dance) -> None:
    member(dance.api, "bob@example.org")
    bob = Dance(dance.api, "bob@example.org")
    shown = dance.authorize()
    token = hidden(bob.authorize())["form_token"]
    assert dance.decide(shown, user=bob.user).status_code == 403, "the form of another session"
    assert dance.decide(shown, user=bob.user, form_token=token).status_code == 403
    again = Dance(dance.api)
    token = hidden(again.authorize())["form_token"]
    assert dance.decide(shown, user=again.user, form_token=token).status_code == 403
    with browser(dance.api) as visitor:
        assert dance.decide(shown, user=visitor).headers["location"].startswith("/sign-in")


def test_a_decision_has_to_be_taken_in_time(dance: Dance, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = dance.authorize()
    later = clock.now() + dt.timedelta(minutes=11)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert dance.decide(shown).status_code == 403


def test_a_code_is_for_who_asked_for_it(dance: Dance) -> None:
    code = dance.code()
    for changes in (
        {"code_verifier": "w" * 43},
        {"code_verifier": "v" * 42},
        {"code_verifier": CHALLENGE},
        {"redirect_uri": "http://127.0.0.1:7778/callback"},
        {"client_id": "other"},
        {"code": "docduck_code_x"},
    ):
        assert refusal(dance.redeem(**{"code": code, **changes})) == "invalid_grant", changes
    assert refusal(Dance(dance.api).redeem(code)) == "invalid_grant", "of another client"
    assert refusal(dance.redeem(code, resource="https://evil.example/mcp")) == "invalid_target"
    assert dance.redeem(code).status_code == 200, "the client itself still gets its tokens"


def test_a_code_expires(dance: Dance, monkeypatch: pytest.MonkeyPatch) -> None:
    code = dance.code()
    later = clock.now() + dt.timedelta(seconds=61)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert refusal(dance.redeem(code)) == "invalid_grant"


def test_a_code_that_is_used_twice_ends_its_tokens(dance: Dance) -> None:
    code = dance.code()
    tokens = dance.redeem(code).json()
    assert is_valid(dance, tokens["access_token"])
    assert refusal(dance.redeem(code)) == "invalid_grant"
    assert not is_valid(dance, tokens["access_token"])
    assert refusal(dance.refresh(tokens["refresh_token"])) == "invalid_grant"
    entries = find_audit_entries(dance.api.inst, dance.api.inst.team_id, resource_type="connection").rows
    assert [one.action for one in entries] == ["connection.revoked", "connection.created"]
    assert "twice" in str(entries[0].details) and code not in str(entries)


def test_refresh_tokens_are_used_once(dance: Dance) -> None:
    first = dance.tokens()
    second = dance.refresh(first["refresh_token"]).json()
    assert is_valid(dance, first["access_token"]) and is_valid(dance, second["access_token"])
    again = dance.refresh(first["refresh_token"]).json()
    for name in ("access_token", "refresh_token", "scope"):
        assert again[name] == second[name], "a client that missed the answer gets it again"
    assert is_valid(dance, second["access_token"])
    assert refusal(dance.refresh(first["refresh_token"], scope="audit:read")) == "invalid_scope"
    with dance.api.inst.catalog.transaction() as session:
        earlier = clock.now() - REPEATED_WITHIN - dt.timedelta(seconds=1)
        session.execute(update(OAuthToken).where(OAuthToken.used_at.is_not(None)).values(used_at=earlier))
    assert refusal(dance.refresh(first["refresh_token"])) == "invalid_grant"
    for tokens in (first, second):
        assert not is_valid(dance, tokens["access_token"])
    assert refusal(dance.refresh(second["refresh_token"])) == "invalid_grant"


def test_refresh_tokens_are_their_clients(dance: Dance) -> None:
    token = dance.tokens()["refresh_token"]
    assert refusal(Dance(dance.api).refresh(token)) == "invalid_grant"
    assert refusal(dance.refresh(token, resource="https://evil.example/mcp")) == "invalid_target"
    assert dance.refresh(token).status_code == 200


def test_a_refresh_gives_no_more_scopes(dance: Dance) -> None:
    token = dance.tokens()["refresh_token"]
    for scope in ("parsers:read parsers:write", "root"):
        assert refusal(dance.refresh(token, scope=scope)) == "invalid_scope"
    narrowed = dance.refresh(token, scope="parsers:read").json()
    assert narrowed["scope"] == "parsers:read"
    caller = check_access_token(dance.api.inst, narrowed["access_token"], dance.resource)
    assert caller is not None and caller.permissions == {"parsers:read"}
    for asked in (dict[str, str](), {"scope": "offline_access"}):
        narrowed = dance.refresh(narrowed["refresh_token"], **asked).json()
        assert narrowed["scope"] == "parsers:read documents:read"


def test_tokens_expire(dance: Dance, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = dance.tokens()
    began = clock.now()
    monkeypatch.setattr(clock, "now", lambda: began + dt.timedelta(minutes=15))
    assert not is_valid(dance, tokens["access_token"])
    tokens = dance.refresh(tokens["refresh_token"]).json()
    monkeypatch.setattr(clock, "now", lambda: began + dt.timedelta(days=31))
    assert refusal(dance.refresh(tokens["refresh_token"])) == "invalid_grant"


def test_tokens_are_for_their_audience(dance: Dance) -> None:
    tokens = dance.tokens()
    access = tokens["access_token"]
    assert not is_valid(dance, access, "https://other.example/mcp")
    assert not is_valid(dance, access, dance.api.address)
    assert not is_valid(dance, tokens["refresh_token"]), "it is no access token"
    assert not is_valid(dance, dance.api.key), "nor is an API key"
    with dance.api.using(access) as rest:
        assert rest.get("/parsers").status_code == 401, "REST takes API keys alone"


def test_a_role_limits_what_was_consented(dance: Dance, ann: str) -> None:
    inst = dance.api.inst
    tokens = dance.tokens()
    add_member(inst, inst.team_id, ann, "reviewer")
    caller = check_access_token(inst, tokens["access_token"], dance.resource)
    assert caller is not None and caller.permissions == {"documents:read"}
    assert dance.refresh(tokens["refresh_token"]).json()["scope"] == "documents:read"
    offered = dance.authorize(scope=None)
    assert "See documents" in offered.text and "See parsers" not in offered.text
    assert dance.decide(offered, ["parsers:read"]).status_code == 400
    assert "allows nothing" in dance.authorize(scope="parsers:write").text


def test_tokens_end_when_the_user_leaves_the_team(dance: Dance, ann: str) -> None:
    inst = dance.api.inst
    tokens, code = dance.tokens(), dance.code()
    shown = dance.authorize()
    by = TeamUser(inst.team_id, ann, ROLES["member"], None, ann, "owner")
    create_key(inst, inst.team_id, "Her script", by=by)
    remove_member(inst, inst.team_id, ann)
    logged = [entry.action for entry in find_audit_entries(inst, inst.team_id).rows]
    assert {"key.revoked", "connection.revoked", "member.removed"} <= {*logged}
    assert not is_valid(dance, tokens["access_token"])
    assert refusal(dance.refresh(tokens["refresh_token"])) == "invalid_grant"
    assert refusal(dance.redeem(code)) == "invalid_grant"
    assert dance.decide(shown).status_code == 403
    assert dance.authorize().status_code == 403, "in no team"
    add_member(inst, inst.team_id, ann, "member")
    assert not is_valid(dance, tokens["access_token"]), "not even when they come back"


def test_a_user_of_several_teams_chooses_one(dance: Dance, ann: str) -> None:
    inst = dance.api.inst
    other = create_team(inst, "Others").id
    strangers = create_team(inst, "Strangers").id
    add_member(inst, other, ann, "reviewer")
    shown = dance.authorize()
    assert "Others" in shown.text and "Strangers" not in shown.text
    chosen = dance.user.post("/oauth/authorize/team", data={**hidden(shown), "team": other})
    assert "to Others?" in chosen.text and "See parsers" not in chosen.text, "as far as the role allows"
    tokens = dance.redeem(answer(dance.decide(chosen, ["documents:read"]))["code"]).json()
    caller = check_access_token(inst, tokens["access_token"], dance.resource)
    assert caller is not None and (caller.team_id, caller.role) == (other, "reviewer")
    for team in (strangers, "", "x"):
        refused = dance.user.post("/oauth/authorize/team", data={**hidden(shown), "team": team})
        assert refused.status_code == 403
    assert dance.decide(shown).status_code == 403, "without a team"


def test_a_client_ends_its_tokens(dance: Dance) -> None:
    def revoke(token: str, client_id: str = dance.client_id) -> httpx.Response:
        return dance.program.post("/oauth/revoke", data={"client_id": client_id, "token": token})

    tokens = dance.tokens()
    assert revoke("unknown").status_code == 200
    assert refusal(revoke(tokens["access_token"], "other")) == "invalid_grant"
    assert is_valid(dance, tokens["access_token"])
    assert revoke(tokens["access_token"]).status_code == 200
    assert not is_valid(dance, tokens["access_token"])
    tokens = dance.refresh(tokens["refresh_token"]).json()
    assert revoke(tokens["refresh_token"]).status_code == 200
    assert not is_valid(dance, tokens["access_token"])
    assert refusal(dance.refresh(tokens["refresh_token"])) == "invalid_grant"


def test_clients_have_no_secrets(dance: Dance) -> None:
    form = {"grant_type": "refresh_token", "refresh_token": "x", "client_id": dance.client_id}
    for refused in (
        dance.redeem("x", client_secret="x"),
        dance.redeem("x", client_assertion="x"),
        dance.program.post("/oauth/token", data=form, auth=("a", "b")),
        dance.program.post("/oauth/token", data={**form, "client_id": ""}),
    ):
        assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")


def test_token_requests_that_make_no_sense(dance: Dance) -> None:
    assert refusal(dance.token(grant_type="password")) == "unsupported_grant_type"
    assert refusal(dance.token(grant_type="refresh_token")) == "invalid_request"
    assert refusal(dance.token(grant_type="authorization_code", code="x")) == "invalid_request"
    twice = dance.program.post(
        "/oauth/token",
        content=f"client_id={dance.client_id}&grant_type=refresh_token&refresh_token=a&refresh_token=b",
    )
    assert refusal(twice) == "invalid_request"


def test_the_host_of_a_request_is_not_believed(dance: Dance) -> None:
    for path in ("/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"):
        told = dance.program.get(path, headers={"Host": "evil.example"})
        assert told.status_code == 400 and "evil" not in told.text
    shown = dance.user.get("/oauth/authorize", params=dance.asked(), headers={"Host": "evil.example"})
    assert shown.status_code == 400


def test_the_tokens_of_a_server_with_an_address(api: Api, ann: str) -> None:
    api.inst.settings.__dict__["base_url"] = "https://docs.example.org"
    dance = Dance(api)
    assert urlsplit(dance.resource).hostname == "127.0.0.1"
    assert answer(dance.authorize())["error"] == "invalid_target"
    told = answer(dance.decide(dance.authorize(resource="https://docs.example.org/mcp")))
    assert told["iss"] == "https://docs.example.org"
