"""Parts of postal addresses (code, town, street, state) of the party that a field names, or the issuer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import QueryTerms, covered, likeness, terms
from docduck.extraction.lexicon import entries
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, PageViews, Segment, locations
from docduck.extraction.result import Finding
from docduck.extraction.values.addresses import Town, address_weight, find_town, is_region, is_street
from docduck.fields import FieldType

_LINES = 6
_COUNTRY = re.compile(r"\s+[A-Z]{2}$")
_LABELLED, _OWN, _ONLY = 0.75, 0.7, 0.5
_ENOUGH = 0.6


@cache
def _parts() -> dict[str, str]:
    found = {key(str(w)): kind for kind, some in entries("meanings")["parts"].items() for w in some}
    return found


def part_of(query: FieldQuery) -> tuple[str, str] | None:
    """Return the part of an address that a field asks for, and the words for its party; None for no part."""
    if query.type is not FieldType.TEXT:
        return None
    words = query.title.words
    for size in (3, 2, 1):
        for at in range(len(words) - size + 1):
            kind = _parts().get("".join(words[at : at + size]))
            if kind is not None and (size > 1 or len(words) > 1 or kind != "state"):
                rest = [
                    w for w in words[:at] + words[at + size :] if w not in ("address", "line", "1", "name")
                ]
                return kind, " ".join(rest)
    return None


def find(view: PageViews, query: FieldQuery) -> Finding | None:
    """Return the part of the address of the party that the field names, else of the document's issuer."""
    part = part_of(query)
    if part is None:
        return None
    kind, whose = part
    best: tuple[float, list[Segment]] | None = None
    expected = QueryTerms(terms(whose)) if whose else None
    for block, label, weight in _blocks(view):
        if expected is not None:
            like = likeness(expected, label) if label else 0.0
            score = weight * like if like >= _ENOUGH else 0.0
        else:
            own = max((covered(terms(str(w)), terms(label)) for w in _own()), default=0.0) if label else 0.0
            score = _OWN * weight if own >= 0.99 else _ONLY * weight * (0.9 if label else 1.0)
        if score and (best is None or score > best[0]):
            best = (score, block)
    if best is None:
        return None
    found = _read(best[1], kind)
    if found is None:
        return None
    text, segment = found
    at = segment.text.find(text)
    tokens = segment.slice(at, at + len(text)) if at >= 0 else list(segment.tokens)
    return Finding(text, min(best[0], _LABELLED), locations(tokens), text)


@cache
def _own() -> tuple[str, ...]:
    return tuple(str(w) for w in entries("meanings")["own_addresses"])


def _blocks(view: PageViews) -> Iterator[tuple[list[Segment], str, float]]:
    """Yield runs of lines that end in a town, with the label before or above them and how plain that is."""
    for page in view.pages[:3]:
        for segment in page.segments:
            town = find_town(segment.text)
            if town is None:
                continue
            lines = _above(page, segment)
            label = _label(page, lines[0]) if len(lines) > 0 else ""
            yield lines, label, 1.0


def _above(page: PageView, last: Segment) -> list[Segment]:
    """Return the lines over ``last`` in its column, down to it: an address with the name before it."""
    lines = [last]
    for row in reversed(page.rows[max(last.row - _LINES, 0) : last.row]):
        top = lines[0]
        above = next((s for s in row.segments if abs(s.left - top.left) < 0.8 * page.line_height), None)
        if above is None:
            if any(s.left < top.right and top.left < s.right for s in row.segments):
                break
            continue
        if top.top - above.bottom > 1.6 * page.line_height or ":" in above.text:
            if above.text.endswith(":"):
                lines.insert(0, above)
            break
        lines.insert(0, above)
    return lines


def _label(page: PageView, first: Segment) -> str:
    """Return the words left of a block's first line, before its colon, or the first line itself."""
    row = page.rows[first.row].segments
    left = [s for s in row if s.right <= first.left]
    head = first.text.partition(":")[0] if ":" in first.text else first.text
    return f"{left[-1].text} {head}" if left else head


def _read(lines: Sequence[Segment], kind: str) -> tuple[str, Segment] | None:
    last = lines[-1]
    town = find_town(last.text)
    if town is None:
        return None
    if kind == "zip":
        return town.zip, last
    if kind == "state":
        if town.state:
            return town.state, last
        region = next((s for s in lines if is_region(s.text)), None)
        return (region.text.strip(" ,"), region) if region else None
    before = last.text[: town.start].partition(":")[2] or last.text[: town.start]
    pieces = [p.strip(" ,") for p in before.split(",") if p.strip(" ,")]
    if kind == "city":
        return _city(lines, town, pieces)
    for piece in pieces:
        if is_street(piece) or address_weight(piece) >= 0.5:
            return piece, last
    for line in lines[:-1]:
        text = line.text.partition(":")[2].strip() or line.text
        if is_street(text) and find_town(text) is None:
            return text.strip(" ,"), line
    return None


def _city(lines: Sequence[Segment], town: Town, pieces: Sequence[str]) -> tuple[str, Segment] | None:
    """Return the town beside its code, else the last line or piece before it, no street and no region."""
    last = lines[-1]
    if town.city and not is_region(town.city):
        return _COUNTRY.sub("", town.city), last
    for piece in reversed(pieces):
        if not is_street(piece) and not is_region(piece) and not any(c.isdigit() for c in piece):
            return piece, last
    plain = [s for s in lines[:-1] if not any(c.isdigit() for c in s.text) and not is_street(s.text)]
    if not plain:
        return None
    streets = [i for i, s in enumerate(lines) if is_street(s.text)]
    after = [s for s in plain if streets and lines.index(s) > streets[0] and not is_region(s.text)]
    chosen = after[0] if after else plain[-1]
    return chosen.text.strip(" ,"), chosen
