"""The pages that list and end connections."""

from __future__ import annotations

import httpx
import pytest

from docduck.service.accounts.accounts import add_member, create_team
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.accounts.password_reset import start_reset
from docduck.service.oauth.grants import list_grants
from docduck.service.oauth.tokens import check_access_token
from tests.web.oauth.conftest import _closing, ann, dance
from tests.web.oauth.dance import PASSWORD, Dance, hidden, member

__all__ = ["_closing", "ann", "dance"]

NEW = "another horse battery"


def grant_of(dance: Dance) -> str:
    (grant,) = list_grants(dance.api.inst, team_id=dance.api.inst.team_id)
    return grant.id


def end(user: httpx.Client, path: str, grant: str) -> int:
    form = {"form_token": hidden(user.get("/profile/connections"))["form_token"]}
    return user.post(f"{path}/{grant}/revoke", data=form).status_code


def test_users_see_and_end_their_connections(dance: Dance) -> None:
    assert "No program is connected" in dance.user.get("/profile/connections").text
    dance.code()
    assert "No program is connected" in dance.user.get("/profile/connections").text, "not redeemed"
    tokens = dance.tokens()
    shown = dance.user.get("/profile/connections")
    assert "Robin" in shown.text and "See parsers and their fields" in shown.text
    grant = grant_of(dance)
    assert end(dance.user, "/profile/connections", grant) == 303
    assert check_access_token(dance.api.inst, tokens["access_token"], dance.resource) is None
    assert dance.refresh(tokens["refresh_token"]).status_code == 400
    assert "No program is connected" in dance.user.get("/profile/connections").text
    assert end(dance.user, "/profile/connections", grant) == 404
    newest = find_audit_entries(dance.api.inst, dance.api.inst.team_id).rows[0]
    assert (newest.action, newest.actor.name) == ("connection.revoked", "Ann")


@pytest.mark.parametrize("how", ["reset", "password", "sign-out"])
def test_connections_end_with_the_sessions(dance: Dance, how: str) -> None:
    inst = dance.api.inst
    tokens, code = dance.tokens(), dance.code()
    member(dance.api, "bob@example.org")
    others = Dance(dance.api, "bob@example.org").tokens()
    profile = dance.user.get("/profile")
    form = {"form_token": hidden(profile)["form_token"], "current": PASSWORD, "password": NEW}
    assert "also ends your" in profile.text
    reset = f"/password-reset/{start_reset(inst, dance.email).token}"
    path = reset if how == "reset" else f"/profile/{how}"
    assert dance.user.post(path, data=form).status_code == 303
    assert check_access_token(inst, tokens["access_token"], dance.resource) is None
    assert dance.refresh(tokens["refresh_token"]).status_code == 400
    assert dance.redeem(code).status_code == 400
    assert check_access_token(inst, others["access_token"], dance.resource) is not None
    entries = find_audit_entries(inst, inst.team_id, action="connection.revoked").rows
    assert len(entries) == 2 and all(one.details and one.details["reason"] for one in entries)


def test_equal_connections_are_told_apart(dance: Dance) -> None:
    for agent in ("Robin at home", "Robin at work"):
        dance.program.headers["User-Agent"] = agent
        access = dance.tokens()["access_token"]
    shown = dance.user.get("/profile/connections").text
    assert "Robin at home" in shown and "Robin at work" in shown and "127.0.0.1" in shown
    assert shown.count("<td>never</td>") == 2
    assert check_access_token(dance.api.inst, access, dance.resource) is not None
    dance.api.inst.grant_uses.close()
    assert dance.user.get("/profile/connections").text.count("<td>never</td>") == 1
    assert shown.count("<time ") == 2, "when they were made"


def test_others_do_not_see_or_end_them(dance: Dance) -> None:
    inst = dance.api.inst
    dance.tokens()
    grant = grant_of(dance)
    member(dance.api, "bob@example.org")
    bob = Dance(dance.api, "bob@example.org")
    assert "Robin" not in bob.user.get("/profile/connections").text
    assert end(bob.user, "/profile/connections", grant) == 404
    stranger = member(dance.api, "eve@example.org", "reviewer")
    add_member(inst, create_team(inst, "A team of others").id, stranger, "owner")
    eve = Dance(dance.api, "eve@example.org")
    assert "Robin" not in eve.user.get("/team/connections").text
    assert end(eve.user, "/team/connections", grant) == end(eve.user, "/team/connections", "x") == 404


def test_managers_end_those_of_their_team(dance: Dance) -> None:
    dance.tokens()
    member(dance.api, "boss@example.org", "admin")
    boss = Dance(dance.api, "boss@example.org")
    shown = boss.user.get("/team/connections")
    assert "Robin" in shown.text and "ann@example.org" in shown.text
    assert end(boss.user, "/team/connections", grant_of(dance)) == 303
    assert list_grants(dance.api.inst, team_id=dance.api.inst.team_id) == []
