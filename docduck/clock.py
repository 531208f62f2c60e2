"""The clock: all code gets the time here."""

from __future__ import annotations

import datetime as dt
import re

_LAST = dt.timedelta(microseconds=999)
"""Of a millisecond."""
_ZONED_DAY = re.compile(r"(?P<day>[0-9]{4}-?[0-9]{2}-?[0-9]{2})(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})")


def now() -> dt.datetime:
    """Return the present moment: aware, in UTC, in whole milliseconds, the precision of ``iso``."""
    return milliseconds(dt.datetime.now(dt.UTC))


def milliseconds(moment: dt.datetime) -> dt.datetime:
    """Return the moment truncated to milliseconds."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def span(value: dt.date, zone: dt.tzinfo | None = dt.UTC) -> tuple[dt.datetime, dt.datetime]:
    """Return the first and the last moment, in UTC, that a bound of a range of time includes.

    A moment is its whole millisecond, a date without a time the whole day. ``zone`` is that of dates, and of
    moments that name none; None for this machine's. Raise OverflowError outside of the calendar.
    """
    if isinstance(value, dt.datetime):
        moment = value if value.tzinfo is not None else value.replace(tzinfo=zone)
        first = milliseconds(moment.astimezone(dt.UTC))
        return first, first + _LAST
    first, last = (dt.datetime.combine(value, time, zone) for time in (dt.time.min, dt.time.max))
    return first.astimezone(dt.UTC), last.astimezone(dt.UTC)


def iso_span(text: str, zone: dt.tzinfo | None = dt.UTC) -> tuple[dt.datetime, dt.datetime]:
    """Return the ``span`` of an ISO 8601 date or date-time; raise ValueError for any other text.

    A date may name its zone, as XML Schema writes it: ``2026-01-31+02:00``.
    """
    try:
        if zoned := _ZONED_DAY.fullmatch(text):
            at = dt.datetime.fromisoformat(f"{zoned['day']}T00:00:00{zoned['zone']}")
            return span(at.date(), at.tzinfo)
        try:
            value: dt.date = dt.date.fromisoformat(text)
        except ValueError:
            value = dt.datetime.fromisoformat(text)
        return span(value, zone)
    except (ValueError, OverflowError) as error:
        # A moment near the end of the calendar may have no UTC.
        raise ValueError("must be an ISO 8601 date or date-time such as 2026-01-31T08:00:00Z") from error


def iso(moment: dt.datetime | None) -> str | None:
    """Return ISO 8601 in UTC with milliseconds and ``Z`` (``2026-01-31T08:00:00.000Z``); None for None."""
    if moment is None:
        return None
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
