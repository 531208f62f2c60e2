"""Labels with their values, as the reading of a page pairs them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile, takewhile

from docduck.extraction.extractors.layout.candidates.check_boxes import find_check_boxes
from docduck.extraction.fields.meanings import may_ask_for_name, meanings_of
from docduck.extraction.fields.registrations import is_registration_label
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Segment, Token, text_of
from docduck.extraction.reading import PageReading, reading_of

_LIKELY = 0.15
"""Probability from which a segment can be the label of another."""
_HEADED = 0.5
"""Probability from which a cell is in the column of its head."""
_IN_ROW = 0.45
"""Probability that the words that begin a row are the label of its numbers."""
_IN_TITLE, _NUMBER_WORDS = 0.6, 2
"""Probability that a number beside a title or after "No." is labelled by it, and its words at most."""
_ONE_ROW = 0.8
"""Factor for the only value below a head."""
_ELSEWHERE = 0.8
"""Factor for a value in another row than its label, which has one beside it."""
_BOTH = 0.2
"""Probability from which a segment is divided into a label and a value."""
_COLON = 0.95
"""Probability of a label that ends with a colon within its segment."""
_LARGE = 1.2
"""Height of a title in line heights."""
_DIVIDERS = frozenset("·•|∙▪")
_FOOTER_DIVIDERS = _DIVIDERS | frozenset("–—")
"""Marks that divide the parts of a line, and those that do so in a letterhead or footer."""
_LABEL_WORDS = 6
_MOST_LINES = 8
_ROWS_ABOVE = 8
"""Rows above a label in which the heading of its block is looked for."""
NUMERIC = frozenset({"amount", "percent"})
"""Kinds of fields that numbers in a table or a sentence answer."""
DURATIONS = frozenset({"text", "duration"})
"""Kinds of fields that a duration in a sentence answers."""
_SUMS = frozenset({"sum", "total"})
"""Meanings of the words that begin the last row of a table."""
_NUMBERED = re.compile(r"^\(?\d{1,2}\s?[.)]?\)?\s+(?=[^\W\d_])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[\dA-Z*]{2,5}){3,}|\b[A-Z]{2} \d{2} [A-Z] ")
_CODE = re.compile(r"[A-Z]{0,4}[-./]?\d{5,}|[A-Z]{1,4}[-./]?\d{3,}")
"""A number that tells one of many apart: "K08812", "10023"."""
COUNTRY = re.compile(r"[A-Z]{2}")
"""The country before a VAT number: "NL 0081.62.447.B01"."""
_LEADER = re.compile(r"[.…_]{4,}$")
_NOTE = re.compile(r"\s*\([^)]*\)?")


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A label and the lines of its value, with the probability that they belong together.

    ``context`` are the words that the label is read with: column head, heading of its block, title.
    """

    label: str
    tokens: Sequence[Token]
    probability: float
    context: str = ""
    run_on: bool = False
    """Whether nothing but the meaning of the words divides the label from the value."""
    lines: Sequence[Segment] = field(default=())
    kinds: frozenset[str] = frozenset()
    """The kinds of fields that the value can answer; none for all."""
    near: bool = False
    """Whether the value is just near the label, and the reading of the page may see it otherwise."""

    @property
    def page(self) -> PageView:
        return self.tokens[0].segment.page

    @property
    def kind_words(self) -> str:
        """What the form of the value itself says: "IBAN", "e-mail", "period", or "number" of somebody."""
        if self.kinds == DURATIONS:
            return "period"
        text = text_of(self.tokens)
        if _IBAN.search(text):
            return "IBAN"
        if _CODE.fullmatch(text) and may_ask_for_name(self.label):
            return "number"
        return "e-mail" if "@" in text else ""

    @property
    def segment(self) -> Segment:
        return self.tokens[0].segment


def places_of(page: PageView) -> list[Place]:
    """Return all places of a page, in reading order."""
    reading = reading_of(page)
    titles = _titles(page, reading)
    title = " ".join(segment.text for segment in titles)
    places = [
        *_pointed(page, reading, title),
        *_headed(page, reading),
        *_in_rows(page, reading),
        *_titled(titles),
        *_divided(page, reading, title),
    ]
    places.sort(key=lambda place: place.segment.index)
    return places


def label_text(text: str) -> str:
    """Return a label without its number on a form, notes in brackets and punctuation at the end."""
    bare = _NUMBERED.sub("", text).rstrip(" :.…_#=?")
    return _NOTE.sub("", bare).strip() or bare


def _pointed(page: PageView, reading: PageReading, title: str) -> Iterator[Place]:
    """Yield labels with the segments that point to them; lines of one value are one place."""
    options = _options(page)
    for label, pointers in reading.labelled.items():
        likely = [pointer for pointer in pointers if pointer.probability >= _LIKELY]
        lines = sorted((page.segments[pointer.segment] for pointer in likely), key=lambda s: (s.row, s.left))
        odds = {pointer.segment: pointer.probability for pointer in likely}
        above = _heading(page.segments[label], reading)
        row = page.segments[label].row
        beside = any(line.row == row and odds[line.index] >= _HEADED for line in lines)
        for stack in _stacks(lines, odds):
            head = _head(stack[0], reading)
            context = " ".join((head, above, title)).strip()
            tokens = [token for line in stack for token in options.get(line.index, line.tokens)]
            if not tokens:
                continue
            first = odds[stack[0].index] * _value(stack[0], reading)
            first *= _ELSEWHERE if beside and stack[0].row != row else 1.0
            name = label_text(page.segments[label].text)
            if above and key(name) in word_set("name_labels"):
                name = label_text(above)
            yield from _shared(Place(name, tokens, first, context, lines=stack))


def _options(page: PageView) -> dict[int, Sequence[Token]]:
    """Return the words of the options that are ticked, and none for the others, by segment."""
    tokens: dict[int, Sequence[Token]] = {}
    for row in page.rows:
        for box in find_check_boxes(row):
            segment = box.tokens[0].segment
            words = [token for token in box.after if token.segment is segment]
            if box.tokens[0].index == 0 and words:
                tokens[segment.index] = words if box.ticked else ()
    return tokens


def _shared(place: Place) -> Iterator[Place]:
    """Yield the numbers of a place that slashes divide like its label: "A no / B no" and "1 / 2"."""
    labels = [label.strip() for label in place.label.split("/")]
    slashes = [at for at, token in enumerate(place.tokens) if token.text == "/"]
    if len(labels) == 1 or len(labels) != len(slashes) + 1:
        yield place
        return
    starts, ends = [0, *(at + 1 for at in slashes)], [*slashes, len(place.tokens)]
    parts = [place.tokens[start:end] for start, end in zip(starts, ends, strict=True)]
    if all(parts) and all("number" in meanings_of(label) for label in labels):
        yield from (
            replace(place, label=label, tokens=part) for label, part in zip(labels, parts, strict=True)
        )
    else:
        yield place


def _headed(page: PageView, reading: PageReading) -> Iterator[Place]:
    """Yield the heads of columns that have a single value."""
    below: dict[int, list[tuple[Segment, float]]] = {}
    for segment in page.segments:
        for head in reading.heads[segment.index][:1]:
            if head.probability >= _HEADED:
                below.setdefault(head.segment, []).append((segment, head.probability))
    for index, some in below.items():
        if len(some) == 1:
            ((segment, odds),) = some
            label = label_text(page.segments[index].text)
            yield Place(label, segment.tokens, _ONE_ROW * odds * _value(segment, reading), lines=(segment,))


def _in_rows(page: PageView, reading: PageReading) -> Iterator[Place]:
    """Yield the numbers of a row that begins with words ("Total | 14 | 2,260"), each with its head."""
    for row in page.rows:
        segments = list(dropwhile(lambda segment: not any(map(str.isalpha, segment.text)), row.segments))
        if len(segments) < 2:
            continue
        first, *others = segments
        words = list(takewhile(lambda token: not any(c.isdigit() for c in token.text), first.tokens))
        if not any(t.key for t in words) or reading.kind(first.index, "cell", "label") < _HEADED:
            continue
        for segment in others:
            pointed = any(caption.probability >= _HEADED for caption in reading.captions[segment.index])
            numeric = segment.has_digit and reading.kind(segment.index, "cell", "value") >= _HEADED
            label, head = label_text(text_of(words)), _head(segment, reading)
            if numeric and not pointed:
                yield Place(label, segment.tokens, _IN_ROW, head, lines=(segment,), kinds=NUMERIC)
            if numeric and head and not _SUMS.isdisjoint(meanings_of(label)):
                yield Place(label_text(head), segment.tokens, _IN_ROW, label, lines=(segment,), kinds=NUMERIC)


def _titled(titles: Sequence[Segment]) -> Iterator[Place]:
    """Yield the numbers beside the titles of a page: "PACKING LIST | PL 50377"."""
    for title in titles:
        beside = title.page.rows[title.row].segments[title.order + 1 : title.order + 2]
        for number in beside:
            if number.has_digit and not title.has_digit and len(number.tokens) <= _NUMBER_WORDS:
                yield Place(label_text(title.text), number.tokens, _IN_TITLE, lines=(number,))


def _value(segment: Segment, reading: PageReading) -> float:
    """Return the probability that a segment shows a value."""
    return reading.kind(segment.index, "value", "both", "cell", "prose", "option", "furniture")


def _stacks(lines: Sequence[Segment], odds: Mapping[int, float]) -> Iterator[list[Segment]]:
    """Yield left-aligned lines close below each other, together; others alone."""
    left = list(lines)
    while left:
        stack = [left.pop(0)]
        for line in list(left):
            above = stack[-1]
            close = -0.3 * above.height < line.top - above.bottom < 1.1 * above.height
            aligned = abs(line.left - above.left) < 0.6 * above.height
            if close and aligned and odds[line.index] >= _HEADED and len(stack) < _MOST_LINES:
                stack.append(line)
                left.remove(line)
        yield stack


def _head(segment: Segment, reading: PageReading) -> str:
    heads = reading.heads[segment.index]
    if heads and heads[0].probability >= _HEADED:
        return segment.page.segments[heads[0].segment].text
    return ""


def _heading(label: Segment, reading: PageReading) -> str:
    """Return the heading of a label's block: a label or heading above that has no value but its lines."""
    page = label.page
    below: set[int] = {label.index}
    for row in reversed(page.rows[max(label.row - _ROWS_ABOVE, 0) : label.row]):
        over = [s for s in row.segments if s.left < label.right and label.left < s.right]
        for other in over or row.segments[:1]:
            if other.left > label.right or reading.kind(other.index, "heading", "label") < _HEADED:
                continue
            values = {
                pointer.segment
                for pointer in reading.labelled.get(other.index, ())
                if pointer.probability >= _HEADED
            }
            if not values or (len(values) > 1 and values <= below):
                return other.text
        below |= {other.index for other in over if abs(other.left - label.left) < label.height}
    return ""


def _titles(page: PageView, reading: PageReading) -> list[Segment]:
    """Return the headings of the upper third of a page, and what is printed large or in capitals there."""
    large = _LARGE * page.line_height
    return [
        segment
        for segment in page.segments
        if segment.top < page.height / 3
        and (
            segment.height > large
            or (len(segment.tokens) > 1 and segment.text.isupper() and not segment.has_digit)
            or reading.kind(segment.index, "heading") >= _HEADED
        )
    ]


def _divided(page: PageView, reading: PageReading, title: str) -> Iterator[Place]:
    """Yield the parts of segments that are label and value in one, for each word where they may divide."""
    for segment in page.segments:
        is_footer = reading.kind(segment.index, "furniture") >= _HEADED
        dividers = _FOOTER_DIVIDERS if is_footer else _DIVIDERS
        parts = [(part, _colons(part), _begins_numbered(part)) for part in _parts(segment.tokens, dividers)]
        is_both = reading.kind(segment.index, "both")
        footer = reading.kind(segment.index, "furniture") if len(parts) > 1 else 0.0
        if max(is_both, footer) < _BOTH and not any(colons or numbered for _, colons, numbered in parts):
            continue
        context = f"{_heading(segment, reading)} {title}".strip()
        for part, colons, numbered in parts:
            both = max(is_both, _IN_TITLE if numbered else 0.0)
            yield from _at_colons(part, colons, context)
            if max(both, footer) >= _BOTH and not (colons and colons[0] < len(part) - 1):
                for place in _run_on(part, min(both + footer, 1.0), context):
                    starts = place.tokens[0].text
                    if both >= _BOTH or any(c.isdigit() for c in starts) or COUNTRY.fullmatch(starts):
                        yield place


def _parts(tokens: Sequence[Token], dividers: frozenset[str]) -> Iterator[Sequence[Token]]:
    """Yield the parts of a segment between dots, bars and labels of numbers: "Tel. 5160 · CVR 3021"."""
    start = 0
    for at, token in enumerate(tokens):
        if token.text in dividers:
            yield from [tokens[start:at]] if at > start else []
            start = at + 1
        elif at > start and _is_registration(tokens[at : at + 2]):
            yield tokens[start:at]
            start = at
    if start < len(tokens):
        yield tokens[start:]


def _begins_numbered(part: Sequence[Token]) -> bool:
    """Return whether the first word of a part says "number", or what number."""
    first = part[0].text
    return meanings_of(first) == {"number"} or is_registration_label(first)


def _is_registration(tokens: Sequence[Token]) -> bool:
    """Return whether two words are the label of a registration number, in capitals, and its first digits."""
    label, *value = (token.text for token in tokens)
    return bool(value) and label.isupper() and value[0][:1].isdigit() and is_registration_label(label)


def _colons(tokens: Sequence[Token]) -> list[int]:
    """Return where a colon, an equals sign or a leader of dots divides a label from its value."""
    return [
        at
        for at, token in enumerate(tokens)
        if token.text.endswith(":") or token.text == "=" or _LEADER.search(token.text)
    ]


def _at_colons(tokens: Sequence[Token], colons: Sequence[int], context: str) -> Iterator[Place]:
    start = 0
    for order, at in enumerate(colons):
        end = colons[order + 1] if order + 1 < len(colons) else len(tokens)
        end = _next_label(tokens, at + 1, end) if end < len(tokens) else end
        start = max((i + 1 for i in range(start, at) if tokens[i].text in _FOOTER_DIVIDERS), default=start)
        if tokens[at + 1 : end] and at - start < _LABEL_WORDS:
            label = label_text(text_of(tokens[start : at + 1]))
            yield Place(label, tokens[at + 1 : end], _COLON, context, lines=(tokens[0].segment,))
        start = end


def _run_on(tokens: Sequence[Token], probability: float, context: str) -> Iterator[Place]:
    for at in range(1, min(_LABEL_WORDS, len(tokens) - 1) + 1):
        if tokens[at].key:
            label = label_text(text_of(tokens[:at]))
            yield Place(label, tokens[at:], probability, context, run_on=True, lines=(tokens[0].segment,))
        if any(c.isdigit() for c in tokens[at].text):
            break


def _next_label(tokens: Sequence[Token], begin: int, colon: int) -> int:
    """Return where the label that ends at ``colon`` begins: at a capital, up to two words back.

    A word such as "No." has the one before it.
    """
    at = colon - 1 if colon - 1 > begin and tokens[colon].key in word_set("generic_words") else colon
    while at - 1 > begin and colon - at < 2 and not any(c.isdigit() for c in tokens[at - 1].text):
        if tokens[at].text[:1].isupper() or tokens[at - 1].text.endswith((",", ";", ".")):
            break
        at -= 1
    return at
