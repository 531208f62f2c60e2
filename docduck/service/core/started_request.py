"""The request with an Idempotency-Key that is being processed, and what it did.

A function that changes something records its effect in the transaction of the change. If the response is
lost after that, the repeated request finds the effect, and its response is made of what there is. A function
that changes nothing the second time needs no record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import Session

from docduck.catalog.models import IdempotentRequest
from docduck.errors import Transient


@dataclass(frozen=True, slots=True)
class StartedRequest:
    """A request that ``owner`` is to process; ``effect`` is what an earlier attempt of it did."""

    id: str
    owner: str
    effect: Mapping[str, Any] | None = None


@dataclass(slots=True)
class KeyedRequest:
    """A request with an Idempotency-Key; it is started when its body was read."""

    started: StartedRequest | None = None


_CURRENT: ContextVar[KeyedRequest | None] = ContextVar("keyed_request", default=None)


@contextmanager
def processing(request: KeyedRequest) -> Iterator[None]:
    """Process a request in the block, and in the threads that inherit its context."""
    token = _CURRENT.set(request)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def earlier_effect() -> Mapping[str, Any] | None:
    """Return what an earlier attempt of the present request did, as it was recorded; None for nothing."""
    started = _started()
    return started.effect if started else None


def record_effect(session: Session, **effect: Any) -> None:
    """Record with the present request what it does in this transaction, once; without a key, do nothing.

    ``effect`` is what the response can't be made without, such as the ids of new rows. Raise Transient if the
    request belongs to another process meanwhile or did this already: then nothing must be committed.
    """
    started = _started()
    if started is None:
        return
    recorded = session.execute(
        update(IdempotentRequest)
        .where(*unanswered(started), IdempotentRequest.effect.is_(None))
        .values(effect=effect)
        .returning(IdempotentRequest.id)
        .execution_options(synchronize_session=False)
    ).first()
    if recorded is None:
        raise Transient("The request with this Idempotency-Key was begun again meanwhile; send it once more")


def unanswered(started: StartedRequest) -> tuple[Any, ...]:
    """Return the conditions that a request still belongs to its owner, and has no response."""
    return (
        IdempotentRequest.id == started.id,
        IdempotentRequest.owner == started.owner,
        IdempotentRequest.status.is_(None),
    )


def _started() -> StartedRequest | None:
    request = _CURRENT.get()
    return request.started if request else None
