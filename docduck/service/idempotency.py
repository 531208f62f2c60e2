"""Requests that carry an Idempotency-Key: done once, and answered again as the first time."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from docduck import clock
from docduck.catalog.models import IdempotentRequest
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.service.installation import Installation
from docduck.service.owner import is_dead, this_process

_KEPT = dt.timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Replay:
    """The answer that the first request got."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Begun:
    """A request that is to be done now."""

    id: str


def begin(inst: Installation, team_id: str, key_id: str, name: str, fingerprint: str) -> Replay | Begun:
    """Begin a request, or give the answer that it got before.

    Raises Conflict while it is in progress, InputError when the name was used for another request.
    """
    digest = hashlib.sha256(name.encode()).hexdigest()
    row = IdempotentRequest(
        id=new_id(),
        team_id=team_id,
        key_id=key_id,
        name_sha256=digest,
        fingerprint=fingerprint,
        owner=this_process(),
        begun_at=clock.now(),
    )
    try:
        with inst.catalog.transaction() as session:
            known = session.scalar(
                select(IdempotentRequest)
                .where(IdempotentRequest.key_id == key_id, IdempotentRequest.name_sha256 == digest)
                .with_for_update()
            )
            if known is not None and known.begun_at < clock.now() - _KEPT:
                session.delete(known)
                session.flush()
                known = None
            if known is None:
                session.add(row)
                session.flush()
                return Begun(row.id)
            if known.fingerprint != fingerprint:
                raise InputError("This Idempotency-Key was used for another request; choose a new one")
            if known.status is not None:
                return Replay(known.status, known.headers or {}, known.body or b"")
            if not is_dead(known.owner):
                raise Conflict("A request with this Idempotency-Key is still in progress")
            known.owner = row.owner
            return Begun(known.id)
    except IntegrityError as error:
        raise Conflict("A request with this Idempotency-Key is still in progress") from error


def finish(inst: Installation, begun: Begun, status: int, headers: Mapping[str, str], body: bytes) -> None:
    """Keep the answer of a request."""
    with inst.catalog.transaction() as session:
        session.execute(
            update(IdempotentRequest)
            .where(IdempotentRequest.id == begun.id)
            .values(status=status, headers=dict(headers), body=body)
        )


def abandon(inst: Installation, begun: Begun) -> None:
    """Forget a request that came to nothing, so that it can be tried again."""
    with inst.catalog.transaction() as session:
        session.execute(delete(IdempotentRequest).where(IdempotentRequest.id == begun.id))
