"""Identifiers: numbers of invoices, orders, customers, accounts."""

from __future__ import annotations

import re

_FORM = re.compile(r"[A-Za-z0-9À-ÿ#][\w#.\-/–+&*]*", re.UNICODE)
_EDGE = ".,;:()[]{}\"'“”„*|"


def clean(text: str) -> str:
    """Return ``text`` without punctuation at its ends and a leading ``#``."""
    return text.strip().strip(_EDGE).lstrip("#").strip()


def is_identifier(text: str) -> bool:
    """Return whether ``text`` is one word with a digit in it."""
    bare = clean(text)
    return bool(bare) and any(c.isdigit() for c in bare) and _FORM.fullmatch(bare) is not None
