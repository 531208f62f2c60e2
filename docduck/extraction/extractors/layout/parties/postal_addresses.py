"""Postal addresses: the lines that belong to a name, and their text on one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from docduck.extraction.extractors.layout.candidates.names import SEPARATORS, has_legal_form
from docduck.extraction.extractors.layout.labels.neighbours import segment_below
from docduck.extraction.extractors.layout.parties.titles import is_title
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key, squeeze
from docduck.extraction.page.page_view import PageView, Segment, Token, by_line, text_of
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
_MAX_LINES = 7
"""Maximum number of lines of an address."""
_COLUMN_LINES, _FIRST_GAP, _NEXT_GAP = 9, 2.9, 1.2
"""Lines below each other in one column at most, and the gaps after the first and the others."""
_ROWS = 12
"""Rows searched below a name for its address."""
_NEIGHBOURS = 500
"""Segments searched before a town for the lines of its address."""
_APART, _BLANK = 1.6, 3.2
"""Gaps, in line heights, that end an address, and the search for one."""
_MIN_FIRST_LINE, _ENOUGH = 0.4, 1.0
"""Weight of a line that can begin an address, and of all its lines if no town is named."""


def column_lines(first: Segment) -> list[Segment]:
    """Return ``first`` and the segments below it with the same left edge, right edge or centre."""
    lines = [first]
    page = first.page
    while len(lines) < _COLUMN_LINES:
        last = lines[-1]
        max_gap = _FIRST_GAP if len(lines) == 1 else _NEXT_GAP
        below_segment = segment_below(last, last.left, last.right, page.line_height, max_gap)
        if below_segment is None or not _aligned(below_segment, last, page.line_height):
            break
        lines.append(below_segment)
    return lines


def _aligned(a: Segment, b: Segment, height: float) -> bool:
    return min(abs(a.left - b.left), abs(a.right - b.right), abs(a.centre - b.centre)) < 1.2 * height


def trim_address(lines: Sequence[Segment], is_label: Callable[[Segment], bool]) -> list[Segment]:
    """Return ``lines`` up to the town or the country after it, without contact data and labels."""
    segments: list[Segment] = []
    for index, line in enumerate(lines[:_MAX_LINES]):
        if MAIL.search(line.text) or is_label(line):
            if segments:
                break
            continue
        if not segments and _about_company(line.text):
            continue
        segments.append(line)
        if find_town(line.text):
            following = lines[index + 1] if index + 1 < len(lines) else None
            if following is not None and _country(following.text):
                segments.append(following)
            return segments
    return segments if len(segments) > 1 or any(is_street(k.text) for k in segments) else []


def letterhead_lines(
    page: PageView, name: Segment | None, is_label: Callable[[Segment], bool]
) -> list[list[Token]]:
    """Return the lines of the address below ``name``, or at the top of ``page`` if ``name`` is None.

    Registration, tax and telephone numbers are left out. The address ends after its town, or at another
    label, a title or a gap.
    """
    lines = _stack(page, name)
    kept: list[list[Token]] = []
    weight, town = 0.0, False
    for index, line in enumerate(lines):
        text = line.text
        start = without_address_label(text)
        end = contact_start(text)
        tokens = line.slice(start + 1 if start else 0, end)
        text_part = text_of(tokens)
        if is_company_note(text) and not start:
            if town:
                break
            continue
        if (is_label(line) and not start) or is_title(text):
            if kept:
                break
            continue
        line_weight = address_weight(text_part)
        if kept and line.top - kept[-1][-1].bottom > _APART * page.line_height:
            break
        town_follows = bool(kept) and not town and ends_in_code(text_of(kept[-1]))
        if town and not is_region(text_part):
            after = lines[index + 1] if index + 1 < len(lines) else None
            closing = after is not None and is_company_note(after.text) and len(tokens) <= 4 and line.page.ocr
            if closing and (line_weight or not has_legal_form(text_part)):
                kept.append(tokens)
            break
        if line_weight < _MIN_FIRST_LINE and not kept:
            continue
        if kept and not line_weight and not _is_plain(text_part):
            break
        kept.append(tokens)
        weight += line_weight
        town = town or town_follows or names_town(text_part)
    while kept and not town and not address_weight(text_of(kept[-1])):
        kept.pop()
    return kept[:_MAX_LINES] if town or weight >= _ENOUGH else []


def _stack(page: PageView, name: Segment | None) -> list[Segment]:
    """Return the segments below ``name`` in its column, or the first of each row if ``name`` is None."""
    if name is None:
        return [row.segments[0] for row in page.rows[:_ROWS]]
    segments: list[Segment] = []
    reach = _APART * page.line_height
    left, right, bottom = name.left - reach, name.right + reach, name.bottom
    for row in page.rows[name.row + 1 : name.row + 1 + _ROWS]:
        here = [s for s in row.segments if s.left < right and s.right > left]
        if row.top - bottom > _BLANK * page.line_height:
            break
        if here:
            segments.append(max(here, key=lambda s: min(s.right, right) - max(s.left, left)))
            bottom = row.bottom
    return segments


def _is_plain(text: str) -> bool:
    """Return whether a line can be part of an address: mostly letters, no amount, no time."""
    letters, digits = sum(c.isalpha() for c in text), sum(c.isdigit() for c in text)
    return letters >= 3 and letters >= digits and ":" not in text and "@" not in text


def _about_company(text: str) -> bool:
    """Return whether a line is a registration or telephone number rather than an address."""
    if find_phones(text) and not is_street(text):
        return True
    digits, letters = sum(c.isdigit() for c in text), sum(c.isalpha() for c in text)
    bracketed = text.startswith("(") and text.rstrip().endswith(")")
    return digits >= 5 and find_town(text) is None and (bracketed or digits > letters)


def _country(text: str) -> bool:
    return any(key(part) in word_set("countries") for part in re.split(r"\s[-–]\s|,", text))


def address_after_name(segment: Segment, name: str) -> list[Token]:
    """Return the tokens after the name in a line "name · street · town", empty if it is no such line."""
    parts = SEPARATORS.split(segment.text)
    if len(parts) < 3 or find_town(segment.text) is None or key(parts[0]) != name:
        return []
    start = len(segment.text) - len(segment.text[len(parts[0]) :].lstrip(" ·•|∙▪,-–—"))
    return segment.slice(start, len(segment.text))


def before_address(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens before the first comma or separator that no legal form follows."""
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
    """Return groups of lines that end in a town and aren't ``taken``: letterhead first."""
    groups: list[tuple[float, list[Segment]]] = []
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
            groups.append((rank + (page.number - 1), trim_address(lines, is_label) or lines))
    return [lines for _, lines in sorted(groups, key=lambda f: f[0])]


def as_text(tokens: Sequence[Token]) -> str:
    """Return an address on one line, as printed if its lines end with commas, else with commas added."""
    texts = [text_of(line).strip(" ;") for line in by_line(tokens)]
    if sum(text.endswith(",") for text in texts[:-1]) * 2 >= len(texts) - 1 > 0:
        return squeeze(" ".join(texts)).strip(" ,;")
    parts = [part for text in texts for part in _SEPARATORS.split(text)]
    return squeeze(", ".join(part.strip(" ,;") for part in parts if part.strip(" ,;")))
