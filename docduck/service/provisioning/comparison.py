"""Comparison of stored settings with those of the file."""

from __future__ import annotations

from typing import Any


def contains(stored: Any, wanted: Any) -> bool:
    """Return whether ``stored`` contains all of ``wanted``; objects are compared by key."""
    if isinstance(stored, dict) and isinstance(wanted, dict):
        return all(key in stored and contains(stored[key], value) for key, value in wanted.items())
    return bool(stored == wanted)
