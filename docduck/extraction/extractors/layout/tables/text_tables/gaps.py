"""White space between columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby


def middle_of_gap(cost: Sequence[float], tolerance: float) -> float:
    """Return the middle, in bins, of the longest run of bins within ``tolerance`` of the least cost.

    Of several longest runs, the first counts.
    """
    limit = min(cost) + tolerance
    best, start = (0, 0), 0
    for low, bins in groupby(cost, lambda one: one <= limit):
        end = start + len(list(bins))
        if low and end - start > best[1] - best[0]:
            best = (start, end)
        start = end
    return (best[0] + best[1]) / 2
