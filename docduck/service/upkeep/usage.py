"""What a team uses: documents and pages by day and parser, and its spending on language models by month."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, String, cast, func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, ModelUsage, Parser
from docduck.service.core.installation import Installation

_MONTHS = 12
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class DayOfParser:
    """Documents of a parser that came on a day (UTC), and their pages as far as they are read."""

    day: dt.date
    parser_id: str
    documents: int
    pages: int


@dataclass(frozen=True, slots=True)
class MonthOfModel:
    """Use of a language model in a month (``YYYY-MM``, UTC); ``cost`` is in the currency of the prices."""

    month: str
    model: str
    documents: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float


@dataclass(frozen=True, slots=True)
class TeamUsage:
    """A team's use in this month and the eleven before it; ``names`` are those of its parsers by id."""

    days: Sequence[DayOfParser]
    models: Sequence[MonthOfModel]
    names: dict[str, str]


def team_usage(inst: Installation, team_id: str) -> TeamUsage:
    """Return the team's use, the newest days and months first; documents that were deleted don't count."""
    first = _first_month(clock.now().date())
    with inst.catalog.read_session() as session:
        named = session.execute(select(Parser.id, Parser.name).where(Parser.team_id == team_id)).all()
        names = {row.id: row.name for row in named}
        # The index by team and moment has all that is read here.
        day = _day(session)
        rows = session.execute(
            select(day, Document.parser_id, func.count(), func.sum(Document.page_count))
            .where(
                Document.parser_id.in_(select(Parser.id).where(Parser.team_id == team_id)),
                Document.team_id == team_id,
                Document.created_at >= dt.datetime.combine(first, dt.time(), dt.UTC),
            )
            .group_by(day, Document.parser_id)
        )
        days = [
            DayOfParser(dt.date.fromisoformat(text), str(parser_id), documents, int(pages or 0))
            for text, parser_id, documents, pages in rows
        ]
        used = session.scalars(
            select(ModelUsage)
            .where(ModelUsage.team_id == team_id, ModelUsage.month >= f"{first:%Y-%m}")
            .order_by(ModelUsage.month.desc(), ModelUsage.model)
        )
        models = [
            MonthOfModel(
                row.month,
                row.model,
                row.documents,
                row.requests,
                row.input_tokens,
                row.output_tokens,
                row.cost_micros / _MILLION,
            )
            for row in used
        ]
    return TeamUsage(sorted(days, key=lambda day: (day.day, day.documents), reverse=True), models, names)


def _first_month(today: dt.date) -> dt.date:
    months = today.year * 12 + today.month - _MONTHS
    return dt.date(months // 12, months % 12 + 1, 1)


def _day(session: Session) -> ColumnElement[str]:
    """Return the day on which a document came, as text."""
    if session.get_bind().dialect.name == "postgresql":
        return func.to_char(func.timezone("UTC", Document.created_at), "YYYY-MM-DD")
    return func.substr(cast(Document.created_at, String), 1, 10)
