"""Regular expressions with linear running time (RE2)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import re2

from docduck.errors import InputError

LONGEST_PATTERN = 1000
_MEMORY = 4 * 1024 * 1024
_KEPT = 32
"""Number of cached expressions; each takes up to ``_MEMORY``."""
_GROUP = re.compile(r"\\(.?)", re.DOTALL)


def check_pattern(pattern: str, path: str) -> None:
    """Raise InputError at ``path`` if ``pattern`` is too long or invalid."""
    if len(pattern) > LONGEST_PATTERN:
        raise InputError(f"A regular expression may have {LONGEST_PATTERN} characters", path)
    try:
        _compiled(pattern)
    except re2.error as error:
        why = error.args[0] if error.args else "bad pattern"
        reason = why.decode(errors="replace") if isinstance(why, bytes) else str(why)
        raise InputError(f"Not a regular expression of RE2's kind: {reason}", path) from error


def matches(pattern: str, text: str, work: int) -> bool:
    """Return whether ``pattern`` is found in ``text``, ignoring case (unless ``(?-i)``).

    RE2 takes time proportional to the text's characters times the compiled pattern's instructions. Only so
    much of the text is searched that the product is within ``work``.
    """
    try:
        compiled = _compiled(pattern)
        searched = text[: max(1, work // max(1, compiled.programsize))]
        return compiled.search(searched.encode("utf-8", "replace").decode()) is not None
    except re2.error:
        return False


def check_replacement(pattern: str, replacement: str, path: str) -> None:
    """Raise InputError at ``path`` unless ``replace_all`` can use ``replacement`` with the valid pattern."""
    if len(replacement) > LONGEST_PATTERN:
        raise InputError(f"A replacement may have {LONGEST_PATTERN} characters", path)
    groups = _compiled(pattern).groups
    for match in _GROUP.finditer(replacement):
        known = match[1] == "\\" or (match[1].isascii() and match[1].isdigit() and int(match[1]) <= groups)
        if not known:
            raise InputError(
                f"'{match[0]}' in the replacement must be a group of the pattern, \\0 to \\{min(groups, 9)}, "
                "or \\\\ for a backslash",
                path,
            )


def replace_all(pattern: str, replacement: str, text: str, work: int) -> str | None:
    """Return ``text`` with ``replacement`` for all matches, ignoring case (unless ``(?-i)``).

    In it, ``\\1`` to ``\\9`` are groups, ``\\0`` is the whole match.
    Return None if the text's characters times the compiled pattern's instructions exceed ``work``.
    """
    compiled = _compiled(pattern)
    if len(text) * compiled.programsize > work:
        return None

    def expanded(match: Any) -> str:
        return _GROUP.sub(lambda group: "\\" if group[1] == "\\" else match[int(group[1])] or "", replacement)

    try:
        result: str = compiled.sub(expanded, text.encode("utf-8", "replace").decode())
    except re2.error:
        return None
    return result


@lru_cache(maxsize=_KEPT)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(pattern, options)
