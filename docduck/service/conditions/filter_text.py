"""Filters as people type them, such as ``Total >= 100``."""

from __future__ import annotations

import json
import re
from typing import Any

from docduck.errors import InputError
from docduck.service.conditions.filters import PRESENCE
from docduck.service.conditions.vocabulary import OPERATORS, SYMBOLS, Aspect

_KNOWN = sorted({*OPERATORS[Aspect.EXTRACTED_VALUE], *PRESENCE, *SYMBOLS}, key=len, reverse=True)
_FILTER = re.compile(rf"(\S.*?)\s+({'|'.join(map(re.escape, _KNOWN))})(?:\s+(.*\S))?\s*", re.DOTALL)


def filter_of(text: str) -> dict[str, Any]:
    """Return a filter in the API's shape; a value that is JSON is taken as such. Raise InputError."""
    found = _FILTER.fullmatch(text)
    if found is None:
        raise InputError(f"'{text}' must be a field, an operator and a value, like 'Total >= 100'", "filters")
    field, operator, value = found.groups()
    item: dict[str, Any] = {"field": field, "operator": operator}
    return item if value is None else {**item, "value": _value(value)}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
