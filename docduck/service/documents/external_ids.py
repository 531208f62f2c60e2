"""External ids of documents whose own id is taken in their parser: ``A-2``, ``A-3`` …"""

from __future__ import annotations

from itertools import count

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document

LONGEST = 255
_TRIED = 20
"""Candidates looked up at once."""


def free_external_id(session: Session, parser_id: str, external_id: str | None) -> str | None:
    """Return ``external_id`` if no document of the parser has it, else the first free ``<id>-2``, ``-3`` …"""
    if external_id is None:
        return None
    candidates = [external_id]
    numbers = count(2)
    while True:
        taken = set(
            session.scalars(
                select(Document.external_id).where(
                    Document.parser_id == parser_id, Document.external_id.in_(candidates)
                )
            )
        )
        for one in candidates:
            if one not in taken:
                return one
        suffixes = [f"-{next(numbers)}" for _ in range(_TRIED)]
        candidates = [external_id[: LONGEST - len(one)] + one for one in suffixes]
