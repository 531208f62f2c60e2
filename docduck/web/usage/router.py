"""What the team uses: documents and pages by day and parser, language models, and API keys."""

from __future__ import annotations

import calendar
import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from docduck import clock
from docduck.errors import InputError
from docduck.extraction.models import model_status
from docduck.service.accounts.keys import list_keys
from docduck.service.accounts.permissions import MANAGERS
from docduck.service.upkeep.usage import DayUsage, team_usage
from docduck.web.member import Visit, of_member
from docduck.web.page import page_link
from docduck.web.page_route import PageRouter
from docduck.web.query.chart import HEIGHT, WIDTH, Chart, draw

router = PageRouter()

_DAYS = 31


@dataclass(frozen=True, slots=True)
class Line:
    """Sums of a month, a day or a parser."""

    name: str
    documents: int
    pages: int


@router.get("/usage")
def show(
    at: Annotated[Visit, of_member("parsers:read")],
    chosen: Annotated[str, Query(alias="month", max_length=7)] = "",
) -> Response:
    """Return the page, with the days and parsers of a month: of this one, unless another is chosen."""
    usage = team_usage(*at.team)
    now = clock.now()
    this_month = f"{now:%Y-%m}"
    months = _lines(usage.days, _month_of)
    month = chosen or this_month
    if month not in {this_month, *(month.name for month in months)}:
        raise InputError("There are no documents of this month. A month is written as in 2026-01", "month")
    current = [day for day in usage.days if _month_of(day) == month]
    every_day = _lines(usage.days, lambda parser: parser.day.isoformat())
    days = [line for line in every_day if line.name.startswith(month) or not chosen][:_DAYS]
    return at.page(
        "usage/usage.html.j2",
        month=month,
        months=months,
        days=days,
        days_title=f"By day, in {month}" if chosen else "The latest days",
        chart=_chart(every_day, _last_day(month) if chosen else now.date()),
        chart_size=(WIDTH, HEIGHT),
        parsers=sorted(_lines(current, lambda parser: parser.parser_name), key=lambda line: -line.documents),
        models=usage.models,
        this_month=this_month,
        spent=sum(model.cost for model in usage.models if model.month == this_month),
        budget=at.inst.settings.model_monthly_budget,
        model=model_status(at.inst.settings),
        keys=list_keys(*at.team) if at.user.role in MANAGERS else None,
        now=now,
        link=partial(page_link, "/usage"),
    )


def _month_of(parser: DayUsage) -> str:
    return f"{parser.day:%Y-%m}"


def _last_day(month: str) -> dt.date:
    year, number = int(month[:4]), int(month[5:])
    return dt.date(year, number, calendar.monthrange(year, number)[1])


def _chart(days: Sequence[Line], last: dt.date) -> Chart | None:
    """Return the chart of the documents that came on each of 31 days; None if there are none."""
    counts = {day.name: day.documents for day in days}
    every = [(last - dt.timedelta(days=back)).isoformat() for back in reversed(range(_DAYS))]
    if not counts.keys() & set(every):
        return None
    series = [(day, counts.get(day, 0)) for day in every]
    return draw("documents by day", [(day, f"{count:,}", float(count)) for day, count in series])


def _lines(days: Sequence[DayUsage], name_of: Callable[[DayUsage], str]) -> list[Line]:
    """Return the sums of days with the same name, in the order of their first."""
    documents, pages = Counter[str](), Counter[str]()
    for day in days:
        documents[name_of(day)] += day.documents
        pages[name_of(day)] += day.pages
    return [Line(name, count, pages[name]) for name, count in documents.items()]
