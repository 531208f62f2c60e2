"""Postal addresses: the lines that belong to a name, and their text on one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from docduck.extraction.extractors.layout.candidates.names import PARTS, has_legal_form
from docduck.extraction.extractors.layout.label_texts import segment_below
from docduck.extraction.lexicon import word_set, words
from docduck.extraction.normal_text import key, squeeze
from docduck.extraction.page.page_view import PageView, Segment, Token
from docduck.extraction.values.addresses import (
    address_weight,
    contact_start,
    ends_in_code,
    find_town,
    is_company_note,
    is_region,
    is_street,
    names_town,
    without_address_label,
)
from docduck.extraction.values.contacts import MAIL, find_phones

_SEPARATORS = re.compile(r"\s*[·•|∙▪]\s*")
_MOST = 7
"""Lines of an address at most."""
_ROWS = 12
"""Rows below a name in which its address is looked for."""
_NEIGHBOURS = 500
"""Segments before a town that are looked at for the lines of its address."""
_APART, _BLANK = 1.6, 3.2
"""Blank space, in line heights, that ends an address, and that ends the search for one."""
_LEADS, _ENOUGH = 0.4, 1.0
"""The weight of a line that begins an address, and of all lines together where no town is named."""


def column_lines(first: Segment, reach: float = 1.2, limit: int = 9) -> list[Segment]:
    """``first`` and what follows under it with the same left edge, right edge or middle."""
    lines = [first]
    page = first.page
    while len(lines) < limit:
        last = lines[-1]
        wide = 2.9 if len(lines) == 1 else reach
        under = segment_below(last, last.left, last.right, page.line_height, wide)
        if under is None or not _aligned(under, last, page.line_height):
            break
        lines.append(under)
    return lines


def _aligned(a: Segment, b: Segment, height: float) -> bool:
    return min(abs(a.left - b.left), abs(a.right - b.right), abs(a.centre - b.centre)) < 1.2 * height


def trim_address(lines: Sequence[Segment], is_label: Callable[[Segment], bool]) -> list[Segment]:
    """``lines`` up to the town, or the country after it; none of contact data and labels."""
    kept: list[Segment] = []
    for index, line in enumerate(lines[:_MOST]):
        if MAIL.search(line.text) or is_label(line):
            if kept:
                break
            continue
        if not kept and _about_company(line.text):
            continue
        kept.append(line)
        if find_town(line.text):
            following = lines[index + 1] if index + 1 < len(lines) else None
            if following is not None and _country(following.text):
                kept.append(following)
            return kept
    return kept if len(kept) > 1 or any(is_street(k.text) for k in kept) else []


def letterhead_lines(
    page: PageView, name: Segment | None, is_label: Callable[[Segment], bool]
) -> list[list[Token]]:
    """The lines of the address that stands under ``name``, or at the top of ``page`` if that is None.

    Registration, tax and telephone numbers among them are left out; the address ends after its town, or
    where another label, a title or blank space begins.
    """
    lines = _stack(page, name)
    kept: list[list[Token]] = []
    weight, town = 0.0, False
    for index, line in enumerate(lines):
        text = line.text
        start = without_address_label(text)
        end = contact_start(text)
        tokens = line.slice(start + 1 if start else 0, end)
        body = " ".join(t.text for t in tokens)
        if is_company_note(text) and not start:
            if town:
                break
            continue
        if (is_label(line) and not start) or _titles(text):
            if kept:
                break
            continue
        own = address_weight(body)
        if kept and line.top - kept[-1][-1].bottom > _APART * page.line_height:
            break
        due = bool(kept) and not town and ends_in_code(" ".join(t.text for t in kept[-1]))
        if town and not is_region(body):
            after = lines[index + 1] if index + 1 < len(lines) else None
            closing = after is not None and is_company_note(after.text) and len(tokens) <= 4 and line.page.ocr
            if closing and (own or not has_legal_form(body)):
                kept.append(tokens)
            break
        if own < _LEADS and not kept:
            continue
        if kept and not own and not _plain(body):
            break
        kept.append(tokens)
        weight += own
        town = town or due or names_town(body)
    while kept and not town and not address_weight(" ".join(t.text for t in kept[-1])):
        kept.pop()
    return kept[:_MOST] if town or weight >= _ENOUGH else []


def _stack(page: PageView, name: Segment | None) -> list[Segment]:
    """What stands under ``name`` in its column, nearest first; the first of each row from the page's top."""
    if name is None:
        return [row.segments[0] for row in page.rows[:_ROWS]]
    found: list[Segment] = []
    reach = _APART * page.line_height
    left, right, bottom = name.left - reach, name.right + reach, name.bottom
    for row in page.rows[name.row + 1 : name.row + 1 + _ROWS]:
        here = [s for s in row.segments if s.left < right and s.right > left]
        if row.top - bottom > _BLANK * page.line_height:
            break
        if here:
            found.append(max(here, key=lambda s: min(s.right, right) - max(s.left, left)))
            bottom = row.bottom
    return found


def _titles(text: str) -> bool:
    """Whether a line is what the document calls itself, such as "TAX INVOICE"."""
    parts = [key(word) for word in text.split()]
    return 0 < len(parts) <= 4 and not text[:1].isdigit() and any(part in _documents() for part in parts)


@cache
def _documents() -> frozenset[str]:
    """The words by which documents of trade call themselves."""
    return frozenset(key(word) for group in words()["synonyms"][:10] for word in group if " " not in word)


def _plain(text: str) -> bool:
    """Whether a line within an address is words of it: letters, no amount, no time."""
    letters, digits = sum(c.isalpha() for c in text), sum(c.isdigit() for c in text)
    return letters >= 3 and letters >= digits and ":" not in text and "@" not in text


def _about_company(text: str) -> bool:
    """Whether a line under a name is a registration or telephone number rather than an address."""
    if find_phones(text) and not is_street(text):
        return True
    digits, letters = sum(c.isdigit() for c in text), sum(c.isalpha() for c in text)
    bracketed = text.startswith("(") and text.rstrip().endswith(")")
    return digits >= 5 and find_town(text) is None and (bracketed or digits > letters)


def _country(text: str) -> bool:
    return any(key(part) in word_set("countries") for part in re.split(r"\s[-–]\s|,", text))


def address_after_name(segment: Segment, name: str) -> list[Token]:
    """The words after the name in a line "name · street · town"; empty if it is no such line."""
    parts = PARTS.split(segment.text)
    if len(parts) < 3 or find_town(segment.text) is None or key(parts[0]) != name:
        return []
    start = len(segment.text) - len(segment.text[len(parts[0]) :].lstrip(" ·•|∙▪,-–—"))
    return segment.slice(start, len(segment.text))


def before_address(tokens: Sequence[Token]) -> list[Token]:
    """The words before the first comma or separator that no legal form follows."""
    for index, token in enumerate(tokens):
        if token.text in "·•|∙▪" and index:
            return list(tokens[:index])
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if token.text.endswith(",") and (following is None or following.key not in word_set("legal_forms")):
            return list(tokens[: index + 1])
    return list(tokens)


def unassigned_addresses(
    pages: Iterable[PageView], taken: set[int], is_label: Callable[[Segment], bool]
) -> list[list[Segment]]:
    """Groups of lines that end in a town and are nobody's yet: letterhead first, then the rest."""
    found: list[tuple[float, list[Segment]]] = []
    for page in pages:
        for segment in page.segments:
            if id(segment) in taken or find_town(segment.text) is None or len(segment.text) > 80:
                continue
            lines = [segment]
            for other in page.segments[max(segment.index - _NEIGHBOURS, 0) : segment.index][::-1]:
                if segment.top - other.top > 5 * page.line_height:
                    break
                gap = lines[0].top - other.bottom
                if (
                    id(other) not in taken
                    and -0.5 * page.line_height < gap < 0.8 * page.line_height
                    and _aligned(other, lines[0], page.line_height)
                    and not is_label(other)
                    and (is_street(other.text) or any(c.isdigit() for c in other.text))
                    and not find_phones(other.text)
                ):
                    lines.insert(0, other)
            place = segment.middle / page.height
            rank = place if place < 0.35 else 0.5 if place > 0.8 else 1.0
            found.append((rank + (page.number - 1), trim_address(lines, is_label) or lines))
    return [lines for _, lines in sorted(found, key=lambda f: f[0])]


def as_text(tokens: Sequence[Token]) -> str:
    """An address on one line: as printed if commas end its lines, else with commas between them."""
    lines: list[list[str]] = []
    last: Segment | None = None
    for token in tokens:
        if token.segment is not last:
            lines.append([])
            last = token.segment
        lines[-1].append(token.text)
    texts = [" ".join(line).strip(" ;") for line in lines]
    if sum(text.endswith(",") for text in texts[:-1]) * 2 >= len(texts) - 1 > 0:
        return squeeze(" ".join(texts)).strip(" ,;")
    parts = [part for text in texts for part in _SEPARATORS.split(text)]
    return squeeze(", ".join(part.strip(" ,;") for part in parts if part.strip(" ,;")))
