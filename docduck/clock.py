"""The clock: all code gets the time here."""

from __future__ import annotations

import datetime as dt


def now() -> dt.datetime:
    """Return the present moment: aware, in UTC, in whole milliseconds, the precision of ``iso``."""
    return milliseconds(dt.datetime.now(dt.UTC))


def milliseconds(moment: dt.datetime) -> dt.datetime:
    """Return the moment truncated to milliseconds."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def iso(moment: dt.datetime | None) -> str | None:
    """Return ISO 8601 in UTC with milliseconds and ``Z`` (``2026-01-31T08:00:00.000Z``); None for None."""
    if moment is None:
        return None
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
