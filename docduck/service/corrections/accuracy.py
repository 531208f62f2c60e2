"""How many values of a parser's documents people had to correct, by month or week and by field.

Only values that somebody looked at count: those that were corrected or confirmed, a table as a whole, and of
approved documents those that had the focus, or were shown beside their place. Others say nothing, however
their documents were approved.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypedDict

from msgspec import Raw
from sqlalchemy import Select, case, select, type_coerce

from docduck import clock
from docduck.catalog.json_text import json_value
from docduck.catalog.models import Document, DocumentResult
from docduck.catalog.models.base import CompressedJsonType
from docduck.fields import Field
from docduck.service.core.installation import Installation
from docduck.service.corrections.edited_evidence import is_edited
from docduck.service.corrections.known_values import is_reviewed
from docduck.service.parsers.parsers import find, view
from docduck.statuses import Status

MOST_DOCUMENTS = 2000
"""The latest documents that are counted."""

MOST_PERIODS = 12
_COUNTED = (Status.PROCESSED, Status.APPROVED)
_EMPTY: Sequence[Any] = (None, "", [])
_EDITED = b'"edited":true'
_FETCHED = 50
"""Documents that are in memory at a time: they may have long tables."""


class _Mark(TypedDict, total=False):
    """What is parsed of the evidence of a value."""

    edited: bool


_BY_FIELD = CompressedJsonType(dict[str, Raw])
_MARKS = CompressedJsonType(dict[str, _Mark | list[Raw] | None])


@dataclass(frozen=True, slots=True)
class _Counted:
    """A document: the ids of its fields, of those whose values people looked at, and of those that were
    corrected.
    """

    day: dt.date
    reviewed: bool
    read: Sequence[str]
    looked: Sequence[str]
    corrected: Sequence[str]


@dataclass(frozen=True, slots=True)
class Period:
    """A month or week: its first day and its documents.

    ``documents`` are those that people reviewed: corrected, confirmed or approved. They have so many
    ``values``. By field id, the value was ``looked`` at in so many of them, and ``corrected`` in so many of
    these.
    """

    begin: dt.date
    documents: int
    not_reviewed: int
    values: int
    looked: Mapping[str, int]
    corrected: Mapping[str, int]

    def share(self, field_id: str) -> float | None:
        """Return the share of values looked at that were right when they were read, 0–1; None without any."""
        looked = self.looked.get(field_id, 0)
        return 1 - self.corrected.get(field_id, 0) / looked if looked else None


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

    @property
    def values(self) -> int:
        """The values of the reviewed documents."""
        return sum(period.values for period in self.periods)

    @property
    def looked(self) -> int:
        """Those of them that somebody looked at."""
        return sum(sum(period.looked.values()) for period in self.periods)


def parser_accuracy(inst: Installation, team_id: str, parser_ref: str) -> Accuracy:
    """Count the corrected values of the latest documents that are done, by when they came in; raise NotFound.

    A correction to the value that was read counts as none.
    """
    with inst.catalog.read_session() as session:
        parser = view(find(session, team_id, parser_ref))
        fields = [field for field in parser.fields if field.extract]
        rows = session.execute(_latest(parser.id), execution_options={"yield_per": _FETCHED})
        counted = [_counted(fields, *row) for row in rows]
    is_cut = len(counted) > MOST_DOCUMENTS
    counted = counted[:MOST_DOCUMENTS]
    by_week = bool(counted) and (clock.now().date() - counted[-1].day).days < (MOST_PERIODS - 1) * 7
    periods: dict[dt.date, list[_Counted]] = {}
    for row in counted:
        begin = row.day - dt.timedelta(row.day.weekday()) if by_week else row.day.replace(day=1)
        periods.setdefault(begin, []).append(row)
    begins = sorted(periods, reverse=True)
    return Accuracy(
        fields,
        [_period(begin, periods[begin]) for begin in begins[:MOST_PERIODS]],
        by_week,
        is_cut or len(begins) > MOST_PERIODS,
    )


def _latest(parser_id: str) -> Select[Any]:
    """Return the query for the latest documents, with the arguments of ``_counted``."""
    approved = Document.status == Status.APPROVED
    return (
        select(
            Document.created_at,
            is_reviewed(),
            case((approved, DocumentResult.looked)),
            type_coerce(case((is_reviewed(), DocumentResult.values)), _BY_FIELD),
            type_coerce(DocumentResult.read_values, _BY_FIELD),
            type_coerce(case((DocumentResult.edited, DocumentResult.evidence)), _MARKS),
        )
        .join(DocumentResult, DocumentResult.document_id == Document.id)
        .where(Document.parser_id == parser_id, Document.status.in_(_COUNTED))
        .order_by(Document.created_at.desc(), Document.id.desc())
        .limit(MOST_DOCUMENTS + 1)
    )


def _counted(
    fields: Sequence[Field],
    moment: dt.datetime,
    reviewed: bool,
    focused: Sequence[str] | None,
    values: Mapping[str, Raw] | None,
    read: Mapping[str, Raw] | None,
    evidence: Mapping[str, _Mark | list[Raw] | None] | None,
) -> _Counted:
    stored = values or {}
    marks = {
        key: _first_edited(mark) if isinstance(mark, list) else mark for key, mark in (evidence or {}).items()
    }
    seen = set(focused or ())
    present = [field for field in fields if str(field.id) in stored]
    looked = [key for field in present if (key := str(field.id)) in seen or is_edited(field, marks.get(key))]
    corrected = [] if read is None else [key for key in looked if _differ(stored.get(key), read.get(key))]
    return _Counted(
        moment.astimezone(dt.UTC).date(), reviewed, [str(field.id) for field in present], looked, corrected
    )


def _first_edited(rows: Sequence[Raw]) -> Sequence[Any]:
    """Return the first row of a table's evidence with an edited cell, the only one that is parsed."""
    edited = (row for row in map(bytes, rows) if _EDITED in row)
    return [json_value(row) for row in islice(edited, 1)]


def _period(begin: dt.date, counted: Sequence[_Counted]) -> Period:
    documents = sum(document.reviewed for document in counted)
    return Period(
        begin,
        documents,
        len(counted) - documents,
        sum(len(document.read) for document in counted),
        Counter(key for document in counted for key in document.looked),
        Counter(key for document in counted for key in document.corrected),
    )


def _differ(value: Raw | None, read: Raw | None) -> bool:
    """Return whether two values differ; they are parsed only if their texts do."""
    if value == read:
        return False
    now, before = (None if raw is None else json_value(bytes(raw)) for raw in (value, read))
    return bool(now != before) and not (now in _EMPTY and before in _EMPTY)
