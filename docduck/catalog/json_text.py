"""JSON as the catalog stores it."""

from __future__ import annotations

from typing import Any

import msgspec


def json_text(value: Any) -> str:
    """Compact JSON, without what PostgreSQL refuses in text: NUL is left out, a lone surrogate is ``?``.

    What is no finite number becomes ``null``.
    """
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
