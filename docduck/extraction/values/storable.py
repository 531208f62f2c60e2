"""Which values can be stored: the catalog, JSON readers and the tables agree on 64 bits for whole numbers."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

from docduck.fields import FieldType

_LIMIT = 2**63


def is_storable(kind: FieldType, value: Any) -> bool:
    """Return whether a value of a scalar field can be stored.

    Not: a whole number beyond 64 bits, an infinite one, a date before year 1 or after year 9999.
    """
    if isinstance(value, int):
        return -_LIMIT <= value < _LIMIT
    if isinstance(value, float):
        return math.isfinite(value)
    if kind is FieldType.DATE and isinstance(value, str):
        try:
            dt.date.fromisoformat(value)
        except ValueError:
            return False
    return True
