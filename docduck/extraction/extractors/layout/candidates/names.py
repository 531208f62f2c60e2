"""Names of companies and persons on a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import takewhile

from docduck.extraction.lexicon import word_set, words
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Segment, Token, text_of
from docduck.extraction.values.addresses import find_town, is_street
from docduck.extraction.values.contacts import WEB
from docduck.extraction.values.dates import find_dates

_MAX_LENGTH = 70
_SHAPES = str.maketrans("odqsbilgz", "000581162")
"""Maps characters that OCR confuses to one representative."""
_INITIAL = re.compile(r"(?<=\.)[1058](?=\.\s?[A-Z(]|\.$)")
_REGISTRATION = re.compile(r"[(\[][^()]*\d{4,}[^()]*[)\]]?|\(?\d{5,}\s?-\s?[A-Z]{1,2}\)?")
SEPARATORS = re.compile(r"\s*[·•|∙▪]\s*|\s[-–—]\s|,\s")
"""Separators between name, street and town on one line."""


@lru_cache(maxsize=8192)
def has_legal_form(text: str) -> bool:
    """Return whether ``text`` ends with a company's legal form (GmbH, Ltd, S.A. …).

    Those of other scripts than Latin also begin names, and are written together with them.
    """
    words = [key(word) for word in re.split(r"[\s,]+", text)]
    forms = word_set("legal_forms")
    if any(word in forms for word in words[1:]) or (words[0] in forms and not words[0].isascii()):
        return True
    if any(word.startswith(_unspaced_forms()) or word.endswith(_unspaced_forms()) for word in words):
        return True
    return any("".join(words[-count:]) in forms for count in (2, 3, 4) if len(words) > count)


@cache
def _unspaced_forms() -> tuple[str, ...]:
    return tuple(form for form in word_set("legal_forms") if form > "\u3000")


def without_label(tokens: Sequence[Token]) -> list[Token]:
    """Return ``tokens`` without a leading "Name:"."""
    if tokens and tokens[0].key in word_set("name_labels"):
        if tokens[0].text.endswith(":"):
            return list(tokens[1:])
        if len(tokens) > 1 and tokens[1].text == ":":
            return list(tokens[2:])
    return list(tokens)


def bare_name(tokens: Sequence[Token]) -> list[Token]:
    """Return a name without its registration number, or small words behind its legal form.

    "Muster Sdn Bhd (123456-A)", "Telvia S.p.A. con socio unico".
    """
    small = sum(1 for _ in takewhile(lambda t: t.text.isalpha() and t.text.islower(), reversed(tokens)))
    name = tokens[: len(tokens) - small]
    if small and len(name) > 1 and name[-1].text.endswith(".") and has_legal_form(text_of(name)):
        return list(name)
    for index in range(len(tokens) - 1, 0, -1):
        tail = text_of(tokens[index:])
        if _REGISTRATION.fullmatch(tail):
            return list(tokens[:index])
        if index < len(tokens) - 3:
            break
    return list(tokens)


def full_name(lines: Sequence[Segment], cautious: bool = False) -> tuple[list[Token], int]:
    """Return the name that starts at the first of ``lines``, and the number of lines it takes.

    A salutation on its own line is part of the name. A second line is part of it if it holds the legal form
    that the first lacks; with ``cautious``, only if punctuation shows that the name continues.
    """
    tokens = list(lines[0].tokens)
    if len(lines) < 2:
        return tokens, 1
    alone = len(tokens) == 1 and tokens[0].key in word_set("salutations")
    second = lines[1].text
    wrapped = not cautious or second.startswith(("(", "&")) or tokens[-1].text in ("&", "-", "und", "and")
    wrapped = (
        wrapped
        and is_name_like(lines[0].text)
        and has_legal_form(second)
        and not has_legal_form(lines[0].text)
        and is_name_like(second)
    )
    if alone or wrapped:
        return [*tokens, *lines[1].tokens], 2
    return tokens, 1


@cache
def _misread() -> dict[str, str]:
    """Return legal forms by their OCR-confusable shape: those of four characters or more, or with a slash."""
    forms = [str(form) for form in words()["legal_forms"]]
    return {
        form.translate(_SHAPES): form
        for form in forms
        if len(form) >= 3 and (len(form) > 3 or "/" in form) and ("." not in form)
    }


@lru_cache(maxsize=8192)
def repair_name(text: str) -> str:
    """Return ``text`` with OCR errors in initials and in the legal form at its end corrected.

    "ACME SON BHD" becomes "ACME SDN BHD", "BAZAAR S/8" "BAZAAR S/B", "K.1.M." "K.I.M.".
    """
    text = _INITIAL.sub(lambda match: {"1": "I", "0": "O", "5": "S", "8": "B"}[match[0]], text)
    known = word_set("legal_forms")
    parts = text.split(" ")
    for count in (2, 1):
        tail = " ".join(parts[-count:])
        form = _misread().get(tail.casefold().translate(_SHAPES))
        if len(parts) <= count or form is None:
            continue
        if tail.casefold() == form or (key(tail) in known and not any(c.isdigit() for c in tail)):
            break
        return " ".join([*parts[:-count], form.upper() if tail.isupper() else form.title()])
    return text


@lru_cache(maxsize=8192)
def is_name_like(text: str) -> bool:
    """Return whether ``text`` can be the name of a company or person."""
    letters = sum(char.isalpha() for char in text)
    if letters < 3 or len(text) > _MAX_LENGTH or "@" in text or text.rstrip().endswith(":"):
        return False
    if not any(char.isupper() or not char.isascii() for char in text if char.isalpha()):
        return False
    if any(2 * (date.end - date.start) > len(text) for date in find_dates(text)) or WEB.fullmatch(
        text.strip()
    ):
        return False
    town = find_town(text)
    if (town or is_street(text)) and not has_legal_form(text):
        return False
    if town and SEPARATORS.search(text):
        return False
    return sum(char.isdigit() for char in text) <= letters / 2
