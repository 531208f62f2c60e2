"""Finds labels on a page: the longest known label at each word, of all concepts.

Labels of concepts that no field requests are found too, as they exclude values: a date after "Delivery date"
is not the invoice date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import dropwhile
from math import inf

from rapidfuzz import fuzz, process

from docduck.documents.document import Box
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import concepts_by_label, word_set, words
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Segment, Token
from docduck.extraction.values.currencies import is_currency_mark

_MAX_WORDS = 8
"""Maximum number of words in a label."""
_MOST_LINES = 4
"""Line heights that a label may be above its value."""
_SUMS = frozenset({"grand_total", "net_total"})
_MISREAD = 87.0
"""Similarity (0–100) from which an OCR word counts as a known word."""
_PROSE = 12
"""Number of words from which a segment is prose; misread labels are not searched in prose."""
_ENUMERATED = re.compile(r"\d{1,2}[.)]?([A-Z][a-z]+)")
"""An item number glued to the first word of its label."""
_CODE = re.compile(r"\(\d+\)")
"""A code within a label, as in "Invoice (380) No."."""


@dataclass(slots=True, eq=False)
class LabelMatch:
    """A label on the page: the tokens ``start`` to ``end`` (exclusive) of ``segment``.

    ``concepts`` are the lexicon's concepts that it can name. ``trust`` (0–1) is how much its position is that
    of a label: at the start of a line or after a colon, not within prose. ``alone`` says that no value
    follows in the segment.
    """

    form: str
    segment: Segment
    start: int
    end: int
    concepts: frozenset[str]
    trust: float = 1.0
    alone: bool = field(default=False)

    @property
    def tokens(self) -> Sequence[Token]:
        return self.segment.tokens[self.start : self.end]

    @property
    def following(self) -> list[Token]:
        """The tokens after the label in its segment, without leading punctuation."""
        return list(dropwhile(lambda token: not token.key, self.segment.tokens[self.end :]))

    @property
    def has_colon(self) -> bool:
        """Whether the label ends with a colon, or one follows it."""
        tokens = self.segment.tokens
        return tokens[self.end - 1].text.endswith(":") or (
            self.end < len(tokens) and tokens[self.end].text == ":"
        )

    def distance(self, box: Box) -> float:
        """Return how far, in line heights, it is before a value on its page or above it; inf if neither."""
        page, first = self.segment.page, self.tokens[0]
        left, top = box.left * page.width, box.top * page.height
        right, bottom = box.right * page.width, box.bottom * page.height
        if first.top < bottom and first.bottom > top:
            return max(0.0, left - self.right) / page.line_height / 10 if self.left < right else inf
        lines = (top - first.bottom) / page.line_height
        is_above = -0.5 < lines < _MOST_LINES and self.left < right and self.right > left
        return 1 + max(0.0, lines) if is_above else inf

    @property
    def left(self) -> float:
        return self.segment.tokens[self.start].left

    @property
    def right(self) -> float:
        return self.segment.tokens[self.end - 1].right


@cache
def _known_words() -> dict[int, list[str]]:
    """Return the known labels of at least five letters, by length."""
    by_length: dict[int, list[str]] = {}
    for form in concepts_by_label(with_periods=True):
        if len(form) >= 5 and form.isalpha():
            by_length.setdefault(len(form), []).append(form)
    return by_length


class LabelFinder:
    """Finds labels of the lexicon and of the given targets."""

    def __init__(self, targets: Iterable[FieldQuery]) -> None:
        self._forms = dict(concepts_by_label(with_periods=True))
        self._own = {form for target in targets for form in target.own}
        self._long = [form for form in self._own if len(form) >= 6 and form.isalpha()]
        for form in self._own:
            self._forms.setdefault(form, frozenset())

    def find(self, page: PageView) -> list[LabelMatch]:
        """Return all non-overlapping labels of a page, in reading order."""
        matches: list[LabelMatch] = []
        for segment in page.segments:
            keys = [self._key(token) for token in segment.tokens]
            misread = page.ocr and len(keys) <= _PROSE
            at = 0
            while at < len(keys):
                end, form = self._longest(keys, at, misread)
                if end > at:
                    matches.append(self._occurrence(form, segment, at, end))
                    at = matches[-1].end
                else:
                    at += 1
        return matches

    def _key(self, token: Token) -> str:
        """Return a token's normal form: empty for a code, the known part of "Client/Code" and of "1Name"."""
        text = token.text
        if _CODE.fullmatch(text):
            return ""
        if "/" in text[1:-1] and token.key not in self._forms and not any(c.isdigit() for c in text):
            return next((k for part in text.split("/") if (k := key(part)) in self._own), token.key)
        glued = _ENUMERATED.fullmatch(text)
        return key(glued[1]) if glued and key(glued[1]) in self._own else token.key

    def _longest(self, keys: Sequence[str], at: int, ocr: bool) -> tuple[int, str]:
        if not keys[at] or keys[at].isdigit():
            return at, ""
        compound_concept = _compound(keys[at])
        if compound_concept and keys[at] not in self._forms:
            self._forms[keys[at]] = frozenset({compound_concept})
        best, form, joined = at, "", ""
        for end in range(at, min(at + _MAX_WORDS, len(keys))):
            if not keys[end] and end > at:
                continue
            joined += keys[end]
            if len(joined) > 48:
                break
            if joined in self._forms:
                best, form = end + 1, joined
            elif ocr and best == at and len(joined) >= 6 and not joined.isdigit():
                similar = self._similar_own_label(joined) or _similar_known_label(joined)
                if similar:
                    best, form = end + 1, similar
        return best, form

    def _similar_own_label(self, text: str) -> str | None:
        """Return the target's own label that OCR may have misread as ``text``."""
        match = process.extractOne(text, self._long, scorer=fuzz.ratio, score_cutoff=_MISREAD)
        return str(match[0]) if match else None

    def _occurrence(self, form: str, segment: Segment, start: int, end: int) -> LabelMatch:
        tokens = segment.tokens
        concepts = self._forms[form]
        if concepts & _SUMS:
            total, end = _qualify_total(tokens, end)
            if total is not None and total not in concepts:
                form, concepts = f"{form}*{total}", frozenset({total})
        end = _after_note(tokens, end)
        after = tokens[end:]
        colon = tokens[end - 1].text.endswith((":", "#")) or bool(after and after[0].text in (":", "="))
        leads = start == 0 or tokens[start - 1].text.endswith((":", ".", "|", ";", "-", "·", "/", "(", ","))
        trust = 1.0
        if not leads:
            trust = 0.85 if colon or not after else 0.65
            if len(tokens) > 9:
                trust -= 0.2
        elif not colon and after and len(tokens) > 9:
            trust = 0.75
        alone = all(is_filler(token) for token in after)
        return LabelMatch(form, segment, start, end, concepts, trust, alone)


def _after_note(tokens: Sequence[Token], end: int) -> int:
    """Return the end of a label with the note in brackets that explains it: "Sender (name, country)"."""
    if end == len(tokens) or not tokens[end].text.startswith("("):
        return end
    for index in range(end, len(tokens)):
        if any(char.isdigit() for char in tokens[index].text):
            break
        if tokens[index].text.rstrip(":").endswith(")"):
            return index + 1
    return end


def _qualify_total(tokens: Sequence[Token], end: int) -> tuple[str | None, int]:
    """Return the concept that words after "Total" select ("Total sales (excluding GST)"), and their end.

    The concept is None if no such words follow. "Tax" alone selects the tax total.
    """
    tax = inclusive = exclusive = False
    last = end
    for index in range(end, min(end + 6, len(tokens))):
        token = tokens[index]
        if any(c.isdigit() for c in token.text) and not token.text.strip("()").endswith("%"):
            break
        if tokens[index - 1].text.endswith(":"):
            break
        word = token.key
        inclusive = inclusive or word in word_set("inclusive")
        exclusive = exclusive or word in word_set("exclusive")
        tax = tax or word in word_set("tax_words")
        if word in word_set("inclusive") | word_set("exclusive") | word_set("tax_words"):
            last = index + 1
    if exclusive:
        return "net_total", last
    if inclusive:
        return "grand_total", last
    return ("tax_total", last) if tax else (None, end)


@cache
def _compound(word: str) -> str | None:
    """Return the concept of a compound such as ``abschlagsrechnung``, by its last part."""
    last_parts: dict[str, str] = words()["compounds"]
    return next((c for end, c in last_parts.items() if word.endswith(end) and len(word) > len(end) + 2), None)


@lru_cache(maxsize=32768)
def _similar_known_label(text: str) -> str | None:
    slack = max(1, len(text) // 8)
    lengths = range(len(text) - slack, len(text) + slack + 1)
    known = [form for length in lengths for form in _known_words().get(length, ())]
    match = process.extractOne(text, known, scorer=fuzz.ratio, score_cutoff=_MISREAD)
    return str(match[0]) if match else None


def is_filler(token: Token) -> bool:
    """Return whether a token may lie between a label and its value: a currency, a rate, punctuation."""
    text = token.text
    if not token.key or is_currency_mark(text.strip("()[]:")):
        return True
    if text.startswith("(") and text.endswith(")"):
        return True
    return text.rstrip("):,].").endswith("%") or token.key in word_set("fillers")
