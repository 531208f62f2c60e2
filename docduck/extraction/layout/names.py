"""What reads like the name of a company or a person."""

from __future__ import annotations

import re

from docduck.extraction.lexicon import word_set
from docduck.extraction.values.addresses import find_town, is_street
from docduck.extraction.values.contacts import WEB
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.text import key

_LONGEST = 70


def has_legal_form(text: str) -> bool:
    """Whether the last words of ``text`` are a company's legal form (GmbH, Ltd, S.A. …)."""
    words = [key(word) for word in re.split(r"[\s,]+", text)]
    forms = word_set("legal_forms")
    if any(word in forms for word in words[1:]):
        return True
    return any("".join(words[-count:]) in forms for count in (2, 3, 4) if len(words) > count)


def name_like(text: str) -> bool:
    """Whether ``text`` can be a company's or a person's name."""
    letters = sum(char.isalpha() for char in text)
    if letters < 3 or len(text) > _LONGEST or "@" in text or text.rstrip().endswith(":"):
        return False
    if not any(char.isupper() or not char.isascii() for char in text if char.isalpha()):
        return False
    if find_dates(text) or WEB.fullmatch(text.strip()):
        return False
    if (find_town(text) or is_street(text)) and not has_legal_form(text):
        return False
    return sum(char.isdigit() for char in text) <= letters / 2
