"""The segments right of and below another, and whether a segment is a label itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.fields.announcements import is_role
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Segment, Token, text_of

_NUMBERED = re.compile(r"\(?\d{1,2}\s?[.)](?=\s+\S)")
_MOST_WORDS = 5
"""Words of a label that no list knows, at most."""
_ROWS_BELOW = 4


def right_neighbour(segment: Segment) -> Segment | None:
    """Return the next segment of the row, right of ``segment``."""
    row = segment.page.rows[segment.row]
    return next((s for s in row.segments[segment.order + 1 :] if s.left >= segment.right), None)


def segment_below(
    segment: Segment, left: float, right: float, height: float, reach: float = 2.2
) -> Segment | None:
    """Return the nearest segment below the span ``left`` to ``right``, within ``reach`` line heights."""
    page = segment.page
    for row in page.rows[segment.row + 1 : segment.row + 1 + _ROWS_BELOW]:
        for other in row.segments:
            if other.top - segment.bottom > reach * height:
                return None
            aligned = abs(other.left - left) < 1.5 * height
            if aligned or (other.left < right and left < other.right):
                return other
    return None


def is_label_like(tokens: Sequence[Token], label_index: LabelIndex) -> bool:
    """Return whether the first words of a segment are a label, known or unknown, rather than a value."""
    text = text_of(tokens).rstrip()
    if label_index.begins_with_label(tokens[0].segment) or text.endswith(":") or is_numbered(text):
        return True
    if any(char.isdigit() for char in text) or len(tokens) > _MOST_WORDS:
        return False
    if is_role("".join(token.key for token in tokens)):
        return True
    return any(token.key in word_set("label_heads", "asking") for token in tokens)


def is_numbered(text: str) -> bool:
    """Return whether a text is a numbered item of a form: "2. Reference No."."""
    return _NUMBERED.match(text) is not None
