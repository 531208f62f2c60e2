"""Checking access tokens, their last use, and the deletion of what has expired."""

from __future__ import annotations

import datetime as dt
from functools import partial

import pytest
from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import Membership, OAuthClient, OAuthGrant, OAuthToken, User
from docduck.service.accounts.accounts import add_member, create_user
from docduck.service.accounts.sessions import Browser
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import secret_digest
from docduck.service.oauth.clients import register_client
from docduck.service.oauth.grants import list_grants
from docduck.service.oauth.protocol import OAuthError
from docduck.service.oauth.tokens import Tokens, check_access_token, issue, refresh_tokens
from docduck.service.upkeep.expired_rows import delete_expired_rows
from tests.service.core.at_once import at_once
from tests.service.core.catalog import count, statements

RESOURCE = "https://docs.example.org/mcp"
SENDER = Browser("192.0.2.1", "Robin/1")


def connected(inst: Installation, email: str = "ann@example.org") -> Tokens:
    """The tokens of a client that a new member connected."""
    client = register_client(inst, {"redirect_uris": ["https://app.example.org/"]}, "192.0.2.1")
    user = create_user(inst, email, "Ann")
    add_member(inst, inst.team_id, user.id, "member")
    with inst.catalog.transaction() as session:
        grant = OAuthGrant(
            client_ref=client.ref,
            user_id=user.id,
            team_id=inst.team_id,
            scopes=["parsers:read"],
            resource=RESOURCE,
            code_sha256=secret_digest(email),
            code_challenge="",
            redirect_uri="",
            code_used_at=clock.now(),
            expires_at=clock.now(),
        )
        session.add(grant)
        session.flush()
        return issue(session, grant, SENDER)


def client_of(inst: Installation) -> str:
    """The id of the only client."""
    with inst.catalog.read_session() as session:
        return session.scalars(select(OAuthClient.client_id)).one()


def refreshed(inst: Installation, text: str, sender: Browser | None = None) -> Tokens:
    return refresh_tokens(inst, client_of(inst), text, None, None, sender or SENDER)


def test_a_check_is_one_query_and_notes_its_use_once(any_inst: Installation) -> None:
    text = connected(any_inst).access
    (grant,) = list_grants(any_inst, team_id=any_inst.team_id)
    assert grant.last_used_at is None
    assert check_access_token(any_inst, text, RESOURCE) is not None
    any_inst.grant_uses.close()
    (grant,) = list_grants(any_inst, team_id=any_inst.team_id)
    assert grant.last_used_at is not None
    with statements(any_inst) as sent:
        check_access_token(any_inst, text, RESOURCE)
    assert len([one for one in sent if one.startswith("SELECT")]) == 1
    assert not any(one.startswith("UPDATE") for one in sent), "its use isn't written again"


def test_uses_at_the_same_time_get_the_same_tokens(any_inst: Installation) -> None:
    text = connected(any_inst).refresh
    got = at_once(*[partial(refreshed, any_inst, text)] * 4)
    ((access, _),) = {(one.access, one.refresh) for one in got}
    assert check_access_token(any_inst, access, RESOURCE) is not None
    assert (count(any_inst, OAuthGrant), count(any_inst, OAuthToken)) == (1, 4)


def test_a_refresh_token_that_is_used_again_later_ends_the_grant(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = connected(inst).refresh
    refreshed(inst, text)
    late = clock.now() + dt.timedelta(seconds=61)
    monkeypatch.setattr(clock, "now", lambda: late)
    with pytest.raises(OAuthError):
        refreshed(inst, text)
    assert count(inst, OAuthGrant) == 0


def test_a_refresh_token_that_comes_again_after_its_successor_ends_the_grant(inst: Installation) -> None:
    text = connected(inst).refresh
    second = refreshed(inst, text)
    assert refreshed(inst, text).refresh == second.refresh, "its client missed the answer"
    third = refreshed(inst, second.refresh)
    with pytest.raises(OAuthError):
        refreshed(inst, text)
    assert count(inst, OAuthGrant) == 0
    assert check_access_token(inst, third.access, RESOURCE) is None


def test_a_successor_is_used_while_the_old_token_comes_again(any_inst: Installation) -> None:
    text = connected(any_inst).refresh
    second = refreshed(any_inst, text).refresh
    uses = at_once(*[partial(refreshed, any_inst, one) for one in (text, second)] * 2)
    got = {one.refresh for one in uses if not isinstance(one, OAuthError)} - {second}
    assert len(got) <= 1, "no token has two successors"
    with pytest.raises(OAuthError):
        refreshed(any_inst, text)
    assert count(any_inst, OAuthGrant) == 0


def test_a_connection_says_from_where_it_was_used_last_and_only_digests_are_stored(
    inst: Installation,
) -> None:
    tokens = connected(inst)
    (grant,) = list_grants(inst, team_id=inst.team_id)
    assert (grant.address, grant.user_agent) == ("192.0.2.1", "Robin/1")
    refreshed(inst, tokens.refresh, Browser("2001:db8::1", "Robin/2\n" + "x" * 400))
    (grant,) = list_grants(inst, team_id=inst.team_id)
    assert (grant.address, str(grant.user_agent)[:8]) == ("2001:db8::1", "Robin/2x")
    assert len(str(grant.user_agent)) == 300
    assert tokens.access not in repr(tokens) and tokens.refresh not in repr(tokens)
    with inst.catalog.read_session() as session:
        tables = (OAuthToken.__table__, OAuthGrant.__table__)
        stored = str([row for table in tables for row in session.execute(select(table))])
    assert tokens.access not in stored and tokens.refresh not in stored
    assert secret_digest(tokens.access) in stored


def test_tokens_end_with_the_user(any_inst: Installation) -> None:
    text = connected(any_inst).access
    with any_inst.catalog.transaction() as session:
        session.delete(session.scalars(select(User)).one())
    assert check_access_token(any_inst, text, RESOURCE) is None
    assert [count(any_inst, table) for table in (Membership, OAuthGrant, OAuthToken)] == [0, 0, 0]


def test_upkeep_deletes_what_has_expired(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    text = connected(inst).access
    register_client(inst, {"redirect_uris": ["https://other.example.org/"]}, "192.0.2.1")
    began = clock.now()

    def counts_after(days: float) -> tuple[int, int, int]:
        monkeypatch.setattr(clock, "now", lambda: began + dt.timedelta(days=days))
        delete_expired_rows(inst)
        return count(inst, OAuthClient), count(inst, OAuthGrant), count(inst, OAuthToken)

    assert counts_after(0.001) == (2, 1, 2)
    assert check_access_token(inst, text, RESOURCE) is not None
    assert counts_after(1.1) == (1, 1, 1), "the access token, and the client that nobody connected"
    assert counts_after(31) == (0, 0, 0)
