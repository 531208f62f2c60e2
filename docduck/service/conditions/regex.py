"""Regular expressions that end in time: RE2, whose time grows linearly with the text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

from docduck.errors import InputError

LONGEST_PATTERN = 1000
_MEMORY = 4 * 1024 * 1024
_KEPT = 32
"""Compiled expressions that are kept; each takes up to ``_MEMORY``."""


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


def matches(pattern: str, text: str, work: int) -> bool:
    """Whether ``pattern`` is found in ``text``, ignoring case (``(?-i)`` in the pattern undoes that).

    RE2's time grows with the characters of the text times the instructions of the compiled pattern. Only as
    much of the text is searched as keeps that product within ``work``.
    """
    try:
        compiled = _compiled(pattern)
        searched = text[: max(1, work // max(1, compiled.programsize))]
        return compiled.search(searched.encode("utf-8", "replace").decode()) is not None
    except re2.error:
        return False


@lru_cache(maxsize=_KEPT)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(pattern, options)
