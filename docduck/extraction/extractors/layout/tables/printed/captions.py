"""Table and figure captions ("Table 3. …"), and their overlap with a field's description."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.page.page_view import PageView, Token
from docduck.fields import Field

_ABOVE = 5.0
"""Maximum distance of a caption above its header, in line heights."""
_NUMBERED = re.compile(r"(?:\d|[A-Z]{1,2}[\d.:-]|[IVX]+\b|[Nn][°or]\b)")


def is_caption(tokens: Sequence[Token]) -> bool:
    """Return whether a line begins with a word for table or figure and a number."""
    named = len(tokens) > 1 and key(tokens[0].text) in word_set("caption_words")
    return named and _NUMBERED.match(tokens[1].text) is not None


def caption_overlap(table: Field, page: PageView, top: float) -> float:
    """Return the share, 0–1, of the caption's words above ``top`` that the field's name or description has.

    A caption of fewer than two significant words counts as 0.
    """
    reach = top - _ABOVE * page.line_height
    above = [row for row in page.rows if reach < row.top and row.bottom <= top + 1.0]
    start = next((i for i in range(len(above) - 1, -1, -1) if is_caption(above[i].tokens)), len(above) - 1)
    words = {t.key for row in above[max(start, 0) :] for t in row.tokens if len(t.key) > 3}
    caption = words - word_set("caption_words")
    described = " ".join(filter(None, (table.name, table.description, table.instructions)))
    field_words = {key(word) for word in words_of(described)}
    return len(caption & field_words) / len(caption) if len(caption) > 1 else 0.0
