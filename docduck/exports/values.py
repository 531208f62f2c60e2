"""Conversion of values for files: to JSON, to cells, to text."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from docduck.clock import iso

Flat = str | int | float | bool | None

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
# Characters below U+10000 that XML 1.0 (production 2, Char) excludes; workbooks are XML too.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def json_ready(value: Any) -> Any:
    """Return ``value`` as valid JSON: no NaN, no infinity, no lone surrogate, dates as ISO text."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return value if value.isascii() else _LONE_SURROGATES.sub("\ufffd", value)
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return json_ready(float(value))
        case dt.datetime():
            return iso(value)
        case dt.date():
            return value.isoformat()
        case Mapping():
            return {json_ready(str(key)): json_ready(item) for key, item in value.items()}
        case list() | tuple():
            return [json_ready(item) for item in value]
        case _:
            return json_ready(str(value))


def flat(value: Any) -> Flat:
    """Return ``value`` as the content of a cell: lists are joined with ``; ``."""
    ready = json_ready(value)
    if isinstance(ready, list):
        return "; ".join(text(flat(item)) for item in ready)
    if isinstance(ready, dict):
        return json.dumps(ready, ensure_ascii=False)
    cell: Flat = ready
    return cell


def text(value: Flat) -> str:
    """Return ``value`` as text: numbers with a point and without exponent, ``true``/``false``, None empty."""
    if type(value) is float:
        digits = repr(value)
        return (f"{Decimal(digits):f}" if "e" in digits else digits).removesuffix(".0")
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def printable(value: str) -> str:
    """Return ``value`` without control characters that XML and spreadsheets can't contain.

    Lone surrogates are replaced.
    """
    # isprintable is much faster than the search, and true of most texts.
    if value.isprintable():
        return value
    return _NOT_IN_XML.sub("", json_ready(value))


def cell_text(value: Any) -> str:
    """Return any value as the text of a cell."""
    # The usual types first: there are millions of cells.
    if type(value) is str:
        return value if value.isprintable() else printable(value)
    if type(value) is float and math.isfinite(value):
        return text(value)
    return str(value) if type(value) is int else printable(text(flat(value)))
