"""The lines of a page that may be a machine-readable zone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from docduck.documents.document import Box, Document, Line, Page
from docduck.extraction.extractors.codes.formats.mrz import MOST_MISCOUNTED, MachineReadableZone, parse_zone
from docduck.extraction.result import Location

_NARROWEST, _WIDEST = 30 - MOST_MISCOUNTED, 44 + MOST_MISCOUNTED
_MOST_LINES = 2000
"""Lines of a page that are looked at; a zone has its page nearly to itself."""
_CHARACTERS = re.compile(r"[A-Z0-9<]+")

Row = tuple[str, tuple[Line, ...]]
"""The characters of a row without blanks, with its lines."""


def find_zones(document: Document, today: date) -> list[tuple[MachineReadableZone, Location, list[Line]]]:
    """Return the zones of a document, each with its place and its lines."""
    return [found for page in document.pages if _may_have_zone(page) for found in _zones(page, today)]


def _may_have_zone(page: Page) -> bool:
    return any("<" in word.text or "«" in word.text for line in page.lines for word in line.words)


def _zones(page: Page, today: date) -> Iterable[tuple[MachineReadableZone, Location, list[Line]]]:
    rows = _rows(page.lines[:_MOST_LINES])
    at = 0
    while at < len(rows):
        for count in (3, 2):
            some = rows[at : at + count]
            zone = parse_zone([text for text, _ in some], today) if len(some) == count else None
            if zone is not None:
                lines = [line for _, parts in some for line in parts]
                box = Box.around(line.box for line in lines)
                yield zone, Location(page.number, box, " ".join(text for text, _ in some)), lines
                at += count - 1
                break
        at += 1


def _rows(lines: Sequence[Line]) -> list[Row]:
    """Return the rows that are as wide as those of a zone, top to bottom; parts of one row are joined."""
    parts = [(text, line) for line in lines if _CHARACTERS.fullmatch(text := _characters(line))]
    parts.sort(key=lambda part: part[1].box.middle)
    rows: list[list[tuple[str, Line]]] = []
    for part in parts:
        if rows and _goes_on(rows[-1], part):
            rows[-1].append(part)
        else:
            rows.append([part])
    joined = []
    for row in rows:
        row.sort(key=lambda part: part[1].box.left)
        joined.append(("".join(text for text, _ in row), tuple(line for _, line in row)))
    return [row for row in joined if _NARROWEST <= len(row[0]) <= _WIDEST]


def _characters(line: Line) -> str:
    """Return the characters of a line, at most two more than a zone is wide."""
    text = "".join(word.text for word in line.words[:_WIDEST])
    return text[: _WIDEST + 2].upper().replace("«", "<<") if len(text) <= _WIDEST + 2 else ""


def _goes_on(row: Sequence[tuple[str, Line]], part: tuple[str, Line]) -> bool:
    last = row[-1][1].box
    is_level = abs(part[1].box.middle - last.middle) < last.height / 2
    return is_level and sum(len(text) for text, _ in row) + len(part[0]) <= _WIDEST
