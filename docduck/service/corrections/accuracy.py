"""How many values of a parser's documents people had to correct, by month or week and by field."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, or_, select

from docduck import clock
from docduck.catalog.models import Document, DocumentResult
from docduck.fields import Field
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import find, view
from docduck.statuses import Status

MOST_DOCUMENTS = 2000
"""The latest documents that are counted."""

MOST_PERIODS = 12
_COUNTED = (Status.PROCESSED, Status.APPROVED)
_EMPTY: Sequence[Any] = (None, "", [])


@dataclass(frozen=True, slots=True)
class Period:
    """A month or week: its first day, its documents, and how many have a corrected value, by field id.

    ``documents`` are those that people reviewed: corrected, confirmed or approved.
    """

    begin: dt.date
    documents: int
    not_reviewed: int
    corrected: Mapping[str, int]

    def share(self, field_id: str) -> float | None:
        """Return the share of reviewed documents in which the field was right, 0–1; None without any."""
        return 1 - self.corrected.get(field_id, 0) / self.documents if self.documents else None


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A parser's accuracy; ``periods`` are those with documents, the latest first.

    With ``by_week`` they are weeks, otherwise months. ``is_cut`` if there are older documents.
    """

    fields: Sequence[Field]
    periods: Sequence[Period]
    by_week: bool
    is_cut: bool

    @property
    def documents(self) -> int:
        """The reviewed documents of all periods."""
        return sum(period.documents for period in self.periods)

    @property
    def not_reviewed(self) -> int:
        """The other documents of all periods."""
        return sum(period.not_reviewed for period in self.periods)


def is_reviewed() -> ColumnElement[bool]:
    """Return the condition that a person approved a document, or corrected or confirmed values of it."""
    return or_(Document.status == Status.APPROVED, DocumentResult.edited)


def parser_accuracy(inst: Installation, team_id: str, parser_ref: str) -> Accuracy:
    """Count the corrected values of the latest documents that are done, by when they came in; raise NotFound.

    Documents that nobody corrected, confirmed or approved are not reviewed: nothing is known of their values.
    A correction to the value that was read counts as none.
    """
    with inst.catalog.read_session() as session:
        parser = view(find(session, team_id, parser_ref))
        latest = (
            select(Document.id, Document.created_at, is_reviewed())
            .join(DocumentResult, DocumentResult.document_id == Document.id)
            .where(Document.parser_id == parser.id, Document.status.in_(_COUNTED))
            .order_by(Document.created_at.desc(), Document.id.desc())
            .limit(MOST_DOCUMENTS + 1)
        )
        rows = session.execute(latest).all()
        edited = session.execute(
            select(DocumentResult.document_id, DocumentResult.values, DocumentResult.read_values).where(
                DocumentResult.document_id.in_(select(latest.subquery().c.id)),
                DocumentResult.edited,
            )
        ).all()
    ids = [str(field.id) for field in parser.fields if field.extract]
    corrected = {
        document_id: _corrected(ids, values, values if read is None else read)
        for document_id, values, read in edited
    }
    counted = [
        (document_id, moment.astimezone(dt.UTC).date(), reviewed)
        for document_id, moment, reviewed in rows[:MOST_DOCUMENTS]
    ]
    by_week = bool(counted) and (clock.now().date() - counted[-1][1]).days < (MOST_PERIODS - 1) * 7
    documents: Counter[dt.date] = Counter()
    not_reviewed: Counter[dt.date] = Counter()
    wrong: dict[dt.date, Counter[str]] = {}
    for document_id, day, reviewed in counted:
        begin = day - dt.timedelta(days=day.weekday()) if by_week else day.replace(day=1)
        (documents if reviewed else not_reviewed)[begin] += 1
        wrong.setdefault(begin, Counter()).update(corrected.get(document_id, ()))
    begins = sorted(wrong, reverse=True)
    return Accuracy(
        [field for field in parser.fields if field.extract],
        [
            Period(begin, documents[begin], not_reviewed[begin], wrong[begin])
            for begin in begins[:MOST_PERIODS]
        ],
        by_week,
        len(rows) > MOST_DOCUMENTS or len(begins) > MOST_PERIODS,
    )


def _corrected(ids: Sequence[str], values: Mapping[str, Any], read: Mapping[str, Any]) -> list[str]:
    """Return the ids of fields whose value differs from the one that was read."""
    return [
        document_id
        for document_id in ids
        if values.get(document_id) != read.get(document_id)
        and not (_is_empty(values.get(document_id)) and _is_empty(read.get(document_id)))
    ]


def _is_empty(value: Any) -> bool:
    return value in _EMPTY
