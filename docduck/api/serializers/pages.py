"""The list envelope (contract "Conventions")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def page_of(rows: Sequence[Any], page: int, limit: int, total: int) -> dict[str, Any]:
    """One page of a list, with where it stands."""
    count = -(-total // limit)
    return {
        "data": list(rows),
        "pagination": {"page": page, "limit": limit, "total": total, "pageCount": count},
    }
