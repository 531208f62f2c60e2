"""Types of the properties of resources, and of what requests hold."""

from __future__ import annotations

import datetime as dt
import unicodedata
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema

from docduck import clock
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.validation_messages import InvalidId

T = TypeVar("T")

LONGEST_NAME = 255

Many = Annotated[list[T], Field(fail_fast=True)]
"""A list that may be long: only its first wrong item is reported."""


def _integral(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Integer = Annotated[int, BeforeValidator(_integral)]
"""An integer as JSON Schema has it: ``5.0`` is one."""


def _uuid(text: str) -> str:
    if not is_uuid(text):
        raise InvalidId
    return text.lower()


def _first_moment(text: str) -> dt.datetime:
    return clock.iso_span(text)[0]


def _last_moment(text: str) -> dt.datetime:
    return clock.iso_span(text)[1]


def empty_if_null(value: Any) -> Any:
    """Return the empty text for None, so that null clears a text that is never null."""
    return "" if value is None else value


def has_controls(text: str) -> bool:
    """Return whether a text has control characters or lone surrogates."""
    return any(unicodedata.category(character) in ("Cc", "Cs") for character in text)


def one_line(text: str) -> str:
    """Return the text trimmed; raise ValueError if it is blank or has control characters."""
    if not text.strip():
        raise ValueError("must not be blank")
    if has_controls(text):
        raise ValueError("must not hold control characters")
    return text.strip()


def _name(text: str) -> str:
    name = one_line(text)
    if name in (".", ".."):
        # In a path it would name what is above: DELETE …/fields/.. is DELETE of the parser.
        raise ValueError("must not be only dots")
    return name


_NO_CONTROL = r"[^\x00-\x1f\x7f-\x9f]"
ONE_LINE = rf"{_NO_CONTROL}*[^\s\x00-\x1f\x7f-\x9f]{_NO_CONTROL}*$"
"""The pattern of a text on one line that is not blank, without the ``^`` at its beginning."""

Uuid = Annotated[str, AfterValidator(_uuid), WithJsonSchema({"type": "string", "format": "uuid"})]
INCLUSIVE_END = "Inclusive; a date without a time includes that whole day (UTC, or as in `2026-01-31+02:00`)"
_BOUND = WithJsonSchema(
    {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "string", "format": "date"}]}
)
LowerBound = Annotated[str, AfterValidator(_first_moment), _BOUND]
"""The begin of a range of time in a request, an ISO 8601 date or date-time: its first moment, see
``clock.span``."""
UpperBound = Annotated[str, AfterValidator(_last_moment), _BOUND]
"""The inclusive end of a range of time: the last moment of the day, if it is a date without a time."""

Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=LONGEST_NAME),
    AfterValidator(_name),
    WithJsonSchema(
        {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_NAME,
            "pattern": rf"^(?!\s*\.{{1,2}}\s*$){ONE_LINE}",
        }
    ),
]
"""A name on one line, at most 255 characters, trimmed."""


def checked_name(text: str) -> str:
    """Return the name trimmed; raise InputError if it is empty, too long or has control characters."""
    name = text.strip()
    if has_controls(name):
        raise InputError("name must not hold control characters", "name")
    if not 1 <= len(name) <= LONGEST_NAME:
        raise InputError(f"name must have 1 to {LONGEST_NAME} characters", "name")
    return name
