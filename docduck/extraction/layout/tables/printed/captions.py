"""Lines that name a table or a figure: "Table 3. …", "Abbildung 2: …"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docduck.extraction.lexicon import word_set
from docduck.extraction.values.text import key
from docduck.extraction.view import Token

_NUMBERED = re.compile(r"(?:\d|[A-Z]{1,2}[\d.:-]|[IVX]+\b|[Nn][°or]\b)")


def is_caption(tokens: Sequence[Token]) -> bool:
    """Whether a line begins with the word for a table or figure and its number."""
    named = len(tokens) > 1 and key(tokens[0].text) in word_set("caption_words")
    return named and _NUMBERED.match(tokens[1].text) is not None
