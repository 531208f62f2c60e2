"""Invitations, what expires about users, and what roles may do."""

from __future__ import annotations

import datetime as dt

import pytest

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
from tests.service.core.catalog import count


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
        return [count(any_inst, table) for table in (Invitation, PasswordReset, UserSession)]

    sweep(any_inst)
    assert left() == [1, 1, 1]
    later = clock.now() + dt.timedelta(days=31)
    monkeypatch.setattr(clock, "now", lambda: later)
    sweep(any_inst)
    assert left() == [0, 0, 0]


def test_invitations_need_the_right_to_send_them(inst: Installation) -> None:
    owner, admin = as_member(inst, "owner", "owner"), as_member(inst, "ann", "admin")
    new = invite(inst, owner, "bob@example.org", "owner")
    with pytest.raises(Forbidden, match="Only an owner"):
        invite(inst, admin, "bob@example.org", "reviewer")
    assert find_invitation(inst, new.token)[0].role == "owner"
    assert invite(inst, owner, "bob@example.org", "admin").invitation.role == "admin"
    new = invite(inst, admin, "bob@example.org", "admin")
    assert (new.invitation.role, find_invitation(inst, new.token)[0].invited_by) == ("admin", "ann")
    add_member(inst, inst.team_id, admin.user_id, "member")
    with pytest.raises(NotFound, match="not valid any more"):
        find_invitation(inst, new.token)


def test_who_may_grant_what_and_query() -> None:
    assert [role for role in ROLES if may_query(role)] == ["owner", "admin", "member"]
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
