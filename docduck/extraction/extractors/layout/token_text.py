"""Text and OCR score of tokens."""

from __future__ import annotations

from collections.abc import Iterable

from docduck.extraction.page.page_view import Token


def text_of(tokens: Iterable[Token]) -> str:
    """Return the texts of ``tokens``, joined by spaces."""
    return " ".join([token.text for token in tokens])


def ocr_score(tokens: Iterable[Token]) -> float:
    """Return the lowest OCR score of ``tokens``, 1 if there are none."""
    return min((token.score for token in tokens), default=1.0)
