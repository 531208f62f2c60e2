"""Spans of tokens: the lines of a value, and the texts around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rapidfuzz.fuzz import ratio

from docduck.extraction.extractors.learned.addressee import is_addressee
from docduck.extraction.learned_layout import PrintedPlace
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, PageViews, Segment, Token, text_of
from docduck.extraction.result import Location

_GAP = 1.1
"""Vertical gap, in line heights, that ends a block."""
_MAX_LINES = 10
_ABOVE = 4.0
_MIN_SIMILARITY = 82
_MIN_LETTERS = 6
_JOINTS = (" ", ", ", "\n", ",\n", "")
_RUN = re.compile(r"(.)\1+")


def shape(text: str) -> str:
    """Return a text's pattern: ``A`` for capitals, ``a`` for other letters, ``9`` for digits; no repeats."""
    classes = "".join(
        "9" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in text if c != " "
    )
    return _RUN.sub(r"\1", classes)[:40]


def keys(tokens: Iterable[Token]) -> str:
    """Return the joined normal form of tokens."""
    return "".join(token.key for token in tokens)


def beside(span: Sequence[Token]) -> Segment | None:
    """Return the nearest segment left of a span in its row; None if it shows the addressee or no letter."""
    segment = span[0].segment
    row = segment.page.rows[segment.row]
    before = [other for other in row.segments if other.right <= segment.left + 1]
    if not before or is_addressee(before[-1]) or not any(map(str.isalpha, before[-1].key)):
        return None
    return before[-1]


def above(span: Sequence[Token]) -> Segment | None:
    """Return the nearest segment above a span, at most a few lines up; None if it shows the addressee."""
    segment = span[0].segment
    page = segment.page
    left, right = span[0].left, max(token.right for token in span)
    for row in reversed(page.rows[: segment.row]):
        if segment.top - row.bottom > _ABOVE * page.line_height:
            return None
        over = [other for other in row.segments if other.left < right and other.right > left]
        if over:
            nearest = min(over, key=lambda other: abs(other.left - left))
            return None if is_addressee(nearest) else nearest
    return None


def below(span: Sequence[Token]) -> Segment | None:
    """Return the segment that continues a block below a span: close, and mostly within its width."""
    segment = span[0].segment
    page = segment.page
    left, right = span[0].left, max(token.right for token in span)
    for row in page.rows[segment.row + 1 : segment.row + 3]:
        if row.top - segment.bottom > _GAP * page.line_height:
            return None
        for other in row.segments:
            shared = min(right, other.right) - max(left, other.left)
            if shared > 0.6 * min(right - left, other.right - other.left):
                return other
    return None


def block(first: Sequence[Token], place: PrintedPlace) -> list[Sequence[Token]]:
    """Return the lines of a value that starts with ``first``, as many as ``place`` has."""
    lines = [first]
    while len(lines) < (_MAX_LINES if place.whole else place.lines):
        follower = below(lines[-1])
        if follower is None:
            break
        lines.append(follower.tokens)
    return lines


def after_words(segment: Segment, place: PrintedPlace) -> Sequence[Token] | None:
    """Return the tokens of a segment between the words around the value, None if these words are missing.

    Numbers among the words behind it may be others, as in "of 30 May".
    """
    tokens = segment.tokens
    first, last = 0, len(tokens)
    if place.before:
        # The last one, as a colon apart from the words has an empty key.
        first = max((n for n in range(1, len(tokens)) if keys(tokens[:n]) == place.before), default=0)
        if not first:
            return None
    if place.after:
        ends = range(len(tokens) - 1, first, -1)
        last = next((n for n in ends if _are_alike(keys(tokens[n:]), place.after)), last)
    return tokens[first:last] or None


def _are_alike(text: str, other: str) -> bool:
    """Return whether texts are the same but for their digits; those of digits alone must be equal."""
    words = "".join(char for char in text if not char.isdigit())
    return text == other or (bool(words) and words == "".join(char for char in other if not char.isdigit()))


def block_of(view: PageViews, text: str) -> list[Sequence[Token]]:
    """Return the lines of the block that prints ``text``; empty if there is none.

    On OCR pages a nearly equal block is accepted. On pages with a text layer only an equal one is.
    """
    wanted_key = key(text)
    letters = sum(character.isalpha() for character in text)
    if letters < _MIN_LETTERS or letters <= 2 * sum(character.isdigit() for character in text):
        return []  # similar numbers are different numbers
    best: tuple[float, list[Sequence[Token]]] = (_MIN_SIMILARITY, [])
    for segment in view.segments:
        lines: list[Sequence[Token]] = [segment.tokens]
        while len(lines) <= _MAX_LINES:
            read = "".join(keys(line) for line in lines)
            likeness = ratio(read, wanted_key, score_cutoff=best[0])
            if likeness > best[0] and (segment.page.ocr or read == wanted_key):
                best = (likeness, list(lines))
            follower = below(lines[-1])
            if follower is None or len(read) > 1.2 * len(wanted_key):
                break
            lines.append(follower.tokens)
    return best[1]


def tokens_at(view: PageViews, locations: Sequence[Location]) -> list[Sequence[Token]]:
    """Return the tokens within locations of one page, line by line."""
    page = next((page for page in view.pages if page.number == locations[0].page), None)
    return [] if page is None else [tokens for location in locations if (tokens := _within(page, location))]


def _within(page: PageView, location: Location) -> list[Token]:
    box = location.box
    left, right = box.left * page.width - 0.1, box.right * page.width + 0.1
    top, bottom = box.top * page.height - 0.1, box.bottom * page.height + 0.1
    return [
        token
        for segment in page.segments
        if segment.top < bottom and segment.bottom > top
        for token in segment.tokens
        if token.left >= left and token.right <= right and token.top >= top and token.bottom <= bottom
    ]


def describe(view: PageViews, lines: Sequence[Sequence[Token]], text: str = "") -> PrintedPlace | None:
    """Return the position of a value that takes ``lines``; None if it ends amid other words.

    ``text`` is the value itself, if it is a text.
    """
    first, last = lines[0], lines[-1]
    segment = first[0].segment
    page = segment.page
    index = view.pages.index(page)
    left, over = beside(first), above(first)
    start, end = first[0].index, first[-1].index + 1
    if len(lines) > 1 and end < len(segment.tokens):
        return None
    texts = [text_of(line) for line in lines]
    return PrintedPlace(
        page=-1 if index == len(view.pages) - 1 and index > 0 else index + 1,
        left=first[0].left / page.width,
        top=first[0].top / page.height,
        right=max(token.right for token in first) / page.width,
        before=keys(segment.tokens[:start]),
        after=keys(segment.tokens[end:]),
        beside=left.key if left is not None else "",
        label=text_of(segment.tokens[:start]) or (left.text if left is not None else ""),
        above=over.key if over is not None else "",
        lines=len(lines),
        whole=len(lines) > 1 and below(last) is None,
        joint=next((joint for joint in _JOINTS if joint.join(texts) == text), " "),
        shape=shape(" ".join(texts)),
    )


def page_of(place: PrintedPlace, pages: Sequence[PageView]) -> PageView | None:
    """Return the page of a position in a document with these pages."""
    index = place.page - 1 if place.page > 0 else len(pages) + place.page
    return pages[index] if 0 <= index < len(pages) else None
