"""Cursors: places in lists that stay valid while rows are inserted and deleted.

A cursor holds the sort keys of the last row that was returned, so the next page begins after them. It is
encrypted for its list and team: clients can neither read nor make one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import msgspec

from docduck.errors import InputError
from docduck.service.core.sealing import SealBroken, seal, unseal
from docduck.settings import Settings

LONGEST_CURSOR = 4096

Key = str | int | float | dt.datetime
"""A sort key of a row."""

_INVALID = "The cursor is not one of this list; begin again without it"
_VERSION = "v1:"
_URL_SAFE = str.maketrans("+/", "-_")
_STANDARD = str.maketrans("-_", "+/")


def write_cursor(settings: Settings, context: str, keys: Sequence[Key]) -> str:
    """Return the cursor after the row with these keys, in the list that ``context`` names."""
    data = [{"at": key} if isinstance(key, dt.datetime) else key for key in keys]
    sealed = seal(settings, msgspec.json.encode(data), _purpose(context))
    return sealed.removeprefix(_VERSION).translate(_URL_SAFE).rstrip("=")


def read_cursor(settings: Settings, context: str, cursor: str) -> list[Key]:
    """Return the keys of a cursor; raise InputError unless it was written for the same ``context``."""
    if len(cursor) > LONGEST_CURSOR or not cursor.isascii():
        raise InputError(_INVALID, "cursor", code="invalid_cursor")
    padded = cursor.translate(_STANDARD) + "=" * (-len(cursor) % 4)
    try:
        data = msgspec.json.decode(unseal(settings, _VERSION + padded, _purpose(context)))
    except SealBroken as error:
        raise InputError(_INVALID, "cursor", code="invalid_cursor") from error
    return [dt.datetime.fromisoformat(key["at"]) if isinstance(key, dict) else key for key in data]


def _purpose(context: str) -> str:
    return f"cursor {context}"
