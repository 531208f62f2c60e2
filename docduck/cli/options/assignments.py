"""Arguments such as ``Total=12.50``."""

from __future__ import annotations

from json import loads
from typing import Any

from docduck.errors import InputError


def assigned(text: str, form: str, example: str) -> tuple[str, Any]:
    """Return the name and value of ``Name=value``; the value is JSON if it parses as such, else text.

    Raise InputError, with the ``form`` and an ``example``, for anything else.
    """
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise InputError(f"'{text}' must be {form}, for example {example}")
    try:
        return name.strip(), loads(value)
    except ValueError:
        return name.strip(), value
