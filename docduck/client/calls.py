"""Requests from Python values: paths, query parameters and JSON bodies, and the JSON of their answers."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from docduck.client.effects import HttpResponse
from docduck.client.errors import ServerError
from docduck.errors import InputError


class Unset(enum.Enum):
    """The value of what is not given, where None is a value of its own."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


def path(*parts: str) -> str:
    """``path("parsers", id)`` → ``/parsers/<id>``; raises InputError for a part that is empty."""
    return "".join(f"/{_segment(part)}" for part in parts)


def _segment(part: str) -> str:
    if not part:
        raise InputError("An id must not be empty")
    # Dots alone would lead to another address.
    return "%2E" * len(part) if part in (".", "..") else quote(part, safe="")


def given(**values: Any) -> dict[str, Any]:
    """The values that are set, by their names in JSON: ``folder_id`` becomes ``folderId``."""
    return {_camel(name): value for name, value in values.items() if value is not UNSET}


def wished(**values: Any) -> dict[str, Any]:
    """The same without those that are None."""
    return {name: value for name, value in given(**values).items() if value is not None}


def query(values: Mapping[str, Any]) -> dict[str, str]:
    """Query parameters as text."""
    return {name: _text(value) for name, value in values.items() if value is not None}


def to_json(value: Any) -> bytes:
    """A body; dates and decimals in it become what the API takes. Raises InputError."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"This can't be sent as JSON: {error}") from error


def from_json(answer: HttpResponse) -> Any:
    """The JSON object of an answer; raises ServerError when it is something else, as of a proxy."""
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ServerError("The answer is not the API's: is this the address of docduck?", answer.status)
    return found


def moment(value: str | dt.datetime | None) -> str | None:
    """A moment as ISO 8601; one without a time zone is local time."""
    return value.astimezone().isoformat() if isinstance(value, dt.datetime) else value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)
