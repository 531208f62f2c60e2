"""Time: the one place that reads the clock."""

from __future__ import annotations

import datetime as dt


def now() -> dt.datetime:
    """The present moment, aware, in UTC, in whole milliseconds: what is stored is what ``iso`` shows."""
    return milliseconds(dt.datetime.now(dt.UTC))


def milliseconds(moment: dt.datetime) -> dt.datetime:
    """The moment without what it has beyond milliseconds."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def iso(moment: dt.datetime | None) -> str | None:
    """ISO 8601 in UTC with milliseconds and ``Z`` (``2026-01-31T08:00:00.000Z``); None stays None."""
    if moment is None:
        return None
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
