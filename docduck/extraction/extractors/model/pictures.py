"""Which pages a model is shown as pictures beside their text, and how many tokens these take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docduck.documents.document import Page

_BOXES = frozenset("☐☑☒")
_PIXELS_A_TOKEN = 750
"""The fewest that a token stands for, of the servers that say how they count."""


def picture_tokens(pages: Sequence[Page], width: int) -> Mapping[int, int]:
    """Return the tokens of the pictures, so wide, of the pages that are shown, by their numbers.

    These are scans, among them what is written by hand, and pages with boxes to tick, or without any text.
    """
    return {
        page.number: -(-width * round(width * page.height / page.width) // _PIXELS_A_TOKEN)
        for page in pages
        if _is_shown(page)
    }


def _is_shown(page: Page) -> bool:
    words = page.words
    return not words or any(word.source == "ocr" or not _BOXES.isdisjoint(word.text) for word in words)
