"""Checking access tokens, their last use, and the deletion of what has expired."""

from __future__ import annotations

import datetime as dt
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import event, func, select

from docduck import clock
from docduck.catalog.models import Base, Membership, OAuthClient, OAuthGrant, OAuthToken, User
from docduck.service.accounts.accounts import add_member, create_user
from docduck.service.accounts.sessions import Browser
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import secret_digest
from docduck.service.oauth.clients import register_client
from docduck.service.oauth.grants import list_grants
from docduck.service.oauth.protocol import OAuthError
from docduck.service.oauth.tokens import Tokens, check_access_token, issue, refresh_tokens
from docduck.service.upkeep.housekeeping import sweep

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


def rows(inst: Installation, table: type[Base]) -> int:
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_a_check_is_one_query(any_inst: Installation) -> None:
    text = connected(any_inst).access
    assert check_access_token(any_inst, text, RESOURCE) is not None
    any_inst.grant_uses.close()
    queries: list[str] = []
    event.listen(any_inst.catalog.engine, "before_cursor_execute", lambda *given: queries.append(given[2]))
    check_access_token(any_inst, text, RESOURCE)
    assert len([one for one in queries if one.startswith("SELECT")]) == 1
    assert not any(one.startswith("UPDATE") for one in queries), "its use isn't written again"


def test_uses_at_the_same_time_get_the_same_tokens(any_inst: Installation) -> None:
    text = connected(any_inst).refresh
    client = client_of(any_inst)
    together = threading.Barrier(4)

    def use(_: int) -> tuple[str, str]:
        together.wait()
        got = refresh_tokens(any_inst, client, text, None, None, SENDER)
        return got.access, got.refresh

    with ThreadPoolExecutor(4) as threads:
        ((access, _),) = set(threads.map(use, range(4)))
    assert check_access_token(any_inst, access, RESOURCE) is not None
    assert (rows(any_inst, OAuthGrant), rows(any_inst, OAuthToken)) == (1, 4)


def test_a_refresh_token_that_is_used_again_later_ends_the_grant(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = connected(any_inst).refresh
    refreshed(any_inst, text)
    late = clock.now() + dt.timedelta(seconds=61)
    monkeypatch.setattr(clock, "now", lambda: late)
    client = client_of(any_inst)
    with pytest.raises(OAuthError):
        refresh_tokens(any_inst, client, text, None, None, SENDER)
    assert rows(any_inst, OAuthGrant) == 0


def test_a_refresh_token_that_comes_again_after_its_successor_ends_the_grant(any_inst: Installation) -> None:
    text = connected(any_inst).refresh
    second = refreshed(any_inst, text)
    assert refreshed(any_inst, text).refresh == second.refresh, "its client missed the answer"
    third = refreshed(any_inst, second.refresh)
    with pytest.raises(OAuthError):
        refreshed(any_inst, text)
    assert rows(any_inst, OAuthGrant) == 0
    assert check_access_token(any_inst, third.access, RESOURCE) is None


def test_a_successor_is_used_while_the_old_token_comes_again(any_inst: Installation) -> None:
    text = connected(any_inst).refresh
    client, second = client_of(any_inst), refreshed(any_inst, text).refresh
    together = threading.Barrier(4)

    def use(number: int) -> str | None:
        together.wait()
        try:
            return refresh_tokens(any_inst, client, (text, second)[number % 2], None, None, SENDER).refresh
        except OAuthError:
            return None

    with ThreadPoolExecutor(4) as threads:
        got = {*threads.map(use, range(4))} - {None, second}
    assert len(got) <= 1, "no token has two successors"
    with pytest.raises(OAuthError):
        refresh_tokens(any_inst, client, text, None, None, SENDER)
    assert rows(any_inst, OAuthGrant) == 0


def test_a_connection_says_from_where_it_was_used_last(any_inst: Installation) -> None:
    text = connected(any_inst).refresh
    (grant,) = list_grants(any_inst, team_id=any_inst.team_id)
    assert (grant.address, grant.user_agent) == ("192.0.2.1", "Robin/1")
    refreshed(any_inst, text, Browser("2001:db8::1", "Robin/2\n" + "x" * 400))
    (grant,) = list_grants(any_inst, team_id=any_inst.team_id)
    assert (grant.address, str(grant.user_agent)[:8]) == ("2001:db8::1", "Robin/2x")
    assert len(str(grant.user_agent)) == 300


def test_the_last_use_is_noted(any_inst: Installation) -> None:
    text = connected(any_inst).access
    (grant,) = list_grants(any_inst, team_id=any_inst.team_id)
    assert grant.last_used_at is None
    check_access_token(any_inst, text, RESOURCE)
    any_inst.grant_uses.close()
    (grant,) = list_grants(any_inst, team_id=any_inst.team_id)
    assert grant.last_used_at is not None


def test_only_digests_are_stored(inst: Installation) -> None:
    tokens = connected(inst)
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
    assert (rows(any_inst, Membership), rows(any_inst, OAuthGrant), rows(any_inst, OAuthToken)) == (0, 0, 0)


def test_upkeep_deletes_what_has_expired(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    text = connected(any_inst).access
    register_client(any_inst, {"redirect_uris": ["https://other.example.org/"]}, "192.0.2.1")
    began = clock.now()

    def counts_after(days: float) -> tuple[int, int, int]:
        monkeypatch.setattr(clock, "now", lambda: began + dt.timedelta(days=days))
        sweep(any_inst)
        return rows(any_inst, OAuthClient), rows(any_inst, OAuthGrant), rows(any_inst, OAuthToken)

    assert counts_after(0.001) == (2, 1, 2)
    assert check_access_token(any_inst, text, RESOURCE) is not None
    assert counts_after(1.1) == (1, 1, 1), "the access token, and the client that nobody connected"
    assert counts_after(31) == (0, 0, 0)
