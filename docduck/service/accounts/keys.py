"""API keys: shown once, stored as SHA-256, limited to permissions and parsers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import ApiKey, Membership, Parser
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import is_uuid, new_id
from docduck.service.accounts.accounts import OPERATOR, find_member
from docduck.service.accounts.caller import KeyOwner, TeamUser
from docduck.service.accounts.key_revocation import key_facts, record_key, revoke
from docduck.service.accounts.permissions import ALL, ROLES, check_manager, check_permissions
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.key_usage import NOTED_EVERY
from docduck.service.core.schema import view_of
from docduck.service.core.secrets import new_token, secret_digest

_START = "docduck_"
_PREFIX_LENGTH = 8
_LONGEST_GRACE = 90 * 86_400
_BY_DIGEST = (
    select(
        ApiKey.id,
        ApiKey.team_id,
        ApiKey.prefix,
        ApiKey.permissions,
        ApiKey.parser_ids,
        ApiKey.expires_at,
        ApiKey.revoked_at,
        ApiKey.last_used_at,
        ApiKey.created_by,
        Membership.role,
    )
    .outerjoin(
        Membership, and_(Membership.team_id == ApiKey.team_id, Membership.user_id == ApiKey.created_by)
    )
    .where(ApiKey.sha256 == bindparam("digest"))
)


@dataclass(frozen=True, slots=True)
class KeyView:
    """A key without its text."""

    id: str
    team_id: str
    name: str
    prefix: str
    permissions: tuple[str, ...]
    parser_ids: tuple[str, ...] | None
    created_at: dt.datetime
    expires_at: dt.datetime | None
    revoked_at: dt.datetime | None
    last_used_at: dt.datetime | None

    def is_valid(self, moment: dt.datetime) -> bool:
        """Return whether the key is valid at ``moment``."""
        return _is_valid(self.expires_at, self.revoked_at, moment)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key with its ``text``, which is not stored."""

    text: str = field(repr=False)
    key: KeyView


def create_key(
    inst: Installation,
    team_id: str,
    name: str,
    permissions: Sequence[str] | None = None,
    parser_ids: Sequence[str] | None = None,
    expires_at: dt.datetime | None = None,
    by: TeamUser | None = None,
) -> NewKey:
    """Create a key; None means all permissions, or every parser.

    ``by`` is the member who creates it, whose role limits the key, None for the operator. Raise Forbidden,
    InputError for a blank name, an unknown permission, an empty list or an expiry in the past, NotFound for a
    parser of another team, or a member who is none any more.
    """
    if by is not None:
        check_manager(by.role)
    if not name.strip():
        raise InputError("A key needs a name, by which people recognise it", "name")
    if expires_at is not None and expires_at <= clock.now():
        raise InputError("A key can't expire in the past", "expiresAt")
    requested = None if permissions is None else list(check_permissions(permissions))
    with inst.catalog.transaction(durable=True) as session:
        parsers = None if parser_ids is None else _checked_parsers(session, team_id, parser_ids)
        if by is not None:
            find_member(session, team_id, by.user_id)
        row = ApiKey(
            team_id=team_id,
            name=name.strip(),
            permissions=requested,
            parser_ids=parsers,
            created_by=by and by.user_id,
            expires_at=expires_at,
        )
        return _added(session, row, by)


def list_keys(inst: Installation, team_id: str) -> list[KeyView]:
    """Return the team's keys, newest first, including revoked ones."""
    with inst.catalog.read_session() as session:
        rows = session.scalars(
            select(ApiKey).where(ApiKey.team_id == team_id).order_by(ApiKey.created_at.desc(), ApiKey.id)
        )
        return [_view(row) for row in rows]


def get_key(inst: Installation, team_id: str, ref: str) -> KeyView:
    """Return a key of the team; raise NotFound."""
    with inst.catalog.read_session() as session:
        return _view(_find(session, team_id, ref))


def revoke_key(inst: Installation, team_id: str, ref: str, by: TeamUser | None = None) -> KeyView:
    """Revoke a key, given by id, prefix or text; raise Forbidden, NotFound."""
    if by is not None:
        check_manager(by.role)
    with inst.catalog.transaction(durable=True) as session:
        row = _find(session, team_id, ref)
        revoke(session, row, _actor(by))
        session.flush()
        return _view(row)


def rotate_key(
    inst: Installation, team_id: str, ref: str, grace_seconds: float = 0, by: TeamUser | None = None
) -> NewKey:
    """Create a key with the name, rights and expiry of another, which stays valid for ``grace_seconds``.

    It becomes a key of ``by``, if given. Raise Forbidden, NotFound, Conflict if the key is no longer valid,
    InputError for a negative grace.
    """
    if by is not None:
        check_manager(by.role)
    if not 0 <= grace_seconds <= _LONGEST_GRACE:
        raise InputError(f"A key's grace must be 0 to {_LONGEST_GRACE} seconds", "grace")
    with inst.catalog.transaction(durable=True) as session:
        old = _find(session, team_id, ref)
        session.refresh(old, with_for_update=True)
        moment = clock.now()
        if not _is_valid(old.expires_at, old.revoked_at, moment):
            raise Conflict(f"Key '{old.name}' ({old.prefix}) is not valid any more; make a new one")
        row = ApiKey(
            team_id=team_id,
            name=old.name,
            permissions=old.permissions,
            parser_ids=old.parser_ids,
            created_by=old.created_by if by is None else by.user_id,
            expires_at=old.expires_at,
        )
        before = key_facts(old)
        end = moment + dt.timedelta(seconds=grace_seconds)
        if grace_seconds == 0:
            old.revoked_at = moment
        elif old.expires_at is None or old.expires_at > end:
            old.expires_at = end
        record_key(session, old, _actor(by), "key.rotated", **audit.changes(before, key_facts(old)))
        return _added(session, row, by)


def authenticate(inst: Installation, text: str) -> KeyOwner | None:
    """Return the owner of a key; None if it is unknown, revoked or expired.

    The role of the member who created the key limits its permissions.
    """
    moment = clock.now()
    with inst.catalog.reading() as connection:
        row = connection.execute(_BY_DIGEST, {"digest": secret_digest(text)}).one_or_none()
    if row is None or not _is_valid(row.expires_at, row.revoked_at, moment):
        return None
    if row.last_used_at is None or moment - row.last_used_at >= NOTED_EVERY:
        inst.key_uses.note(row.id, moment)
    permissions = ALL if row.permissions is None else frozenset(row.permissions)
    if row.created_by is not None:
        permissions &= ROLES[row.role] if row.role is not None else frozenset()
    parser_ids = None if row.parser_ids is None else frozenset(row.parser_ids)
    return KeyOwner(row.team_id, f"key {row.prefix}", permissions, parser_ids, row.id, row.prefix)


def _is_valid(expires_at: dt.datetime | None, revoked_at: dt.datetime | None, moment: dt.datetime) -> bool:
    return revoked_at is None and (expires_at is None or moment < expires_at)


def _added(session: Session, row: ApiKey, by: TeamUser | None) -> NewKey:
    text = new_token(_START)
    row.id = new_id()
    row.prefix = text[len(_START) :][:_PREFIX_LENGTH]
    row.sha256 = secret_digest(text)
    row.created_at = clock.now()
    session.add(row)
    session.flush()
    record_key(session, row, _actor(by), "key.created")
    return NewKey(text, _view(row))


def _actor(by: TeamUser | None) -> str:
    return OPERATOR if by is None else by.user_id


def _find(session: Session, team_id: str, ref: str) -> ApiKey:
    """Return the team's key with this id, prefix (with or without ``docduck_``) or text; raise NotFound."""
    short = ref.removeprefix(_START)
    if is_uuid(ref):
        match = ApiKey.id == ref.lower()
    elif len(short) > _PREFIX_LENGTH:
        match = ApiKey.sha256 == secret_digest(ref)
    else:
        match = ApiKey.prefix == short
    rows = session.scalars(select(ApiKey).where(ApiKey.team_id == team_id, match).limit(2)).all()
    if not rows:
        # Never repeat the text of a key, which may be valid in another team.
        raise NotFound("Key not found", "keyId", ref if is_uuid(ref) else short[:_PREFIX_LENGTH])
    if len(rows) > 1:
        raise InputError(f"Several keys begin with {short}; name the one by its id")
    return rows[0]


def _checked_parsers(session: Session, team_id: str, parser_ids: Sequence[str]) -> list[str]:
    ids = list(dict.fromkeys(parser_id.lower() for parser_id in parser_ids))
    if not ids:
        raise InputError("A key that is limited to parsers needs at least one", "parserIds")
    known = set(
        session.scalars(
            select(Parser.id).where(
                Parser.team_id == team_id, Parser.deleted_at.is_(None), Parser.id.in_(filter(is_uuid, ids))
            )
        )
    )
    missing = [("parserId", parser_id) for parser_id in ids if parser_id not in known]
    if missing:
        raise NotFound("Parser not found", *missing[0], missing[1:])
    return ids


def _view(row: ApiKey) -> KeyView:
    permissions = check_permissions(ALL if row.permissions is None else row.permissions)
    parser_ids = None if row.parser_ids is None else tuple(row.parser_ids)
    return view_of(KeyView, row, permissions=permissions, parser_ids=parser_ids)
