"""Labels and values as pages pair them: after a colon, across a gap, below, or by the first digit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docduck.extraction.page.page_view import PageView, Segment, Token
from docduck.extraction.reading import reading_of

_COLON, _RIGHT, _BELOW, _QUESTION, _INLINE, _HEAD = 1.0, 0.92, 0.85, 0.97, 0.88, 0.8
_LIKELY = 0.4
"""Probability from which the page's reading pairs a label and a value."""
_MOST_WORDS = 14
_HEAD_WORDS = 3
_LONGEST = 9
"""Words in a label with a colon at most."""
_REACH = 2.4
"""Line heights below a label in which its value may begin."""
_GAP = 0.55
"""The part of a page's width that a value may be right of its label."""
_ITEM = re.compile(r"\(?\d{1,2}\s?[.)]\)?$")


@dataclass(frozen=True, slots=True)
class Pair:
    """The words of a label and of what it may announce; ``weight``, 0–1, is how plain their relation is."""

    label: str
    value: Sequence[Token]
    weight: float
    inline: bool = False

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.value).strip(" :–-|_·•*")


def pairs(page: PageView) -> Iterator[Pair]:
    """Yield all pairs of a page: those of its reading, and those that rules see."""
    yield from _read(page)
    for segment in page.segments:
        tokens = list(segment.tokens)
        if tokens[0].text.startswith("§"):
            continue
        item = bool(_ITEM.match(tokens[0].text)) and len(tokens) > 1
        if item:
            tokens = tokens[1:]
        colons = [i for i, t in enumerate(tokens) if t.text.endswith((":", "#")) or t.text == "="]
        for order, at in enumerate(colons):
            begin = colons[order - 1] + 1 if order else 0
            if order:
                begin = max(begin + 1, _label_start(tokens, begin, at))
            end = colons[order + 1] if order + 1 < len(colons) else len(tokens)
            if order + 1 < len(colons):
                end = max(at + 2, _label_start(tokens, at + 1, end))
            label = _text(tokens[begin : at + 1])
            if at - begin > _LONGEST or ("(" in label and ")" not in label):
                continue
            if tokens[at + 1 : end]:
                yield Pair(label, tokens[at + 1 : end], _COLON)
            elif end == len(tokens):
                yield from _apart(segment, label, _COLON)
        if colons or len(tokens) > _MOST_WORDS:
            continue
        question = tokens[-1].text.endswith("?") or (item and not tokens[-1].text.endswith("."))
        if question or not (
            any(c.isdigit() for c in tokens[-1].text) or tokens[-1].text.endswith((".", ","))
        ):
            yield from _apart(segment, _text(tokens), _QUESTION if question else 0.0)
        yield from _inline(tokens)


def _read(page: PageView) -> Iterator[Pair]:
    """Yield the pairs of the page's reading; a value may have several lines."""
    reading = reading_of(page)
    for label, lines in reading.labelled.items():
        likely = [one for one in lines if one.probability >= _LIKELY]
        if likely:
            value = [token for one in likely for token in page.segments[one.segment].tokens]
            weight = min(one.probability for one in likely)
            text = _text(page.segments[label].tokens)
            yield Pair(text, page.segments[likely[0].segment].tokens, weight)
            if len(likely) > 1:
                yield Pair(text, value, weight - 0.01)


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _label_start(tokens: Sequence[Token], begin: int, colon: int) -> int:
    """Return where the label that ends at ``colon`` begins: up to three words back, no digits among them."""
    at = colon
    while at - 1 >= begin and colon - at < 2 and not any(c.isdigit() for c in tokens[at - 1].text):
        if tokens[at - 1].text.endswith((",", ";", ".")):
            break
        at -= 1
        if tokens[at].text[:1].isupper():
            break
    return at


def _apart(segment: Segment, label: str, plain: float) -> Iterator[Pair]:
    """Yield the label with the words right of it, and with those below."""
    page = segment.page
    row = page.rows[segment.row].segments[segment.order + 1 :]
    right = next((s for s in row if s.left >= segment.right), None)
    if right is not None and right.left - segment.right < _GAP * page.width and not _labelled(right):
        yield Pair(label, right.tokens, max(plain, _RIGHT))
    for below in page.rows[segment.row + 1 : segment.row + 3]:
        for other in below.segments:
            if other.top - segment.bottom > _REACH * page.line_height:
                return
            left = abs(other.left - segment.left) < 2.5 * page.line_height
            over = other.left < segment.right and segment.left < other.right
            if (left or over) and not _labelled(other):
                beside = right is not None and not left
                yield Pair(label, other.tokens, (max(plain, _BELOW) if not beside else 0.8) - 0.01)
                return


def _labelled(segment: Segment) -> bool:
    first = segment.tokens[0].text
    heading = first.startswith("§") or (len(segment.tokens) > 1 and bool(_ITEM.match(first)))
    return segment.tokens[-1].text.endswith((":", "?")) or ":" in first or heading


def _inline(tokens: Sequence[Token]) -> Iterator[Pair]:
    """Yield labels that run into their values: "Meter number 77120", "SEX F"."""
    first = next((i for i, t in enumerate(tokens) if any(c.isdigit() for c in t.text)), None)
    if first is not None and 0 < first <= 6 and tokens[first].key:
        start = (
            first - 1
            if first > 1 and len(tokens[first - 1].text) <= 3 and not tokens[first - 1].key
            else first
        )
        yield Pair(_text(tokens[:start]), tokens[first:], _INLINE, True)
    if len(tokens) <= 7:
        for size in range(1, min(_HEAD_WORDS, len(tokens) - 1) + 1):
            if size != first:
                yield Pair(_text(tokens[:size]), tokens[size:], _HEAD, True)
