"""Places of values in running text: the words near them, or those of their clause, are their label."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile

from docduck.extraction.extractors.layout.labelled.places import NUMERIC, Place, label_text
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.page.page_view import PageView, Segment, Token, starts_of, text_of
from docduck.extraction.reading import reading_of
from docduck.extraction.values.bank import MASKED_IBAN
from docduck.extraction.values.contacts import MAIL
from docduck.extraction.values.currencies import is_money
from docduck.extraction.values.dates import find_dates, joins_range

_PROSE = 0.5
"""Probability from which a segment is running text."""
_SURE = 0.45
"""Probability that the words before a value in a sentence are its label."""
_BEHIND = 0.35
"""Probability that the words behind a sum in a sentence are its label."""
_WORDS, _WORDS_BEHIND = 5, 3
"""Words before and behind a value that are looked at."""
_NEXT_LINE = 0.8
"""Gap, in line heights, between lines of a paragraph at most."""
_DATES = frozenset({"date"})
_ACCOUNTS = frozenset({"iban", "identifier", "text"})
_MAILS = frozenset({"mail", "text"})
_CODES = frozenset({"identifier", "text"})
_NUMBERS = NUMERIC | _CODES
_NUMBER = re.compile(r"(?<!\S)\S*\d\S*(?: [\d*•]\S*)*")
_PREFIXED = re.compile(r"\b([A-Z]{1,3}) \d\S*(?: [\d*•]\S*)*")
"""A number with letters that are no label before it: "BT 7719034"."""
_PATTERNS = ((MAIL, _MAILS), (MASKED_IBAN, _ACCOUNTS), (_PREFIXED, _CODES), (_NUMBER, _NUMBERS))
_ABBREVIATED = 2
"""Letters of an abbreviation before a number at most."""
_SHORTEST_CODE = 4
"""Characters from which a number in a sentence can be an identifier."""
_SMALL = frozenset({"from", "to", "sender", "recipient", "date"})
"""Meanings of words such as "vom" and "till", which alone label nothing in a sentence."""
SENTENCE_END = re.compile(r"(?<!\b\d)(?<!\b\d\d)[.!?]\s+(?=[^\W\d_a-zà-ÿ])")
"""The end of a sentence; "22. März" is none."""


def sentence_places(page: PageView) -> Iterator[Place]:
    """Yield the dates and numbers of a page's sentences, each for one to some of the words before it."""
    for tokens in paragraphs(page):
        text, starts = text_of(tokens), starts_of(tokens)
        ends = [0, *(match.end() for match in SENTENCE_END.finditer(text)), len(text)]
        for start, end, kinds in value_spans(text):
            first = bisect_right(starts, start) - 1
            last = bisect_right(starts, end - 1)
            value = tokens[first:last]
            if kinds >= NUMERIC and (whole := _with_unit(tokens, first, last)) != (first, last):
                value, kinds = tokens[slice(*whole)], NUMERIC
                yield from _labelled_behind(value, tokens[whole[1] :])
            order = bisect_right(ends, start)
            sentence = text[ends[order - 1] : ends[order] if order < len(ends) else len(text)]
            before = _before(tokens[:first])
            for count in range(1, len(before) + 1):
                label = label_text(text_of(before[-count:]))
                if meanings_of(label) <= _SMALL:
                    continue
                yield Place(label, value, _SURE, sentence, lines=(value[0].segment,), kinds=kinds)


def paragraphs(page: PageView) -> Iterator[list[Token]]:
    """Yield the tokens of lines of running text that follow each other."""
    reading = reading_of(page)
    lines = [segment for segment in page.segments if reading.kind(segment.index, "prose", "both") >= _PROSE]
    tokens: list[Token] = []
    for line in lines:
        if tokens and not _follows(line, tokens[-1].segment):
            yield tokens
            tokens = []
        tokens.extend(line.tokens)
    if tokens:
        yield tokens


def _follows(line: Segment, above: Segment) -> bool:
    return abs(line.left - above.left) < above.height and 0 < line.top - above.top < (
        (1 + _NEXT_LINE) * above.height
    )


def value_spans(text: str) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield the spans of dates and ranges of them, account numbers and other numbers, with their kinds."""
    spans: list[tuple[int, int]] = []
    for date in find_dates(text):
        if spans and joins_range(text[spans[-1][1] : date.start]):
            spans[-1] = (spans[-1][0], date.end)
        else:
            spans.append((date.start, date.end))
    yield from ((start, end, _DATES) for start, end in spans)
    for pattern, kinds in _PATTERNS:
        for match in pattern.finditer(text):
            if pattern is _PREFIXED and meanings_of(match[1]):
                continue
            if not any(match.start() < end and start < match.end() for start, end in spans):
                spans.append(match.span())
                is_code = len(match[0]) >= _SHORTEST_CODE
                yield *match.span(), kinds if is_code else NUMERIC


def _with_unit(tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """Return where a number with the currency before or after it, or a percent sign, begins and ends."""
    if first and is_money(tokens[first - 1].text):
        first -= 1
    elif last < len(tokens) and (is_money(tokens[last].text) or tokens[last].text.startswith("%")):
        last += 1
    return first, last


def _before(tokens: Sequence[Token]) -> list[Token]:
    """Return the words before a value, back to a comma, a full stop or another value."""
    near = tokens[-_WORDS:]
    return list(takewhile(lambda t: not _ends_part(t), near[::-1]))[::-1]


def _ends_part(token: Token) -> bool:
    """Return whether a word ends a part of a sentence; "č." and "Nr." don't."""
    is_short = token.text.endswith(".") and len(token.key) <= _ABBREVIATED
    return (token.text.endswith((",", ";", ".")) and not is_short) or token.text[-1:].isdigit()


def _labelled_behind(value: Sequence[Token], rest: Sequence[Token]) -> Iterator[Place]:
    """Yield a sum for each one to some of the words behind it: "39,83 EUR de IVA"."""
    for count, token in enumerate(rest[:_WORDS_BEHIND], 1):
        if any(map(str.isdigit, token.text)):
            return
        yield Place(
            label_text(text_of(rest[:count])), value, _BEHIND, lines=(value[0].segment,), kinds=NUMERIC
        )
        if token.text.endswith((",", ";", ".")):
            return
