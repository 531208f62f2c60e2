"""Invitations to teams: by address, accepted once, with a link that is stored as SHA-256."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Invitation, Membership, Team, User
from docduck.errors import Conflict, Forbidden, NotFound
from docduck.ids import is_uuid, new_id
from docduck.service.accounts.accounts import check_role, checked_email, checked_person, find_user_id, join
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.passwords import hash_password
from docduck.service.accounts.permissions import assignable_roles, check_manager, check_may_assign
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.schema import view_of
from docduck.service.core.secrets import new_token, secret_digest
from docduck.service.core.transactions import repeated_if_overtaken

INVITATION_DAYS = 7

_MOST_OPEN = 200


@dataclass(frozen=True, slots=True)
class InvitationView:
    """An open invitation."""

    id: str
    team_id: str
    team_name: str
    email: str
    role: str
    invited_by: str
    expires_at: dt.datetime


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """A new invitation with the ``token`` of its link, which is not stored."""

    token: str = field(repr=False)
    invitation: InvitationView


def invite(inst: Installation, by: TeamUser, email: str, role: str) -> NewInvitation:
    """Invite an address to the user's team; an earlier invitation of the address ends.

    Raise Forbidden, also if the user may not revoke the earlier one, InputError, and Conflict for a member or
    too many open invitations.
    """
    check_role(role)
    check_may_assign(by.role, role)
    address, token, moment = checked_email(email), new_token(), clock.now()
    row = Invitation(
        id=new_id(),
        team_id=by.team_id,
        email=address,
        role=role,
        token_sha256=secret_digest(token),
        invited_by=by.user_id,
        expires_at=moment + dt.timedelta(days=INVITATION_DAYS),
    )
    with inst.catalog.transaction(durable=True) as session:
        team = session.scalars(select(Team).where(Team.id == by.team_id).with_for_update()).one()
        if _is_member(session, team.id, address):
            raise Conflict(f"{address} is a member of the team already")
        earlier = (Invitation.team_id == team.id, Invitation.email == address)
        check_may_assign(by.role, *(view.role for view in _views(session, *earlier)))
        session.execute(delete(Invitation).where(*earlier))
        counted = select(func.count()).where(Invitation.team_id == team.id, Invitation.expires_at > moment)
        if (session.scalar(counted) or 0) >= _MOST_OPEN:
            raise Conflict(f"The team has {_MOST_OPEN} open invitations; revoke some first")
        session.add(row)
        session.flush()
        _audit(session, row, by.user_id, "invitation.created")
        (made,) = _views(session, Invitation.id == row.id)
    return NewInvitation(token, made)


def list_invitations(inst: Installation, by: TeamUser) -> Sequence[InvitationView]:
    """Return the open invitations of the user's team by address; raise Forbidden."""
    check_manager(by.role)
    with inst.catalog.read_session() as session:
        return _views(session, Invitation.team_id == by.team_id)


def revoke_invitation(inst: Installation, by: TeamUser, invitation_id: str) -> None:
    """Revoke an invitation of the user's team; raise Forbidden, NotFound."""
    check_manager(by.role)
    with inst.catalog.transaction(durable=True) as session:
        mine = (Invitation.team_id == by.team_id, Invitation.id == invitation_id.lower())
        row = session.scalar(select(Invitation).where(*mine)) if is_uuid(invitation_id) else None
        if row is None:
            raise NotFound("Invitation not found", "invitationId", invitation_id)
        check_may_assign(by.role, row.role)
        session.delete(row)
        _audit(session, row, by.user_id, "invitation.revoked")


def find_invitation(inst: Installation, token: str) -> tuple[InvitationView, bool]:
    """Return the invitation of a link, and whether its address has an account; raise NotFound."""
    with inst.catalog.read_session() as session:
        invitation = _find(session, token)
        return invitation, find_user_id(session, invitation.email) is not None


@repeated_if_overtaken
def accept_as_user(inst: Installation, token: str, user_id: str) -> str:
    """Let the user with the invited address join the team; return the team's id.

    Raise NotFound, and Forbidden for another user.
    """
    with inst.catalog.transaction(durable=True) as session:
        invitation = _find(session, token)
        user = session.get_one(User, user_id)
        if user.email != invitation.email:
            raise Forbidden(f"This invitation is for {invitation.email}; sign in as that user")
        _accept(session, invitation, user)
    return invitation.team_id


@repeated_if_overtaken
def accept_as_new_user(inst: Installation, token: str, name: str, password: str) -> tuple[str, str]:
    """Create a user with the invited address, who joins the team; return their id and address.

    Raise NotFound, InputError, and Conflict if the address has an account.
    """
    find_invitation(inst, token)
    name, password_hash = checked_person(name), hash_password(password, inst.settings.password_min_length)
    with inst.catalog.transaction(durable=True) as session:
        invitation = _find(session, token)
        if find_user_id(session, invitation.email) is not None:
            raise Conflict(f"{invitation.email} has an account already; sign in to accept the invitation")
        user = User(id=new_id(), email=invitation.email, name=name, password_hash=password_hash)
        _accept(session, invitation, user)
        return user.id, user.email


def _accept(session: Session, invitation: InvitationView, user: User) -> None:
    # Of two requests with the same link, the second one finds nothing to delete.
    used = delete(Invitation).where(Invitation.id == invitation.id).returning(Invitation.id)
    if session.scalar(used) is None:
        raise _no_invitation()
    session.add(user)
    session.flush()
    if not _is_member(session, invitation.team_id, user.email):
        join(session, invitation.team_id, user, invitation.role, user.id, invitedBy=invitation.invited_by)


def _find(session: Session, token: str) -> InvitationView:
    views = _views(session, Invitation.token_sha256 == secret_digest(token))
    if not views:
        raise _no_invitation()
    return views[0]


def _no_invitation() -> NotFound:
    return NotFound("This invitation is not valid any more; ask for a new one", "invitationId", "")


def _views(session: Session, *conditions: object) -> list[InvitationView]:
    """Return open invitations; those end whose sender may no longer grant the role."""
    rows: Select[Invitation, str, str, str] = (
        select(Invitation, Team.name, User.name, Membership.role)
        .join(Team, Team.id == Invitation.team_id)
        .join(User, User.id == Invitation.invited_by)
        .join(
            Membership,
            (Membership.user_id == Invitation.invited_by) & (Membership.team_id == Invitation.team_id),
        )
        .where(Invitation.expires_at > clock.now(), *conditions)  # type: ignore[arg-type]
        .order_by(Invitation.email)
    )
    return [
        view_of(InvitationView, invitation, team_name=team_name, invited_by=inviter)
        for invitation, team_name, inviter, role in session.execute(rows)
        if invitation.role in assignable_roles(role)
    ]


def _is_member(session: Session, team_id: str, email: str) -> bool:
    mine = select(Membership.id).join(User).where(Membership.team_id == team_id, User.email == email)
    return session.scalar(mine) is not None


def _audit(session: Session, row: Invitation, actor: str, action: str) -> None:
    details = {"email": row.email, "role": row.role}
    audit.record(session, row.team_id, actor, action, "invitation", [(row.id, details)])
