"""Whether values were found in the body of a mail, beyond its headers and its signature."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from docduck.documents.document import Document, Page
from docduck.extraction.result import Extraction

_LEAST = 0.6
"""Confidence below which a value is a guess: any mail has a line that could be a name."""
_GAP = 1.5
"""Height of an empty line, in lines: one separates the headers from the body."""


def body_has_values(document: Document, extraction: Extraction) -> bool:
    """Return whether a value was found in the body of a mail.

    What the headers and the lines after a closing such as "Kind regards" show doesn't count: each mail has a
    date and a sender.
    """
    bodies = {page.number: _body(page) for page in document.pages}
    for entry in _entries(list(extraction.field_metadata.values())):
        if (entry["confidence"] or 0.0) < _LEAST:
            continue
        for place in entry["locations"]:
            top, bottom = bodies.get(place["page"], (0.0, 0.0))
            if top <= place["bbox"]["top"] + place["bbox"]["height"] / 2 < bottom:
                return True
    return False


def _entries(metadata: Any) -> Iterator[dict[str, Any]]:
    """Yield the entries of values and of the cells of tables."""
    if isinstance(metadata, list):
        for one in metadata:
            yield from _entries(one)
    elif isinstance(metadata, dict):
        if "locations" in metadata:
            yield metadata
        else:
            yield from _entries(list(metadata.values()))


def _body(page: Page) -> tuple[float, float]:
    """Return where the body of a message begins and ends on its page."""
    from docduck.extraction.triage.classify.classified_text import short_lines
    from docduck.extraction.triage.classify.kinds import closing_in, phrases_of

    lines = list(page.lines)
    start = 0
    if lines and lines[0].text.startswith("From:"):
        gaps = (
            at
            for at, (one, other) in enumerate(pairwise(lines), 1)
            if other.box.top - one.box.top > _GAP * one.box.height
        )
        start = next(gaps, len(lines))
    if start == len(lines):
        return 1.0, 1.0
    closings = phrases_of("closings")
    ends = (
        line.box.top
        for line in lines[start:]
        if line.text.rstrip() == "--" or closing_in(short_lines([line]), closings)
    )
    return lines[start].box.top, next(ends, 1.0)
