"""Nesting of documents in mails and archives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

MOST_NESTED = 3
"""Maximum nesting of mails and archives; deeper files remain pages of their container."""

_PART, _DEPTH = "part", "depth"


def nested_detail(
    detail: Mapping[str, Any] | None, container: Literal["mail", "archive"], document_id: str, part: int
) -> dict[str, Any]:
    """Return the source detail of a part of a mail or archive with the source detail ``detail``."""
    return {**(detail or {}), container: document_id, _PART: part, _DEPTH: _depth(detail) + 1}


def may_split_mail(detail: Mapping[str, Any] | None) -> bool:
    """Return whether attachments of a mail with this source detail become documents."""
    return _depth(detail) < MOST_NESTED


def may_unpack(detail: Mapping[str, Any] | None) -> bool:
    """Return whether members of an archive with this source detail become documents.

    Archives inside an archive are unpacked with it. What comes out is never unpacked again, so that a small
    file can't become very many documents.
    """
    return may_split_mail(detail) and "archive" not in (detail or {})


def _depth(detail: Mapping[str, Any] | None) -> int:
    return int((detail or {}).get(_DEPTH, 0))
