"""Teams, users and memberships."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Select, delete, func, or_, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentStage, Membership, ReviewStage, Team, User
from docduck.catalog.models.accounts import ROLES
from docduck.errors import Conflict, Forbidden, InputError, NotFound
from docduck.ids import is_uuid, new_id, snake_case
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.connections import end_grants
from docduck.service.accounts.key_revocation import revoke_keys_of
from docduck.service.accounts.passwords import hash_password, is_password
from docduck.service.accounts.permissions import check_manager, check_may_assign
from docduck.service.accounts.quotas import quota_of
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import repeated_if_overtaken

_EMAIL = re.compile(r"[^\s@]+@[^\s@]+")
_LONGEST_EMAIL, _LONGEST_NAME, _LONGEST_SLUG = 320, 200, 50
_RANDOM_LETTERS = 6
_HIGHEST_WEIGHT, _LARGEST_QUOTA = 1000, 1_000_000_000
OPERATOR = "system"
"""The name in the audit log of who uses the command line."""

_NOT_FOUND = {"reviewerId": "Reviewer not found", "assigneeId": "Assignee not found"}


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team; commands refer to it by ``slug``.

    ``documents_today`` of its ``documents_per_day`` were taken in today; both are None without a quota.
    """

    id: str
    name: str
    slug: str
    weight: int
    documents_per_day: int | None
    documents_today: int | None


@dataclass(frozen=True, slots=True)
class UserView:
    """A user; ``teams`` are (slug, role) of their teams."""

    id: str
    email: str
    name: str
    has_password: bool
    teams: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a team."""

    id: str
    name: str
    email: str
    role: str


@repeated_if_overtaken
def create_team(inst: Installation, name: str, slug: str | None = None) -> TeamView:
    """Create a team with a slug made from its name; raise InputError, and Conflict if the slug is taken."""
    name = _name(name, "team")
    slug_ = slug if slug is not None else snake_case(name, otherwise="team")[:_LONGEST_SLUG].strip("_")
    if slug_ != snake_case(slug_) or len(slug_) > _LONGEST_SLUG:
        raise InputError(
            f"A team's slug has up to {_LONGEST_SLUG} lower-case letters, digits and underscores", "slug"
        )
    with inst.catalog.transaction(durable=True) as session:
        if _is_slug_taken(session, slug_):
            raise Conflict(f"A team with the slug '{slug_}' exists already; choose another slug", "slug")
        team = Team(id=new_id(), name=name, slug=slug_)
        session.add(team)
        return _team(team)


@repeated_if_overtaken
def create_own_team(inst: Installation, user_id: str, name: str) -> TeamView:
    """Create a team with a user as its owner; its slug is made from its name.

    Raise Forbidden unless the settings allow it, InputError.
    """
    if not inst.settings.allow_team_creation:
        raise Forbidden("Teams are created by the operator of this server")
    name = _name(name, "team")
    wanted = snake_case(name, otherwise="team")[: _LONGEST_SLUG - _RANDOM_LETTERS - 1].strip("_")
    with inst.catalog.transaction(durable=True) as session:
        if _is_slug_taken(session, wanted):
            wanted = f"{wanted}_{secrets.token_hex(_RANDOM_LETTERS // 2)}"
        team = Team(id=new_id(), name=name, slug=wanted)
        session.add(team)
        session.flush()
        session.add(Membership(team_id=team.id, user_id=user_id, role="owner"))
        audit.record(session, team.id, user_id, "team.created", "team", [(team.id, {"name": name})])
        return _team(team)


def list_teams(inst: Installation) -> list[TeamView]:
    """Return all teams, oldest first."""
    with inst.catalog.read_session() as session:
        return [_team(team) for team in session.scalars(select(Team).order_by(Team.created_at, Team.id))]


def get_team(inst: Installation, ref: str) -> TeamView:
    """Return the team with this id or slug; raise NotFound."""
    with inst.catalog.read_session() as session:
        return _team(_find_team(session, ref))


def rename_team(inst: Installation, ref: str, name: str, by: TeamUser | None = None) -> TeamView:
    """Rename a team, keeping its slug; ``by`` is None for the operator.

    Raise Forbidden, InputError, NotFound.
    """
    if by is not None:
        check_manager(by.role)
    name = _name(name, "team")
    with inst.catalog.transaction(durable=True) as session:
        team = _find_team(session, ref)
        details = audit.changes({"name": team.name}, {"name": name})
        team.name = name
        audit.record(session, team.id, _actor(by), "team.updated", "team", [(team.id, details)])
        return _team(team)


def limit_team(
    inst: Installation, ref: str, weight: int | None = None, documents_per_day: int | None = None
) -> TeamView:
    """Set a team's share of the workers, and its quota; None leaves either, and 0 is no quota.

    Raise InputError, NotFound.
    """
    if weight is not None and not 1 <= weight <= _HIGHEST_WEIGHT:
        raise InputError(f"A team's weight is 1 to {_HIGHEST_WEIGHT}", "weight")
    if documents_per_day is not None and not 0 <= documents_per_day <= _LARGEST_QUOTA:
        raise InputError(f"A team's quota is 1 to {_LARGEST_QUOTA:,}, or 0 for none", "documentsPerDay")
    with inst.catalog.transaction(durable=True) as session:
        team = _find_team(session, ref, locked=True)
        before = {"weight": team.weight, "documentsPerDay": team.documents_per_day}
        if weight is not None:
            team.weight = weight
        if documents_per_day is not None:
            team.documents_per_day = documents_per_day or None
        after = {"weight": team.weight, "documentsPerDay": team.documents_per_day}
        details = audit.changes(before, after)
        audit.record(session, team.id, OPERATOR, "team.updated", "team", [(team.id, details)])
        return _team(team)


def team_weights(inst: Installation) -> dict[str, int]:
    """Return the weights of the teams whose weight is not 1, by id."""
    with inst.catalog.read_session() as session:
        rows = session.execute(select(Team.id, Team.weight).where(Team.weight != 1))
        return {team_id: weight for team_id, weight in rows}


@repeated_if_overtaken
def create_user(inst: Installation, email: str, name: str, password: str | None = None) -> UserView:
    """Create a user; without a password, signing in by one is impossible.

    Raise InputError, and Conflict if the address is taken.
    """
    address, name = checked_email(email), checked_person(name)
    password_hash = None if password is None else hash_password(password, inst.settings.password_min_length)
    with inst.catalog.transaction(durable=True) as session:
        if session.scalar(select(User.id).where(User.email == address)) is not None:
            raise Conflict(f"A person with the address {address} exists already", "email")
        user = User(id=new_id(), email=address, name=name, password_hash=password_hash)
        session.add(user)
        return _user(user, ())


def list_users(inst: Installation, team_id: str | None = None) -> list[UserView]:
    """Return all users, or those of a team, by address."""
    rows = select(User).order_by(User.email)
    if team_id is not None:
        rows = rows.where(User.id.in_(select(Membership.user_id).where(Membership.team_id == team_id)))
    with inst.catalog.read_session() as session:
        roles: dict[str, list[tuple[str, str]]] = {}
        for user_id, slug, role in session.execute(
            select(Membership.user_id, Team.slug, Membership.role).join(Team).order_by(Team.slug)
        ):
            roles.setdefault(user_id, []).append((slug, role))
        return [_user(user, roles.get(user.id, ())) for user in session.scalars(rows)]


def check_password(inst: Installation, email: str, password: str) -> str | None:
    """Return the id of the user with this address and password; None if either is wrong."""
    with inst.catalog.read_session() as session:
        user = session.execute(
            select(User.id, User.password_hash).where(User.email == email.strip().lower())
        ).one_or_none()
    is_right = is_password(password, user.password_hash if user else None)
    return user.id if user is not None and is_right else None


def find_user_id(session: Session, email: str) -> str | None:
    """Return the id of the user with this address; None if there is none."""
    return session.scalar(select(User.id).where(User.email == email.strip().lower()))


@repeated_if_overtaken
def add_member(inst: Installation, team_id: str, user: str, role: str) -> Member:
    """Add a user, by id or address, to a team, or change their role, for the operator.

    Raise InputError for an unknown role, NotFound, and Conflict if the team would lose its last owner.
    """
    check_role(role)
    with inst.catalog.transaction(durable=True) as session:
        team = _find_team(session, team_id, locked=True)
        match = User.id == user.lower() if is_uuid(user) else User.email == user.strip().lower()
        person = session.scalar(select(User).where(match))
        if person is None:
            raise NotFound("User not found", "userId", user)
        mine = (Membership.team_id == team.id, Membership.user_id == person.id)
        membership = session.scalar(select(Membership).where(*mine))
        if membership is None:
            join(session, team.id, person, role, OPERATOR)
        else:
            _set_role(session, team, membership, person, role, OPERATOR)
        return Member(person.id, person.name, person.email, role)


def change_role(inst: Installation, by: TeamUser, user_id: str, role: str) -> Member:
    """Change the role of a member of the user's team.

    Raise Forbidden, InputError for an unknown role, NotFound, and Conflict if the team would lose its last
    owner.
    """
    check_role(role)
    check_manager(by.role)
    with inst.catalog.transaction(durable=True) as session:
        team = _find_team(session, by.team_id, locked=True)
        member = find_member(session, team.id, user_id)
        check_may_assign(by.role, role, member.role)
        mine = (Membership.team_id == team.id, Membership.user_id == member.id)
        membership = session.scalars(select(Membership).where(*mine)).one()
        _set_role(session, team, membership, session.get_one(User, member.id), role, by.user_id)
        return Member(member.id, member.name, member.email, role)


def join(session: Session, team_id: str, user: User, role: str, actor: str, **details: str) -> None:
    """Make a user a member of a team that they aren't in."""
    session.add(Membership(team_id=team_id, user_id=user.id, role=role))
    facts = {"email": user.email, "role": role, **details}
    audit.record(session, team_id, actor, "member.added", "user", [(user.id, facts)])


def remove_member(inst: Installation, team_id: str, user: str, by: TeamUser | None = None) -> Member:
    """Remove a user, by id or address, from a team; ``by`` is None for the operator.

    The keys that they created for the team are revoked, what they allowed clients in it ends, and their
    documents and review stages lose their assignee: reviews go on, and wait until somebody else is assigned.
    Raise Forbidden, NotFound, and Conflict for the last owner.
    """
    if by is not None:
        check_manager(by.role)
    with inst.catalog.transaction(durable=True) as session:
        team = _find_team(session, team_id, locked=True)
        match = User.id == user.lower() if is_uuid(user) else User.email == user.strip().lower()
        row = session.execute(_members().where(Membership.team_id == team.id, match)).one_or_none()
        if row is None:
            raise NotFound("User not found", "userId", user)
        member = Member(*row)
        if by is not None:
            check_may_assign(by.role, member.role)
        if member.role == "owner" and _owners(session, team.id) == 1:
            raise Conflict(f"{member.email} is the only owner of team {team.slug}; name another one first")
        revoke_keys_of(session, team.id, member.id, _actor(by))
        end_grants(session, member.id, "the member was removed", _actor(by), team.id)
        session.execute(
            delete(Membership).where(Membership.team_id == team.id, Membership.user_id == member.id)
        )
        is_open = DocumentStage.status.in_(("pending", "in_progress"))
        reviewed = select(DocumentStage.document_id).where(DocumentStage.assignee_id == member.id, is_open)
        is_theirs = or_(Document.assignee_id == member.id, Document.id.in_(reviewed))
        theirs = select(Document.id).where(Document.team_id == team.id, is_theirs)
        # Locked in the order in which all code locks documents.
        session.execute(theirs.order_by(Document.id).with_for_update())
        for statement in (
            update(Document).values(updated_at=clock.now()).where(is_theirs),
            update(Document).values(assignee_id=None).where(Document.assignee_id == member.id),
            update(DocumentStage)
            .values(assignee_id=None)
            .where(DocumentStage.assignee_id == member.id, is_open),
            update(ReviewStage).values(reviewer_id=None).where(ReviewStage.reviewer_id == member.id),
        ):
            mine = statement.where(statement.table.c.team_id == team.id)
            session.execute(mine.execution_options(synchronize_session=False))
        details = {"email": member.email, "role": member.role}
        audit.record(session, team.id, _actor(by), "member.removed", "user", [(member.id, details)])
        return member


def members(inst: Installation, team_id: str) -> Sequence[Member]:
    """Return the members of a team by name, ignoring case."""
    with inst.catalog.read_session() as session:
        rows = session.execute(_members().where(Membership.team_id == team_id))
        return sorted((Member(*row) for row in rows), key=lambda member: (member.name.casefold(), member.id))


def find_member(session: Session, team_id: str, user_id: str, kind: str = "userId") -> Member:
    """Return a member by id; raise NotFound of ``kind``: reviewerId, assigneeId or userId."""
    row = None
    if is_uuid(user_id):
        mine = (Membership.team_id == team_id, Membership.user_id == user_id.lower())
        row = session.execute(_members().where(*mine)).one_or_none()
    if row is None:
        raise NotFound(_NOT_FOUND.get(kind, "User not found"), kind, user_id)
    return Member(*row)


def check_role(role: str) -> None:
    """Raise InputError for an unknown role."""
    if role not in ROLES:
        raise InputError(f"Unknown role: {role}. Known: {', '.join(ROLES)}", "role")


def checked_person(name: str) -> str:
    """Return the name of a person without blanks around it; raise InputError."""
    return _name(name, "person")


def checked_email(text: str) -> str:
    """Return an address in lower case; raise InputError if it is none."""
    address = text.strip().lower()
    if not _EMAIL.fullmatch(address) or not address.isprintable() or len(address) > _LONGEST_EMAIL:
        raise InputError(f"'{text}' is no e-mail address", "email")
    return address


def _actor(by: TeamUser | None) -> str:
    return OPERATOR if by is None else by.user_id


def _set_role(
    session: Session, team: Team, membership: Membership, person: User, role: str, actor: str
) -> None:
    if membership.role == "owner" != role and _owners(session, team.id) == 1:
        raise Conflict(f"{person.email} is the only owner of team {team.slug}; name another one first")
    if membership.role == role:
        return
    details = {"email": person.email, **audit.changes({"role": membership.role}, {"role": role})}
    membership.role = role
    audit.record(session, team.id, actor, "member.updated", "user", [(person.id, details)])


def _is_slug_taken(session: Session, slug: str) -> bool:
    return session.scalar(select(Team.id).where(Team.slug == slug)) is not None


def _members() -> Select[str, str, str, str]:
    return select(User.id, User.name, User.email, Membership.role).join(
        Membership, Membership.user_id == User.id
    )


def _owners(session: Session, team_id: str) -> int:
    counted = select(func.count()).where(Membership.team_id == team_id, Membership.role == "owner")
    return session.scalar(counted) or 0


def _find_team(session: Session, ref: str, locked: bool = False) -> Team:
    match = Team.id == ref.lower() if is_uuid(ref) else Team.slug == ref
    rows = select(Team).where(match)
    team = session.scalar(rows.with_for_update() if locked else rows)
    if team is None:
        raise NotFound("Team not found", "teamId", ref)
    return team


def _name(text: str, whose: str) -> str:
    if not 1 <= len(text.strip()) <= _LONGEST_NAME:
        raise InputError(f"The name of a {whose} must have 1 to {_LONGEST_NAME} characters", "name")
    return text.strip()


def _team(team: Team) -> TeamView:
    quota = quota_of(team)
    used = None if quota is None else quota.used
    return TeamView(team.id, team.name, team.slug, team.weight, team.documents_per_day, used)


def _user(user: User, teams: Sequence[tuple[str, str]]) -> UserView:
    return UserView(user.id, user.email, user.name, user.password_hash is not None, tuple(teams))
