"""JSON as the catalog stores it."""

from __future__ import annotations

import json
from typing import Any


def json_text(value: Any) -> str:
    """Compact JSON, without what PostgreSQL refuses in text: NUL is left out, a lone surrogate is ``?``."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if "\\u0000" in text:
        text = json.dumps(_without_nul(value), ensure_ascii=False, separators=(",", ":"))
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()
    return text


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, dict):
        return {_without_nul(key): _without_nul(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nul(item) for item in value]
    return value
