"""Paths, query parameters and JSON bodies from Python values, and values from JSON responses."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from docduck.client.errors import ServerError
from docduck.client.transport.steps import HttpResponse
from docduck.errors import InputError


class Unset(enum.Enum):
    """The type of UNSET: the default of arguments for which None is a value."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


def path(*parts: str) -> str:
    """Return ``/parsers/<id>`` for ``path("parsers", id)``; raise InputError for an empty part."""
    return "".join(f"/{_segment(part)}" for part in parts)


def _segment(part: str) -> str:
    if not part:
        raise InputError("An id must not be empty")
    # Dots alone would be resolved to another path.
    return "%2E" * len(part) if part in (".", "..") else quote(part, safe="")


def set_values(**values: Any) -> dict[str, Any]:
    """Return the values that are set, by their JSON names: ``folder_id`` becomes ``folderId``."""
    return {camel(name): value for name, value in values.items() if value is not UNSET}


def present(**values: Any) -> dict[str, Any]:
    """Return the values that are neither unset nor None, by their JSON names."""
    return {name: value for name, value in set_values(**values).items() if value is not None}


def query(values: Mapping[str, Any]) -> dict[str, str]:
    """Return query parameters as text."""
    return {name: _text(value) for name, value in values.items() if value is not None}


def to_json(value: Any) -> bytes:
    """Return a JSON body, with dates and decimals as the API expects them; raise InputError."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"This can't be sent as JSON: {error}") from error


def from_json(response: HttpResponse) -> Any:
    """Return the JSON object of a response; raise ServerError for anything else, such as a proxy's page."""
    try:
        value = json.loads(response.body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ServerError("The response is not from docduck: is the address right?", response.status)
    return value


def timestamp(value: Any) -> Any:
    """Return a datetime as ISO 8601, in local time if it has no time zone; other values as they are."""
    return value.astimezone().isoformat() if isinstance(value, dt.datetime) else value


def camel(name: str) -> str:
    """Return ``folderId`` for ``folder_id``."""
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)


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
    raise TypeError(f"{type(value).__name__} can't be converted to JSON")
