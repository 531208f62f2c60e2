"""What makes users and members, done twice at the same time by processes on PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import event

from docduck.errors import Conflict
from docduck.service.accounts.accounts import (
    add_member,
    create_own_team,
    create_team,
    create_user,
    list_users,
)
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.invitations import accept_as_new_user, accept_as_user, invite
from docduck.service.accounts.openid.flow import begin, finish
from docduck.service.accounts.permissions import ALL
from docduck.service.core.installation import Installation
from tests.conftest import MakeInstallation

pytestmark = pytest.mark.postgres

EMAIL, PASSWORD = "ann@example.org", "correct horse battery"


@pytest.fixture
def inst(make_installation: MakeInstallation, postgres_catalog: str) -> Installation:
    return make_installation(catalog_url=postgres_catalog, allow_team_creation=True, oidc_create_users=True)


def together(inst: Installation, table: str, *actions: Callable[[], Any]) -> list[Any]:
    """The results or errors of actions, each of which waits for the others before it adds to a table."""
    barrier, waited = threading.Barrier(len(actions)), threading.local()

    def wait(*given: Any) -> None:
        if given[2].startswith(f"INSERT INTO {table} ") and not hasattr(waited, "once"):
            waited.once = True
            with suppress(threading.BrokenBarrierError):
                barrier.wait(5)

    def result(action: Callable[[], Any]) -> Any:
        try:
            return action()
        except Exception as error:
            return error

    event.listen(inst.catalog.engine, "before_cursor_execute", wait)
    try:
        with ThreadPoolExecutor(len(actions)) as pool:
            return list(pool.map(result, actions))
    finally:
        event.remove(inst.catalog.engine, "before_cursor_execute", wait)


def test_an_address_and_a_slug_are_taken_once(inst: Installation) -> None:
    made = together(inst, "users", *[lambda: create_user(inst, EMAIL, "Ann")] * 2)
    assert sorted(type(one).__name__ for one in made) == ["Conflict", "UserView"]
    made = together(inst, "teams", *[lambda: create_team(inst, "Acme")] * 2)
    assert sorted(type(one).__name__ for one in made) == ["Conflict", "TeamView"]
    (user,) = list_users(inst)
    own = together(inst, "teams", *[lambda: create_own_team(inst, user.id, "Books")] * 2)
    assert len({team.slug for team in own}) == 2


def test_a_user_who_first_signs_in_twice_by_a_provider_is_made_once(inst: Installation) -> None:
    claims = {"sub": "1", "email": EMAIL, "email_verified": True, "name": "Ann"}
    provider: Any = SimpleNamespace(
        issuer="https://id.example.org",
        name="Example ID",
        authorization_url=lambda **parameters: parameters["state"],
        claims=lambda *_: claims,
    )

    def sign_in() -> tuple[str, str, str]:
        state, sealed = begin(inst, provider, "https://docs.example.org/back", "/")
        return finish(inst, provider, sealed, {"state": state, "code": "x"})

    first, second = together(inst, "users", sign_in, sign_in)
    (user,) = list_users(inst)
    assert first == second == (user.id, EMAIL, "/")


def invited(inst: Installation, team_id: str, owner_name: str) -> str:
    """The token of an invitation to a team, by its owner."""
    owner = create_user(inst, f"{owner_name}@example.org", owner_name)
    add_member(inst, team_id, owner.id, "owner")
    by = TeamUser(team_id, owner.id, ALL, None, owner.id, "owner")
    return invite(inst, by, EMAIL, "member").token


def test_invitations_to_two_teams_make_one_user(inst: Installation) -> None:
    tokens = [invited(inst, create_team(inst, name).id, name) for name in ("one", "two")]
    accept = partial(accept_as_new_user, inst, name="Ann", password=PASSWORD)
    made = together(inst, "users", *[partial(accept, token) for token in tokens])
    (refused,) = (one for one in made if isinstance(one, Exception))
    assert isinstance(refused, Conflict), refused
    assert "sign in to accept" in refused.message


def test_who_is_added_and_accepts_an_invitation_is_a_member_once(inst: Installation) -> None:
    token, ann = invited(inst, inst.team_id, "Owner"), create_user(inst, EMAIL, "Ann")
    accept = partial(accept_as_user, inst, token, ann.id)
    join = partial(add_member, inst, inst.team_id, ann.id, "member")
    made = together(inst, "audit_entries", accept, join)
    assert not [one for one in made if isinstance(one, Exception)]
    assert dict(list_users(inst, inst.team_id)[0].teams) == {"default": "member"}
