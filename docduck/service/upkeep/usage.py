"""What a team uses: documents and pages by day and parser, and its spending on language models by month."""

from __future__ import annotations

import datetime as dt

from pydantic import Field
from sqlalchemy import ColumnElement, String, cast, func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.database import is_sqlite
from docduck.catalog.models import Document, ModelUsage, Parser
from docduck.service.core.installation import Installation
from docduck.service.core.schema import ViewPart

_MONTHS = 12
_MILLION = 1_000_000


class DayUsage(ViewPart):
    """Documents of a parser that came on a day (UTC)."""

    day: dt.date
    parser_id: str
    parser_name: str
    documents: int = Field(ge=0)
    pages: int = Field(ge=0, description="As far as they are read")


class ModelMonth(ViewPart):
    """Use of a language model in a month (UTC)."""

    month: str = Field(examples=["2026-01"])
    model: str
    documents: int = Field(ge=0)
    requests: int = Field(ge=0)
    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cost: float = Field(ge=0, description="In the currency of the prices")


class TeamUsageView(ViewPart):
    """A team's use in this month and the eleven before it, the newest first."""

    days: list[DayUsage]
    models: list[ModelMonth]


def team_usage(inst: Installation, team_id: str) -> TeamUsageView:
    """Return the team's use; documents that were deleted don't count."""
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
            DayUsage(
                day=dt.date.fromisoformat(text),
                parser_id=str(parser_id),
                parser_name=names[str(parser_id)],
                documents=documents,
                pages=int(pages or 0),
            )
            for text, parser_id, documents, pages in rows
        ]
        used = session.scalars(
            select(ModelUsage)
            .where(ModelUsage.team_id == team_id, ModelUsage.month >= f"{first:%Y-%m}")
            .order_by(ModelUsage.month.desc(), ModelUsage.model)
        )
        models = [ModelMonth.of(row, cost=row.cost_micros / _MILLION) for row in used]
    days.sort(key=lambda day: (day.day, day.documents), reverse=True)
    return TeamUsageView(days=days, models=models)


def _first_month(today: dt.date) -> dt.date:
    months = today.year * 12 + today.month - _MONTHS
    return dt.date(months // 12, months % 12 + 1, 1)


def _day(session: Session) -> ColumnElement[str]:
    """Return the day on which a document came, as text."""
    if is_sqlite(session):
        return func.substr(cast(Document.created_at, String), 1, 10)
    return func.to_char(func.timezone("UTC", Document.created_at), "YYYY-MM-DD")
