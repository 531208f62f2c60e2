"""How deep files inside documents become documents of their own, and what their source detail says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

MOST_NESTED = 3
"""Mails and archives around a document that came out of them; deeper files stay pages of what they are in."""

_PART, _DEPTH = "part", "depth"


def inside(
    detail: Mapping[str, Any] | None, container: Literal["mail", "archive"], document_id: str, part: int
) -> dict[str, Any]:
    """Return the source detail of a part of a mail or archive, which itself has ``detail``."""
    return {**(detail or {}), container: document_id, _PART: part, _DEPTH: _depth(detail) + 1}


def may_part(detail: Mapping[str, Any] | None) -> bool:
    """Return whether the attachments of a mail with this source detail become documents of their own."""
    return _depth(detail) < MOST_NESTED


def may_unpack(detail: Mapping[str, Any] | None) -> bool:
    """Return whether the members of an archive with this source detail become documents of their own.

    Archives inside an archive are unpacked with it; what comes out of one is never unpacked again, so that
    a small file can't become very many documents.
    """
    return may_part(detail) and "archive" not in (detail or {})


def _depth(detail: Mapping[str, Any] | None) -> int:
    return int((detail or {}).get(_DEPTH, 0))
