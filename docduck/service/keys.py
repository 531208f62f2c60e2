"""API keys (contract D): shown once, kept as SHA-256, limited to permissions and parsers, revoked, rotated."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import ApiKey, Parser
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import is_uuid, new_id
from docduck.service.installation import Installation
from docduck.service.permissions import ALL, check_permissions

_START = "docduck_"
_RANDOM_BYTES = 32
_PREFIX_LENGTH = 8
_USE_NOTED_EVERY = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever shows a valid key: its team, and what it may do; ``parser_ids`` None means every parser."""

    team_id: str
    key_id: str
    prefix: str
    permissions: frozenset[str]
    parser_ids: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class KeyView:
    """A key as people see it, without its text."""

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


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made; its ``text`` can't be had again."""

    text: str
    key: KeyView

    def __repr__(self) -> str:
        return f"NewKey({self.key!r})"


def create_key(
    inst: Installation,
    team_id: str,
    name: str,
    permissions: Sequence[str] | None = None,
    parser_ids: Sequence[str] | None = None,
    expires_at: dt.datetime | None = None,
    created_by: str | None = None,
) -> NewKey:
    """Make a key; None gives it all permissions, or every parser.

    Raises InputError for a blank name or an unknown permission, NotFound for a parser of no such team.
    """
    if not name.strip():
        raise InputError("A key needs a name, by which people recognise it", "name")
    wanted = None if permissions is None else list(check_permissions(permissions))
    text = _START + secrets.token_urlsafe(_RANDOM_BYTES)
    with inst.catalog.transaction(durable=True) as session:
        row = ApiKey(
            id=new_id(),
            team_id=team_id,
            name=name.strip(),
            prefix=text[len(_START) :][:_PREFIX_LENGTH],
            sha256=_digest(text),
            permissions=wanted,
            parser_ids=None if parser_ids is None else _checked_parsers(session, team_id, parser_ids),
            created_by=created_by,
            created_at=clock.now(),
            expires_at=expires_at,
        )
        session.add(row)
        session.flush()
        return NewKey(text, _view(row))


def list_keys(inst: Installation, team_id: str) -> list[KeyView]:
    """The team's keys, the newest first, revoked ones too."""
    with inst.catalog.reading() as session:
        rows = session.scalars(
            select(ApiKey).where(ApiKey.team_id == team_id).order_by(ApiKey.created_at.desc(), ApiKey.id)
        )
        return [_view(row) for row in rows]


def revoke_key(inst: Installation, team_id: str, ref: str) -> KeyView:
    """Have a key, by id or prefix, open nothing any more; raises NotFound."""
    with inst.catalog.transaction(durable=True) as session:
        row = _find(session, team_id, ref)
        row.revoked_at = row.revoked_at or clock.now()
        session.flush()
        return _view(row)


def rotate_key(inst: Installation, team_id: str, ref: str, grace_seconds: float = 0) -> NewKey:
    """A new key with the rights of another, which stays valid for ``grace_seconds``.

    Raises NotFound, and Conflict when the key is not valid any more.
    """
    with inst.catalog.reading() as session:
        old = _view(_find(session, team_id, ref))
    if old.revoked_at is not None or (old.expires_at is not None and old.expires_at <= clock.now()):
        raise Conflict("The key is not valid any more; make a new one")
    permissions = None if frozenset(old.permissions) == ALL else old.permissions
    new = create_key(inst, team_id, old.name, permissions, old.parser_ids, old.expires_at)
    with inst.catalog.transaction(durable=True) as session:
        row = _find(session, team_id, old.id)
        end = clock.now() + dt.timedelta(seconds=grace_seconds)
        if grace_seconds <= 0:
            row.revoked_at = end
        elif row.expires_at is None or row.expires_at > end:
            row.expires_at = end
    return new


def authenticate(inst: Installation, text: str) -> Caller | None:
    """Whose key ``text`` is; None when it is unknown, revoked or expired."""
    digest = _digest(text)
    moment = clock.now()
    with inst.catalog.reading() as session:
        row = session.execute(
            select(
                ApiKey.id,
                ApiKey.team_id,
                ApiKey.prefix,
                ApiKey.sha256,
                ApiKey.permissions,
                ApiKey.parser_ids,
                ApiKey.expires_at,
                ApiKey.revoked_at,
                ApiKey.last_used_at,
            ).where(ApiKey.sha256 == digest)
        ).one_or_none()
    if row is None or not hmac.compare_digest(row.sha256, digest):
        return None
    if row.revoked_at is not None or (row.expires_at is not None and row.expires_at <= moment):
        return None
    if row.last_used_at is None or moment - row.last_used_at >= _USE_NOTED_EVERY:
        _note_use(inst, row.id, moment)
    permissions = ALL if row.permissions is None else frozenset(row.permissions)
    parser_ids = None if row.parser_ids is None else frozenset(row.parser_ids)
    return Caller(row.team_id, row.id, row.prefix, permissions, parser_ids)


def _note_use(inst: Installation, key_id: str, moment: dt.datetime) -> None:
    with inst.catalog.transaction() as session:
        session.execute(update(ApiKey).where(ApiKey.id == key_id).values(last_used_at=moment))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _find(session: Session, team_id: str, ref: str) -> ApiKey:
    match = ApiKey.id == ref if is_uuid(ref) else ApiKey.prefix == ref.removeprefix(_START)[:_PREFIX_LENGTH]
    row = session.scalar(select(ApiKey).where(ApiKey.team_id == team_id, match))
    if row is None:
        raise NotFound("Key not found", "keyId", ref)
    return row


def _checked_parsers(session: Session, team_id: str, parser_ids: Sequence[str]) -> list[str]:
    wanted = list(dict.fromkeys(one.lower() for one in parser_ids))
    known = set(
        session.scalars(
            select(Parser.id).where(
                Parser.team_id == team_id, Parser.deleted_at.is_(None), Parser.id.in_(filter(is_uuid, wanted))
            )
        )
    )
    missing = [("parserId", one) for one in wanted if one not in known]
    if missing:
        raise NotFound("Parser not found", *missing[0], missing[1:])
    return wanted


def _view(row: ApiKey) -> KeyView:
    return KeyView(
        row.id,
        row.team_id,
        row.name,
        row.prefix,
        check_permissions(ALL if row.permissions is None else row.permissions),
        None if row.parser_ids is None else tuple(row.parser_ids),
        row.created_at,
        row.expires_at,
        row.revoked_at,
        row.last_used_at,
    )
