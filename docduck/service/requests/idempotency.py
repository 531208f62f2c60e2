"""Requests with an Idempotency-Key: processed once, and answered with the same response when repeated.

Responses are stored sealed, as they may hold secrets, such as that of a new webhook. A status without a body
is that of a response that was too large to store.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import IdempotentRequest
from docduck.catalog.upsert import insert_statement
from docduck.errors import Conflict, InputError, Transient
from docduck.ids import new_id
from docduck.owner import is_dead, this_process
from docduck.service.core.installation import Installation
from docduck.service.core.sealing import seal, unseal

KEPT = dt.timedelta(hours=24)
MAX_RESPONSE_BYTES = 1024 * 1024
"""Of a response that is stored."""
WORK_SECONDS = 900
"""When a request without a response is given up as lost."""

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Replay:
    """The stored response of the first request."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class StartedRequest:
    """A request that ``owner`` is to process."""

    id: str
    owner: str


def start(
    inst: Installation, team_id: str, key_id: str, name: str, fingerprint: str
) -> Replay | StartedRequest:
    """Start a request, or return its stored response; ``name`` is unique per API key.

    A request whose process died or took too long is started again. Raise Conflict while it is in progress and
    if its response was too large to store, InputError if the name was used for another request.
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
                return StartedRequest(row["id"], row["owner"])
            known = session.scalar(
                select(IdempotentRequest)
                .where(
                    IdempotentRequest.key_id == key_id, IdempotentRequest.name_sha256 == row["name_sha256"]
                )
                .with_for_update()
            )
            if known is not None:
                return _known(inst, known, row)
        # It was abandoned between the two statements: try again.
    raise Transient("The request can't be begun for the moment")


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

    Of a response that is too large (``body`` may be None then) only the status is stored, so that the request
    is not processed twice; one that changed nothing can be repeated.
    """
    is_large = body is None or len(body) > MAX_RESPONSE_BYTES
    if status >= 500 or (is_large and (is_read_only or status >= 400)):
        abandon(inst, begun)
        return
    sealed = None if body is None or is_large else seal(inst.settings, body, begun.id).encode()
    with inst.catalog.transaction() as session:
        session.execute(
            update(IdempotentRequest)
            .where(*_mine(begun))
            .values(status=status, headers=dict(headers), body=sealed)
        )


def abandon(inst: Installation, begun: StartedRequest) -> None:
    """Delete an unfinished request, so that it can be repeated."""
    with inst.catalog.transaction() as session:
        session.execute(delete(IdempotentRequest).where(*_mine(begun)))


def _inserted(session: Session, row: Mapping[str, Any]) -> bool:
    statement = insert_statement(session, IdempotentRequest).values(**row).on_conflict_do_nothing()
    return session.execute(statement.returning(IdempotentRequest.id)).first() is not None


def _known(inst: Installation, known: IdempotentRequest, row: Mapping[str, Any]) -> Replay | StartedRequest:
    age = row["begun_at"] - known.begun_at
    is_old = age >= KEPT
    if not is_old:
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
        if age < dt.timedelta(seconds=WORK_SECONDS) and not is_dead(known.owner):
            raise Conflict(
                "A request with this Idempotency-Key is still in progress", code="idempotency_in_progress"
            )
    known.fingerprint = row["fingerprint"]
    known.owner, known.begun_at = row["owner"], row["begun_at"]
    known.status, known.headers, known.body = None, None, None
    return StartedRequest(known.id, known.owner)


def _mine(begun: StartedRequest) -> tuple[Any, ...]:
    """Conditions: the request still belongs to this owner and has no response."""
    return (
        IdempotentRequest.id == begun.id,
        IdempotentRequest.owner == begun.owner,
        IdempotentRequest.status.is_(None),
    )
