"""JSON as stored in the catalog."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, Self

import msgspec

_ZLIB = b"\x78"
"""The first byte of compressed data; no JSON begins with it."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """JSON text, encoded in advance so that large values take no time in a transaction."""

    text: str

    @classmethod
    def of(cls, value: Any) -> Self:
        """Encode ``value``."""
        return cls(json_text(value))


@dataclass(frozen=True, slots=True)
class Compressed:
    """Compressed JSON, made in advance for the same reason."""

    data: bytes

    @classmethod
    def of(cls, value: Any) -> Self:
        """Encode and compress ``value``."""
        return cls(zlib.compress(json_text(value).encode()))


def json_text(value: Any) -> str:
    """Return compact JSON that PostgreSQL accepts: NUL is removed, a lone surrogate becomes ``?``.

    Numbers that are not finite become ``null``.
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


def json_value(text: str | bytes) -> Any:
    """Parse what ``json_text`` returned; integers of any size are exact."""
    return msgspec.json.decode(text)


def decompressed(stored: bytes | str, kind: Any = Any) -> Any:
    """Parse what ``Compressed`` holds, or JSON that isn't compressed, as older catalogs have it.

    Only what ``kind`` declares is parsed: ``TypedDict`` of some keys, or ``msgspec.Raw``.
    """
    if isinstance(stored, bytes) and stored.startswith(_ZLIB):
        stored = zlib.decompress(stored)
    return msgspec.json.decode(stored, type=kind)


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value
