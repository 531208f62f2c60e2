"""External ids of documents that come from one document, or that come to another parser."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document

LONGEST_EXTERNAL_ID = 255


def free_external_ids(
    session: Session, target_id: str, external_id: str, amount: int, reserved: Collection[str] = ()
) -> list[str]:
    """Return unused external ids of a parser or classifier: ``A-2``, ``A-3`` …; none of ``reserved``."""
    free: list[str] = []
    numbers = count(2)
    while len(free) < amount:
        suffixes = [f"-{next(numbers)}" for _ in range(amount)]
        candidates = [external_id[: LONGEST_EXTERNAL_ID - len(suffix)] + suffix for suffix in suffixes]
        taken = {*reserved, *used_external_ids(session, target_id, candidates)}
        free += [candidate for candidate in candidates if candidate not in taken]
    return free[:amount]


def free_external_id(
    session: Session, target_id: str, external_id: str | None, reserved: Collection[str] = ()
) -> str | None:
    """Return ``external_id`` if no document of the parser or classifier has it, else a free one."""
    if external_id is None:
        return None
    if external_id not in reserved and not used_external_ids(session, target_id, [external_id]):
        return external_id
    return free_external_ids(session, target_id, external_id, 1, reserved)[0]


def used_external_ids(session: Session, target_id: str, external_ids: Collection[str]) -> set[str]:
    """Return those external ids that documents of a parser or classifier have."""
    used = select(Document.external_id).where(
        Document.target_id == target_id, Document.external_id.in_(external_ids)
    )
    return {external_id for external_id in session.scalars(used) if external_id is not None}
