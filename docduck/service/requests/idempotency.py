"""Requests that carry an Idempotency-Key: done once, and answered again as the first time."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import CursorResult, delete, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import IdempotentRequest
from docduck.catalog.upsert import insert_statement
from docduck.errors import Conflict, InputError, Transient
from docduck.ids import new_id
from docduck.owner import is_dead, this_process
from docduck.service.core.installation import Installation

_TRIES = 5
_STEP = 500


@dataclass(frozen=True, slots=True)
class Replay:
    """The answer that the first request got."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Begun:
    """A request that is to be done now, by ``owner`` and nobody else."""

    id: str
    owner: str


def begin(inst: Installation, team_id: str, key_id: str, name: str, fingerprint: str) -> Replay | Begun:
    """Begin a request, or give the answer that it got before; ``name`` counts within its API key only.

    A request whose process died, or that has taken longer than it may, is begun anew. Raises Conflict
    while it is in progress, InputError when the name was used for another request.
    """
    row: dict[str, Any] = {
        "id": new_id(),
        "team_id": team_id,
        "key_id": key_id,
        "name_sha256": hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest(),
        "fingerprint": fingerprint,
        "owner": this_process(),
        "begun_at": clock.now(),
    }
    for _ in range(_TRIES):
        with inst.catalog.transaction() as session:
            if _inserted(session, row):
                return Begun(row["id"], row["owner"])
            known = session.scalar(
                select(IdempotentRequest)
                .where(
                    IdempotentRequest.key_id == key_id, IdempotentRequest.name_sha256 == row["name_sha256"]
                )
                .with_for_update()
            )
            if known is not None:
                return _known(inst, known, row)
        # It was abandoned between the two looks: its place is free.
    raise Transient("The request can't be begun for the moment")


def finish(inst: Installation, begun: Begun, status: int, headers: Mapping[str, str], body: bytes) -> None:
    """Keep the answer of a request; one that is too large is not kept, and neither is one of 500 or above."""
    if status >= 500 or len(body) > inst.settings.idempotency_max_bytes:
        abandon(inst, begun)
        return
    with inst.catalog.transaction() as session:
        session.execute(
            update(IdempotentRequest)
            .where(*_mine(begun))
            .values(status=status, headers=dict(headers), body=body)
        )


def abandon(inst: Installation, begun: Begun) -> None:
    """Forget a request that came to nothing, so that it can be tried again."""
    with inst.catalog.transaction() as session:
        session.execute(delete(IdempotentRequest).where(*_mine(begun)))


def forget_old(inst: Installation) -> int:
    """Remove what has been kept for as long as it is to be; gives how many."""
    before, removed = clock.now() - _kept(inst), 0
    while True:
        with inst.catalog.transaction() as session:
            old = select(IdempotentRequest.id).where(IdempotentRequest.begun_at < before).limit(_STEP)
            gone = session.execute(delete(IdempotentRequest).where(IdempotentRequest.id.in_(old)))
            assert isinstance(gone, CursorResult)
        removed += gone.rowcount
        if gone.rowcount < _STEP:
            return removed


def _inserted(session: Session, row: Mapping[str, Any]) -> bool:
    statement = insert_statement(session, IdempotentRequest).values(**row).on_conflict_do_nothing()
    return session.execute(statement.returning(IdempotentRequest.id)).first() is not None


def _known(inst: Installation, known: IdempotentRequest, row: Mapping[str, Any]) -> Replay | Begun:
    age = row["begun_at"] - known.begun_at
    is_old = age >= _kept(inst)
    if not is_old:
        if known.fingerprint != row["fingerprint"]:
            raise InputError("This Idempotency-Key was used for another request; choose a new one")
        if known.status is not None:
            return Replay(known.status, known.headers or {}, known.body or b"")
        if age < dt.timedelta(seconds=inst.settings.idempotency_work_seconds) and not is_dead(known.owner):
            raise Conflict("A request with this Idempotency-Key is still in progress")
    known.fingerprint = row["fingerprint"]
    known.owner, known.begun_at = row["owner"], row["begun_at"]
    known.status, known.headers, known.body = None, None, None
    return Begun(known.id, known.owner)


def _mine(begun: Begun) -> tuple[Any, ...]:
    """Only while nobody else has taken it over, and only while it has no answer."""
    return (
        IdempotentRequest.id == begun.id,
        IdempotentRequest.owner == begun.owner,
        IdempotentRequest.status.is_(None),
    )


def _kept(inst: Installation) -> dt.timedelta:
    return dt.timedelta(hours=inst.settings.idempotency_keep_hours)
