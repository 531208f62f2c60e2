"""Sessions of users who signed in: a token in a cookie, stored as SHA-256."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Membership, Team, User, UserSession
from docduck.errors import NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.connections import end_grants
from docduck.service.accounts.permissions import MANAGERS, ROLES, Permission, may_query
from docduck.service.core.audit import record_for_user
from docduck.service.core.installation import Installation
from docduck.service.core.schema import view_of
from docduck.service.core.secrets import new_token, secret_digest, signature_of

_FORM_PURPOSE = "docduck forms 1"
_NOTED_EVERY = dt.timedelta(minutes=1)
_LONGEST_ADDRESS, _LONGEST_USER_AGENT = 64, 300


@dataclass(frozen=True, slots=True)
class TeamChoice:
    """A team of a user, and their role in it."""

    id: str
    name: str
    slug: str
    role: str

    @property
    def is_managed(self) -> bool:
        """Whether the user may manage the team."""
        return self.role in MANAGERS

    @property
    def may_query(self) -> bool:
        """Whether the user may query the team's tables."""
        return may_query(self.role)

    @property
    def may_upload(self) -> bool:
        """Whether the user may add documents."""
        return Permission.DOCUMENTS_WRITE in ROLES[self.role]


@dataclass(frozen=True, slots=True)
class Browser:
    """What a session or connection is recognised by: the client's address, and its User-Agent."""

    address: str = ""
    user_agent: str = ""

    def stored(self) -> dict[str, str | None]:
        """Return both as they are stored: printable and not too long, None if unknown."""
        return {
            "address": _printable(self.address, _LONGEST_ADDRESS),
            "user_agent": _printable(self.user_agent, _LONGEST_USER_AGENT),
        }


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session in the user's list; ``is_current`` is the one that asks."""

    address: str | None
    user_agent: str | None
    created_at: dt.datetime
    last_used_at: dt.datetime
    is_current: bool


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A user with a valid session; ``team`` is the one they chose, None if they are in no team.

    ``is_operator`` tells whether they manage the installation's own team, and so may see what Dagster shows,
    which knows no teams. ``form_token`` is in the session's forms and holds for the chosen team only, so that
    a form never acts on another team than the one it showed.
    """

    session_id: str
    user_id: str
    name: str
    email: str
    teams: tuple[TeamChoice, ...]
    team: TeamChoice | None
    form_token: str
    is_operator: bool

    def caller(self) -> TeamUser:
        """Return the user as a caller for their team; raise NotFound without one."""
        if self.team is None:
            raise NotFound("Team not found", "teamId", "")
        return team_user(self.user_id, self.team)


def team_user(user_id: str, team: TeamChoice) -> TeamUser:
    """Return a user as a caller with all permissions of their role."""
    return TeamUser(team.id, user_id, ROLES[team.role], None, user_id, team.role)


def start_session(inst: Installation, user_id: str, browser: Browser | None = None) -> str:
    """Return the token of a new session of a user; their sessions that have expired are deleted."""
    moment, token, browser = clock.now(), new_token(), browser or Browser()
    with inst.catalog.transaction(durable=True) as session:
        session.execute(
            delete(UserSession).where(UserSession.user_id == user_id, UserSession.expires_at <= moment)
        )
        session.add(
            UserSession(
                user_id=user_id,
                token_sha256=secret_digest(token),
                last_used_at=moment,
                expires_at=moment + dt.timedelta(days=inst.settings.session_days),
                **browser.stored(),
            )
        )
        record_for_user(session, user_id, user_id, "user.signed_in", address=browser.address)
    return token


def list_sessions(inst: Installation, signed_in: SignedIn) -> list[SessionView]:
    """Return the valid sessions of a user, last used first."""
    moment = clock.now()
    idle = dt.timedelta(hours=inst.settings.session_idle_hours)
    mine = (
        UserSession.user_id == signed_in.user_id,
        UserSession.expires_at > moment,
        UserSession.last_used_at >= moment - idle,
    )
    with inst.catalog.read_session() as session:
        rows = session.scalars(select(UserSession).where(*mine).order_by(UserSession.last_used_at.desc()))
        return [view_of(SessionView, row, is_current=row.id == signed_in.session_id) for row in rows]


def find_session(inst: Installation, token: str, *, is_use: bool = True) -> SignedIn | None:
    """Return the user with this session token; None if it is unknown, expired or unused for too long.

    Unless it ``is_use``, the session expires as if nothing was asked.
    """
    moment = clock.now()
    with inst.catalog.read_session() as session:
        row = session.scalar(select(UserSession).where(UserSession.token_sha256 == secret_digest(token)))
        idle = dt.timedelta(hours=inst.settings.session_idle_hours)
        if row is None or row.expires_at <= moment or moment - row.last_used_at > idle:
            return None
        user = session.get_one(User, row.user_id)
        teams = teams_of(session, user.id)
        chosen = next((team for team in teams if team.id == row.team_id), teams[0] if teams else None)
        signed_in = SignedIn(
            row.id,
            user.id,
            user.name,
            user.email,
            teams,
            chosen,
            _form_token(inst, row.token_sha256, chosen),
            is_operator=any(team.id == inst.team_id and team.is_managed for team in teams),
        )
        is_noted = moment - row.last_used_at < _NOTED_EVERY
    if is_use and not is_noted:
        with inst.catalog.transaction() as session:
            session.execute(
                update(UserSession).where(UserSession.id == signed_in.session_id).values(last_used_at=moment)
            )
    return signed_in


def choose_team(inst: Installation, signed_in: SignedIn, team_id: str) -> None:
    """Let a session go on in another team of the user; raise NotFound if it is none of theirs."""
    with inst.catalog.transaction(durable=True) as session:
        mine = {team.id for team in teams_of(session, signed_in.user_id)}
        if team_id.lower() not in mine:
            raise NotFound("Team not found", "teamId", team_id)
        session.execute(
            update(UserSession).where(UserSession.id == signed_in.session_id).values(team_id=team_id.lower())
        )


def end_session(inst: Installation, token: str) -> None:
    """End a session; nothing happens if there is none."""
    with inst.catalog.transaction(durable=True) as session:
        session.execute(delete(UserSession).where(UserSession.token_sha256 == secret_digest(token)))


def end_access(session: Session, user_id: str, reason: str) -> None:
    """End all sessions and connections of a user, as after a change of their password."""
    session.execute(delete(UserSession).where(UserSession.user_id == user_id))
    end_grants(session, user_id, reason)


def teams_of(session: Session, user_id: str) -> tuple[TeamChoice, ...]:
    """Return the teams of a user by name, ignoring case."""
    rows = session.execute(
        select(Team.id, Team.name, Team.slug, Membership.role)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.user_id == user_id)
    )
    return tuple(sorted((TeamChoice(*row) for row in rows), key=lambda team: (team.name.casefold(), team.id)))


def end_all_sessions(inst: Installation, user_id: str) -> None:
    """Sign a user out in all browsers, and end their connections."""
    with inst.catalog.transaction(durable=True) as session:
        end_access(session, user_id, "the user signed out everywhere")
        record_for_user(session, user_id, user_id, "user.signed_out_everywhere")


def _form_token(inst: Installation, token_sha256: str, team: TeamChoice | None) -> str:
    return signature_of(inst.settings, _FORM_PURPOSE, f"{token_sha256}\n{team.id if team else ''}").hex()


def _printable(text: str, most: int) -> str | None:
    return "".join(character for character in text if character.isprintable())[:most] or None
