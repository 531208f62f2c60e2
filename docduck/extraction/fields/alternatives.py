"""The other concepts that a description lets answer a field.

"Contract or order number (on an invoice that shows none, the invoice number)" lets an order number answer,
and on a document titled "Invoice" the invoice number rather.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from docduck.extraction.lexicon import Concept

_CLAUSES = re.compile(r"[();]|\.\s")
_EITHER = re.compile(r"\b(\w+)(?: or |/)(\w+) (\w+)\b")
_CONDITION = re.compile(r"\b(?:on|in|for|if it is|of) an? (\w{4,})\b")
_NEGATION = re.compile(r"\b(?:not|no|without|except|excluding|unlike|rather than|instead of)\b[^,]*$")
_LINK = re.compile(r"(?:\bor|/|,)\s*(?:the |an? )?$")
_STAND_IN = re.compile(r"\b(?:if|when|where|on|otherwise|else|instead|failing|without|none|missing)\b")
"""Words of a clause that names a replacement, rather than mentions something."""
_STATED, _FALLBACK = 0.85, 0.8


@dataclass(frozen=True, slots=True)
class Alternative:
    """A concept that may answer a field as well, with a weight 0–1.

    ``title`` is the word a document must be titled by for it to be preferred, None if any document will do.
    """

    concept: str
    weight: float
    title: str | None = None


def alternatives(description: str, own: Concept, pool: Iterable[Concept]) -> tuple[Alternative, ...]:
    """Return the alternatives to ``own`` that a description names, among the concepts of ``pool``."""
    by_name: dict[str, Alternative] = {}
    for index, clause in enumerate(_CLAUSES.split(description.casefold())):
        text = _EITHER.sub(r"\1 \3, \2 \3", clause)
        condition = _CONDITION.search(text)
        for concept in pool:
            if concept is own or concept.kind != own.kind or concept.name in by_name:
                continue
            at = next((m.start() for name in concept.spelled if (m := _phrase(name).search(text))), None)
            if at is None or _NEGATION.search(text[:at].rpartition(",")[2]):
                continue
            linked = _LINK.search(text[:at]) is not None
            if not linked and not (index and _STAND_IN.search(text)):
                continue
            weight = _STATED if linked and not index else _FALLBACK
            by_name[concept.name] = Alternative(concept.name, weight, condition[1] if condition else None)
    return tuple(by_name.values())


def _phrase(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\b")
