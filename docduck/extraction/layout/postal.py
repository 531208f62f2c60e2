"""Postal addresses: the lines that belong to a name, and their text on one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from docduck.extraction.layout.names import PARTS
from docduck.extraction.layout.slots import segment_below
from docduck.extraction.lexicon import word_set
from docduck.extraction.values.addresses import find_town, is_street
from docduck.extraction.values.contacts import MAIL, find_phones
from docduck.extraction.values.text import key, squeeze
from docduck.extraction.view import PageView, Segment, Token

_SEPARATORS = re.compile(r"\s*[·•|∙▪]\s*")
_MOST = 7
"""Lines of an address at most."""


def column(first: Segment, reach: float = 1.2, limit: int = 9) -> list[Segment]:
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


def trim(lines: Sequence[Segment], is_label: Callable[[Segment], bool]) -> list[Segment]:
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


def _about_company(text: str) -> bool:
    """Whether a line under a name is a registration or telephone number rather than an address."""
    if find_phones(text) and not is_street(text):
        return True
    digits, letters = sum(c.isdigit() for c in text), sum(c.isalpha() for c in text)
    bracketed = text.startswith("(") and text.rstrip().endswith(")")
    return digits >= 5 and find_town(text) is None and (bracketed or digits > letters)


def _country(text: str) -> bool:
    return any(key(part) in word_set("countries") for part in re.split(r"\s[-–]\s|,", text))


def in_line(segment: Segment, name: str) -> list[Token]:
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


def candidates(
    pages: Iterable[PageView], taken: set[int], is_label: Callable[[Segment], bool]
) -> list[list[Segment]]:
    """Groups of lines that end in a town and are nobody's yet: letterhead first, then the rest."""
    found: list[tuple[float, list[Segment]]] = []
    for page in pages:
        for segment in page.segments:
            if id(segment) in taken or find_town(segment.text) is None or len(segment.text) > 80:
                continue
            lines = [segment]
            for other in reversed(page.segments[: segment.index]):
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
            found.append((rank + (page.number - 1), trim(lines, is_label) or lines))
    return [lines for _, lines in sorted(found, key=lambda f: f[0])]


def as_text(tokens: Sequence[Token]) -> str:
    """An address on one line: its lines, and what separators part, joined by commas."""
    lines: list[list[str]] = []
    last: Segment | None = None
    for token in tokens:
        if token.segment is not last:
            lines.append([])
            last = token.segment
        lines[-1].append(token.text)
    parts = [part for line in lines for part in _SEPARATORS.split(" ".join(line))]
    return squeeze(", ".join(part.strip(" ,;") for part in parts if part.strip(" ,;")))
