"""Where in a query an error is, as its message says."""

from __future__ import annotations

import re

_PLACE = re.compile(r"\(line (\d+), column \d+\)|^LINE (\d+): ", re.MULTILINE)


def line_of(message: str) -> int | None:
    """Return the line, from 1, that a message of DuckDB or of the check names; None without one."""
    found = _PLACE.search(message)
    return int(found[1] or found[2]) if found else None
