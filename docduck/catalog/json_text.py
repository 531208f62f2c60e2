"""JSON as the catalog stores it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import msgspec


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value that is JSON already, for large ones that are written in a transaction."""

    text: str

    @classmethod
    def of(cls, value: Any) -> Self:
        """Encode ``value`` as the catalog stores it."""
        return cls(json_text(value))


def json_text(value: Any) -> str:
    """Compact JSON, without what PostgreSQL refuses in text: NUL is left out, a lone surrogate is ``?``.

    What is no finite number becomes ``null``.
    """
    if isinstance(value, Encoded):
        return value.text
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_storable(value)).decode()
    if "\\u0000" in text:
        return msgspec.json.encode(_storable(value)).decode()
    return text


def json_value(text: str) -> Any:
    """The value that ``json_text`` stored; integers of any size stay exact."""
    return msgspec.json.decode(text)


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value
