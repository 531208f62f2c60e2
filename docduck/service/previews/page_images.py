"""Small pictures of pages, or of the surroundings of values: made in a side worker, and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docduck.documents.document import Box
from docduck.errors import InputError
from docduck.extraction.jobs.page_job import PageTask
from docduck.service.conditions.targets import find_target
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import show_document
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.page_source import VIEW_SECONDS, kept_view, page_source

MOST_BYTES = 150_000
"""Of a picture, unless others are sent with it."""

_BEFORE, _BEHIND, _ABOVE, _BELOW = 0.35, 0.1, 0.06, 0.03
"""How much of the page is shown around a value: labels are to the left of it, or above."""
_LEAST_WIDTH, _LEAST_HEIGHT = 0.5, 0.1
"""Of the page's."""


@dataclass(frozen=True, slots=True)
class Region:
    """A page, from 1, or a part of it."""

    page: int
    part: Box | None = None


def page_image(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    region: Region,
    width: int,
    most_bytes: int = MOST_BYTES,
    seconds: float = VIEW_SECONDS,
) -> bytes:
    """Return a JPEG of at most ``most_bytes``, at most ``width`` pixels wide.

    Raise NotFound for a document or page that doesn't exist or can't be drawn, InputError for a document of
    another parser, and Transient, also if it takes longer than ``seconds``.
    """
    source = page_source(inst, team_id, document_id, parser_id)
    source.check(region.page)
    turn = source.turns.get(region.page, 0.0)
    task = PageTask(
        source.name, region.page, width, turn, source.reading, part=region.part, most_bytes=most_bytes
    )
    drawn = hashlib.sha256(repr((width, turn, region.part, most_bytes)).encode()).hexdigest()[:16]
    name = f"{region.page}-{drawn}.jpg"
    return kept_view(inst, source, name, task, lambda view: view.picture, seconds)


def value_region(
    inst: Installation, team_id: str, parser_id: str, document_id: str, field: str, row: int | None
) -> Region:
    """Return the place of a value, with its surroundings.

    ``field`` is a name or id, or ``Table.Column``; of a table, ``row`` counts from 1. Raise NotFound, and
    InputError for an unknown field or row, or a value that has no place.
    """
    document = show_document(inst, team_id, parser_id, document_id)
    target = find_target(field, get_parser(inst, team_id, parser_id).fields)
    entry = document.field_metadata.get(target.field_name)
    if isinstance(entry, list):
        if row is None or row > len(entry):
            words = f"{len(entry)} rows; give one of them as row" if entry else "no rows"
            raise InputError(f"'{target.field_name}' has {words}", "row")
        cells = entry[row - 1]
        entries = list(cells.values()) if target.column_name is None else [cells.get(target.column_name)]
    else:
        entries = [entry]
    region = region_of(place for evidence in entries for place in _places(evidence))
    if region is None:
        raise InputError(f"'{target.name}' has no place on the pages; ask for a page", "field")
    return region


def region_of(places: Iterable[Mapping[str, Any]]) -> Region | None:
    """Return the surroundings of ``locations`` of ``field_metadata`` on the first one's page."""
    known = list(places)
    if not known:
        return None
    page = known[0]["page"]
    box = Box.around(Box(**place["bbox"]) for place in known if place["page"] == page)
    left, right = _within(box.left - _BEFORE, box.right + _BEHIND, _LEAST_WIDTH)
    top, bottom = _within(box.top - _ABOVE, box.bottom + _BELOW, _LEAST_HEIGHT)
    return Region(page, Box(left, top, right - left, bottom - top))


def _within(begin: float, end: float, least: float) -> tuple[float, float]:
    """Return the part of a range that is on the page, not less than ``least``; words may be outside."""
    first = min(max(begin, 0.0), 1 - least)
    return first, min(max(end, first + least), 1.0)


def _places(entry: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(entry, Mapping):
        yield from entry.get("locations") or ()
