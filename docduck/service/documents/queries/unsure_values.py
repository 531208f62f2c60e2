"""Values that nobody is sure of, over the documents of a parser or team, the newest documents first.

No index has the confidence of values, so documents are checked one by one, for a limited time; a cursor says
where to go on.
"""

from __future__ import annotations

import datetime as dt
import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Result, and_, or_, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentResult, DocumentStage, Parser
from docduck.errors import InputError
from docduck.fields import Field
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.documents import values
from docduck.service.documents.doubts import read_confidence, reasons_of, unsure_below
from docduck.service.parsers.parsers import find, view
from docduck.statuses import Status

MOST_CELLS = 50

_STATUSES = (Status.PROCESSED, Status.IN_REVIEW)
_EMPTY: Sequence[Any] = (None, [])
_SECONDS = 2.0
"""After which no further document is checked."""
_CHUNK = 100
_PARSED = 10
"""Documents that are parsed at a time: their tables may be large."""
_CURSOR = re.compile(r"(\S+)_([0-9a-f-]{36})_([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class UnsureValue:
    """A value of a document and why it is unsure; ``field`` is ``Table.Column`` for one of ``row`` (from 1).

    ``places`` are its locations as in ``field_metadata``.
    """

    document_id: str
    document_name: str
    parser_id: str
    field: str
    row: int | None
    value: Any
    confidence: float | None
    places: Sequence[Mapping[str, Any]]
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class UnsureValues:
    """Unsure values; ``cursor`` is where the next ones are sought, None if all documents were checked."""

    cells: Sequence[UnsureValue]
    cursor: str | None


def unsure_values(
    inst: Installation,
    team_id: str,
    parser_ref: str | None = None,
    *,
    below: float | None = None,
    limit: int = MOST_CELLS,
    cursor: str | None = None,
    reviewer_id: str | None = None,
) -> UnsureValues:
    """Return values with a confidence below ``below``, required ones that are missing, and failed checks.

    By default, ``below`` is the ``unsureBelow`` of each parser.
    Of documents that are processed or in review; what people set is sure, but for the ``reviewer_id`` not
    what others set who approved an earlier stage. There may be none in one call, but some later. Raise
    NotFound, and InputError for an unknown cursor.
    """
    at = _parse_cursor(cursor)
    end = time.monotonic() + _SECONDS
    cells: list[UnsureValue] = []
    with inst.catalog.read_session() as session:
        parser_id = find(session, team_id, parser_ref).id if parser_ref is not None else None
        known: dict[str, _Known] = {}
        while True:
            begun, seen = at, 0
            for row in _documents(session, team_id, parser_id, begun):
                seen += 1
                at = _Cursor(row.created_at, row.id, _ALL)
                begin = begun.number if begun is not None and begun.document_id == row.id else 0
                fields, own = _known_of(session, team_id, row.parser_id, known)
                earlier = _earlier_reviewers(session, row, reviewer_id)
                for number, cell in _unsure(row, fields, own if below is None else below, earlier):
                    if number < begin:
                        continue
                    cells.append(cell)
                    if len(cells) == limit:
                        return UnsureValues(cells, replace(at, number=number + 1).text)
                if time.monotonic() > end:
                    return UnsureValues(cells, at.text)
            if seen < _CHUNK:
                return UnsureValues(cells, None)


_Known = tuple[Sequence[Field], float]
"""A parser's fields, and its ``unsureBelow``."""

_ALL = 999_999_999
"""In a cursor: all values of its document were checked."""


@dataclass(frozen=True, slots=True)
class _Cursor:
    """The document to go on with, and the number of its first value, counted over all that it has."""

    created_at: dt.datetime
    document_id: str
    number: int

    @property
    def text(self) -> str:
        return f"{self.created_at.astimezone(dt.UTC).isoformat()}_{self.document_id}_{self.number}"


def _parse_cursor(text: str | None) -> _Cursor | None:
    if text is None:
        return None
    match = _CURSOR.fullmatch(text)
    try:
        if match is None or not is_uuid(match[2]):
            raise ValueError(text)
        return _Cursor(dt.datetime.fromisoformat(match[1]).astimezone(dt.UTC), match[2], int(match[3]))
    except (ValueError, OverflowError) as error:
        raise InputError("Unknown cursor; give one that was returned, or none", "cursor") from error


def _documents(session: Session, team_id: str, parser_id: str | None, at: _Cursor | None) -> Result[Any]:
    """Return the next documents with their results, the newest first."""
    conditions: list[ColumnElement[bool]] = [
        Document.team_id == team_id,
        Document.status.in_(_STATUSES),
        Parser.deleted_at.is_(None),
    ]
    if parser_id is not None:
        conditions.append(Document.parser_id == parser_id)
    if at is not None:
        is_next = Document.id < at.document_id if at.number == _ALL else Document.id <= at.document_id
        same = and_(Document.created_at == at.created_at, is_next)
        conditions += [Document.created_at <= at.created_at, or_(Document.created_at < at.created_at, same)]
    statement = (
        select(
            Document.id,
            Document.name,
            Document.parser_id,
            Document.created_at,
            Document.status,
            DocumentResult.edited,
            DocumentResult.values.label("values_"),
            DocumentResult.evidence,
        )
        .join(DocumentResult, DocumentResult.document_id == Document.id)
        .join(Parser, Parser.id == Document.parser_id)
        .where(*conditions)
        .order_by(Document.created_at.desc(), Document.id.desc())
        .limit(_CHUNK)
    )
    return session.execute(statement, execution_options={"yield_per": _PARSED})


def _known_of(session: Session, team_id: str, parser_id: str, known: dict[str, _Known]) -> _Known:
    if parser_id not in known:
        parser = view(find(session, team_id, parser_id))
        known[parser_id] = (parser.fields, unsure_below(parser.settings))
    return known[parser_id]


def _earlier_reviewers(session: Session, row: Any, reviewer_id: str | None) -> Collection[str]:
    """Return who else approved an earlier stage of a document that was edited."""
    if reviewer_id is None or not row.edited or row.status != Status.IN_REVIEW:
        return ()
    stage = DocumentStage
    mine = (stage.document_id == row.id, stage.status == "approved", stage.assignee_id != reviewer_id)
    return [
        person for person in session.scalars(select(stage.assignee_id).where(*mine)) if person is not None
    ]


def _unsure(
    row: Any, fields: Sequence[Field], below: float, earlier: Collection[str]
) -> Iterator[tuple[int, UnsureValue]]:
    """Yield the unsure values of a document with their numbers among all that it has."""
    for number, cell in enumerate(values.cells(fields, row.values_, row.evidence, by="id")):
        reasons = reasons_of(cell.field, cell.value, cell.entry, below, earlier)
        if reasons:
            yield (
                number,
                UnsureValue(
                    row.id,
                    row.name,
                    row.parser_id,
                    cell.name,
                    cell.row,
                    cell.value,
                    None if cell.value in _EMPTY else read_confidence(cell.entry),
                    cell.entry.get("locations") or (),
                    reasons,
                ),
            )
