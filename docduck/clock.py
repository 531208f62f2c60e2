"""Time: the one place that reads the clock."""

from __future__ import annotations

import datetime as dt


def now() -> dt.datetime:
    """The present moment, aware, in UTC."""
    return dt.datetime.now(dt.UTC)


def iso(moment: dt.datetime | None) -> str | None:
    """ISO 8601 in UTC with milliseconds and ``Z`` (``2026-01-31T08:00:00.000Z``); None stays None."""
    if moment is None:
        return None
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
