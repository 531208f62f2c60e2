"""Validation of documents' custom data."""

from __future__ import annotations

from typing import Any

import msgspec

from docduck.errors import InputError

MOST_BYTES = 16 * 1024
MOST_NESTED = 5


def check_custom(value: Any, path: str = "custom") -> None:
    """Raise InputError unless ``value`` is None, or an object of at most 16 KiB and five levels."""
    if value is None:
        return
    if not isinstance(value, dict):
        raise InputError(f"{path} must be an object or null", path)
    if len(msgspec.json.encode(value)) > MOST_BYTES:
        raise InputError(f"{path} must have at most {MOST_BYTES} bytes as JSON", path)
    if _depth(value) > MOST_NESTED:
        raise InputError(f"{path} must not be nested deeper than {MOST_NESTED} levels", path)


def _depth(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    items = value.values() if isinstance(value, dict) else value
    return 1 + max((_depth(item) for item in items), default=0)
