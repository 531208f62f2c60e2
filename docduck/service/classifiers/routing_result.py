"""The result of routing a document, as the catalog stores it."""

from __future__ import annotations

from typing import Any

from docduck.catalog.models import Parser

_DIGITS = 4


def routing_result(
    category: str | None,
    target: Parser | None,
    *,
    confidence: float | None = None,
    reasoning: str | None = None,
    error: str | None = None,
) -> dict[str, Any]:
    """Return the label that a document has and the parser that it goes to, with the reasons or the error."""
    return {
        "category": category,
        "targetParserId": target.id if target else None,
        "targetParserName": target.name if target else None,
        "confidence": None if confidence is None else round(confidence, _DIGITS),
        "reasoning": reasoning,
        "error": error,
    }
