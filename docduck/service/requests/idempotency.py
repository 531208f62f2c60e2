"""Requests with an Idempotency-Key: processed once, and answered with the same response when repeated.

Responses are stored sealed, as they may hold secrets, such as that of a new webhook. What a request did is
recorded in the transaction in which it does it (``docduck.service.core.started_request``): a response that is
not stored is made of that. A status without a body is that of a response that was too large to store, of a
request that recorded nothing.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.database import lease_clock
from docduck.catalog.models import IdempotentRequest
from docduck.catalog.upsert import insert_statement
from docduck.errors import Conflict, InputError, Transient
from docduck.ids import new_id
from docduck.owner import LEASE_SECONDS, is_dead, is_this_process, this_process
from docduck.service.core.installation import Installation
from docduck.service.core.sealing import seal, unseal
from docduck.service.core.started_request import StartedRequest, unanswered

KEPT = dt.timedelta(hours=24)
MAX_RESPONSE_BYTES = 1024 * 1024
"""Of a response that is stored."""

_TRIES = 5
_LEASE = dt.timedelta(seconds=LEASE_SECONDS)
_log = logging.getLogger(__name__)
_in_progress: set[str] = set()
"""The owners of the requests that this process is processing."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The stored response of the first request."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def start(
    inst: Installation, team_id: str, key_id: str, name: str, fingerprint: str
) -> Replay | StartedRequest:
    """Start a request, or return its stored response; ``name`` is unique per API key.

    A request that has no response and is not in progress any more is started again, with the effect that it
    had. Raise Conflict while it is in progress and if its response was too large to store, InputError if the
    name was used for another request.
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
    _in_progress.add(row["owner"])
    started: Replay | StartedRequest | None = None
    try:
        started = _started(inst, row)
        return started
    finally:
        if not isinstance(started, StartedRequest):
            _in_progress.discard(row["owner"])


def keep(inst: Installation, begun: StartedRequest) -> None:
    """Hold a request in progress for another lease: whoever processes it calls this every few seconds."""
    with inst.catalog.transaction() as session:
        held = update(IdempotentRequest).where(*unanswered(begun))
        session.execute(held.values(leased_until=lease_clock(session) + _LEASE))


def finish(
    inst: Installation,
    begun: StartedRequest,
    status: int,
    headers: Mapping[str, str],
    body: bytes | None,
    *,
    is_read_only: bool = False,
) -> None:
    """Store the response of a request, unless its status is 500 or above.

    One that is too large (``body`` may be None then) is made again of what the request did, if it recorded
    that. Otherwise only the status is stored, so that the request is not processed twice; one that changed
    nothing can be repeated. Nothing is stored if the catalog is away, but the response is right.
    """
    is_large = body is None or len(body) > MAX_RESPONSE_BYTES
    if status >= 500 or (is_large and (is_read_only or status >= 400)):
        abandon(inst, begun)
        return
    _in_progress.discard(begun.owner)
    answered: dict[str, Any] = {"status": status}
    mine = unanswered(begun)
    if body is None or is_large:
        mine = (*mine, IdempotentRequest.effect.is_(None))
    else:
        sealed = seal(inst.settings, body, begun.id).encode()
        answered |= {"headers": dict(headers), "body": sealed}
    try:
        with inst.catalog.transaction() as session:
            session.execute(update(IdempotentRequest).where(*mine).values(answered))
            session.execute(update(IdempotentRequest).where(*unanswered(begun)).values(leased_until=None))
    except SQLAlchemyError as error:
        _log.warning("The response to an Idempotency-Key is not stored: %s", type(error).__name__)


def abandon(inst: Installation, begun: StartedRequest) -> None:
    """Let a request without a response be repeated at once; forget it if it did nothing.

    If the catalog is away, it can be repeated at once in this process, and elsewhere after its lease.
    """
    _in_progress.discard(begun.owner)
    mine = unanswered(begun)
    try:
        with inst.catalog.transaction() as session:
            session.execute(delete(IdempotentRequest).where(*mine, IdempotentRequest.effect.is_(None)))
            session.execute(update(IdempotentRequest).where(*mine).values(leased_until=None))
    except SQLAlchemyError as error:
        _log.warning("An Idempotency-Key is held for %d s: %s", LEASE_SECONDS, type(error).__name__)


def _started(inst: Installation, row: dict[str, Any]) -> Replay | StartedRequest:
    for _ in range(_TRIES):
        with inst.catalog.transaction() as session:
            row["leased_until"] = lease_clock(session) + _LEASE
            if _inserted(session, row):
                return StartedRequest(row["id"], row["owner"])
            known = session.scalar(
                select(IdempotentRequest)
                .where(
                    IdempotentRequest.key_id == row["key_id"],
                    IdempotentRequest.name_sha256 == row["name_sha256"],
                )
                .with_for_update()
            )
            if known is not None:
                return _known(inst, session, known, row)
        # It was abandoned between the two statements: try again.
    raise Transient("The request can't be begun for the moment")


def _inserted(session: Session, row: Mapping[str, Any]) -> bool:
    statement = insert_statement(session, IdempotentRequest).values(**row).on_conflict_do_nothing()
    return session.execute(statement.returning(IdempotentRequest.id)).first() is not None


def _known(
    inst: Installation, session: Session, known: IdempotentRequest, row: Mapping[str, Any]
) -> Replay | StartedRequest:
    if row["begun_at"] - known.begun_at >= KEPT:
        known.effect = None
    else:
        if known.fingerprint != row["fingerprint"]:
            raise InputError(
                "This Idempotency-Key was used for another request; choose a new one",
                code="idempotency_key_reused",
            )
        if known.status is not None:
            if known.body is None:
                raise Conflict(
                    "The request with this Idempotency-Key was processed, but its response was too large to "
                    f"store: it is over {MAX_RESPONSE_BYTES:,} bytes",
                    code="idempotency_response_too_large",
                )
            body = unseal(inst.settings, known.body.decode(), known.id)
            return Replay(known.status, known.headers or {}, body)
        if _is_in_progress(session, known):
            raise Conflict(
                "A request with this Idempotency-Key is still in progress", code="idempotency_in_progress"
            )
    for name in ("fingerprint", "owner", "begun_at", "leased_until"):
        setattr(known, name, row[name])
    known.status, known.headers, known.body = None, None, None
    return StartedRequest(known.id, known.owner, known.effect)


def _is_in_progress(session: Session, known: IdempotentRequest) -> bool:
    """Return whether the owner of a request may still be processing it."""
    if is_this_process(known.owner):
        return known.owner in _in_progress
    is_held = known.leased_until is not None and known.leased_until > lease_clock(session)
    return is_held and not is_dead(known.owner)
