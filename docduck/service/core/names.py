"""Names that people give to things."""

from __future__ import annotations

import unicodedata

from docduck.errors import InputError

LONGEST_NAME = 255


def checked_name(text: str) -> str:
    """Return the name trimmed; raise InputError if it is empty, too long or has control characters."""
    name = text.strip()
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        raise InputError("name must not hold control characters", "name")
    if not 1 <= len(name) <= LONGEST_NAME:
        raise InputError(f"name must have 1 to {LONGEST_NAME} characters", "name")
    return name
