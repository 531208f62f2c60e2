"""The small line beside a field's shares."""

from __future__ import annotations

from collections.abc import Sequence

LINE_WIDTH, LINE_HEIGHT = 120, 28
_EDGE = 2


def line_points(shares: Sequence[float]) -> str:
    """Return the points of a line from the oldest share to the latest, 0 at the bottom; empty below two."""
    if len(shares) < 2:
        return ""
    step = (LINE_WIDTH - 2 * _EDGE) / (len(shares) - 1)
    room = LINE_HEIGHT - 2 * _EDGE
    return " ".join(
        f"{_EDGE + at * step:.1f},{_EDGE + (1 - share) * room:.1f}" for at, share in enumerate(shares)
    )
