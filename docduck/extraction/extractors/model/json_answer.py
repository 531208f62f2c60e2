"""The JSON object in a model's answer, among other text."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any, NoReturn

_THOUGHTS = re.compile(r"^.*</think>", re.DOTALL)
_MOST_STARTS = 200


def find_object(text: str, keys: Collection[str]) -> dict[str, Any] | None:
    """Return the object in ``text`` that has most of ``keys``; None if there is none or it is cut off.

    Numbers that JSON does not know (NaN, Infinity) make an object invalid.
    """
    text = _THOUGHTS.sub("", text, count=1)
    decoder = json.JSONDecoder(parse_constant=_refuse)
    best: dict[str, Any] | None = None
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            break
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(found, dict) and (best is None or _shared(found, keys) > _shared(best, keys)):
                best = found
        at = text.find("{", end)
    return best if best is not None and _shared(best, keys) else None


def _shared(found: dict[str, Any], keys: Collection[str]) -> int:
    return sum(key in found for key in keys)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
