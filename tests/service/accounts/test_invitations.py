"""Invitations, what expires about users, and what roles may do."""

from __future__ import annotations

import datetime as dt

import pytest
from sqlalchemy import func, select

from docduck import clock
from docduck.catalog.models import Invitation, PasswordReset, UserSession
from docduck.errors import Forbidden, NotFound
from docduck.service.accounts.accounts import add_member, create_user
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.invitations import find_invitation, invite
from docduck.service.accounts.password_reset import start_reset
from docduck.service.accounts.permissions import ROLES, assignable_roles, check_may_assign, may_query
from docduck.service.accounts.sessions import start_session
from docduck.service.core.installation import Installation
from docduck.service.upkeep.housekeeping import sweep


def as_member(inst: Installation, name: str, role: str) -> TeamUser:
    user = create_user(inst, f"{name}@example.org", name)
    add_member(inst, inst.team_id, user.id, role)
    return TeamUser(inst.team_id, user.id, ROLES[role], None, user.id, role)


def test_upkeep_deletes_what_has_expired(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = as_member(any_inst, "ann", "owner")
    invite(any_inst, owner, "bob@example.org", "member")
    start_reset(any_inst, "ann@example.org")
    start_session(any_inst, owner.user_id)

    def left() -> list[int]:
        with any_inst.catalog.read_session() as session:
            tables = (Invitation, PasswordReset, UserSession)
            return [session.scalar(select(func.count()).select_from(table)) or 0 for table in tables]

    sweep(any_inst)
    assert left() == [1, 1, 1]
    later = clock.now() + dt.timedelta(days=31)
    monkeypatch.setattr(clock, "now", lambda: later)
    sweep(any_inst)
    assert left() == [0, 0, 0]


def test_an_invitation_ends_with_the_right_to_send_it(any_inst: Installation) -> None:
    as_member(any_inst, "owner", "owner")
    admin = as_member(any_inst, "ann", "admin")
    new = invite(any_inst, admin, "bob@example.org", "admin")
    assert find_invitation(any_inst, new.token)[0].invited_by == "ann"
    add_member(any_inst, any_inst.team_id, admin.user_id, "member")
    with pytest.raises(NotFound, match="not valid any more"):
        find_invitation(any_inst, new.token)


def test_only_an_owner_replaces_the_invitation_of_an_owner(any_inst: Installation) -> None:
    owner, admin = as_member(any_inst, "owner", "owner"), as_member(any_inst, "ann", "admin")
    new = invite(any_inst, owner, "bob@example.org", "owner")
    with pytest.raises(Forbidden, match="Only an owner"):
        invite(any_inst, admin, "bob@example.org", "reviewer")
    assert find_invitation(any_inst, new.token)[0].role == "owner"
    assert invite(any_inst, owner, "bob@example.org", "admin").invitation.role == "admin"
    assert invite(any_inst, admin, "bob@example.org", "reviewer").invitation.role == "reviewer"


def test_who_may_grant_what() -> None:
    assert [assignable_roles(role) for role in ROLES] == [
        ("owner", "admin", "member", "reviewer"),
        ("admin", "member", "reviewer"),
        (),
        (),
    ]
    check_may_assign("owner", "owner", "member")
    for role, others in (("admin", ["owner"]), ("admin", ["member", "owner"]), ("member", ["reviewer"])):
        with pytest.raises(Forbidden):
            check_may_assign(role, *others)


def test_who_may_query() -> None:
    assert [role for role in ROLES if may_query(role)] == ["owner", "admin", "member"]
