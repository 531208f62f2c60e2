"""Regular expressions that end in time: RE2, whose time grows with the text and no faster."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

from docduck.errors import InputError

LONGEST_PATTERN = 1000
LONGEST_TEXT = 100_000
"""Characters of a value that are looked at; more than that takes too long under the worst pattern."""
_MEMORY = 4 * 1024 * 1024


def check_pattern(pattern: str, path: str) -> None:
    """Raise InputError, at ``path``, when ``pattern`` is too long or no RE2 expression."""
    if len(pattern) > LONGEST_PATTERN:
        raise InputError(f"A regular expression may have {LONGEST_PATTERN} characters", path)
    try:
        _compiled(pattern)
    except re2.error as error:
        why = error.args[0] if error.args else "bad pattern"
        reason = why.decode(errors="replace") if isinstance(why, bytes) else str(why)
        raise InputError(f"Not a regular expression of RE2's kind: {reason}", path) from error


def matches(pattern: str, text: str) -> bool:
    """Whether ``pattern`` is found in ``text``, ignoring case (``(?-i)`` in the pattern undoes that)."""
    storable = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    try:
        return _compiled(pattern).search(storable) is not None
    except re2.error:
        return False


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(pattern, options)
