"""The option for filters, such as ``--filter 'Total >= 100'``."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from docduck.errors import InputError
from docduck.service.conditions.filters import PRESENCE
from docduck.service.conditions.vocabulary import OPERATORS, SYMBOLS, Aspect

FilterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        metavar="'FIELD OPERATOR VALUE'",
        help="Only documents like 'Total >= 100', 'Name contains acme' or 'Number exists'. Repeatable.",
        show_default=False,
    ),
]

_KNOWN = sorted({*OPERATORS[Aspect.EXTRACTED_VALUE], *PRESENCE, *SYMBOLS}, key=len, reverse=True)
_FILTER = re.compile(rf"(\S.*?)\s+({'|'.join(map(re.escape, _KNOWN))})(?:\s+(.*\S))?\s*", re.DOTALL)


def read_filters(given: Sequence[str] | None) -> list[dict[str, Any]] | None:
    """Return the filters in the API's shape; a value that is JSON is taken as such.

    Raise InputError.
    """
    return [_filter(text) for text in given] if given else None


def _filter(text: str) -> dict[str, Any]:
    found = _FILTER.fullmatch(text)
    if found is None:
        raise InputError(f"--filter '{text}': must be a field, an operator and a value, like 'Total >= 100'")
    field, operator, value = found.groups()
    item: dict[str, Any] = {"field": field, "operator": operator}
    return item if value is None else {**item, "value": _value(value)}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
