"""Whether values were found in the body of a mail, beyond its headers and its signature."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docduck.documents.document import Document, Line, Page
from docduck.extraction.result import Extraction
from docduck.extraction.values.contacts import MAIL, WEB, find_phones

_LEAST = 0.85
"""Confidence below which a value is a guess: any mail has a line that could be a name."""
_GAP = 1.5
"""Height of an empty line, in lines: one separates the headers from the body."""
_LONGEST_CONTACT = 70
_AMOUNT = re.compile(r"\d[.,]\d\d(?!\d)")
_NAME = re.compile(r"(?=[^\W\d_])\D{1,39}[^\W_]")


def body_has_values(document: Document, extraction: Extraction) -> bool:
    """Return whether a value was found in the body of a mail.

    What the headers and the signature show doesn't count: each mail has a date and a sender. A signature
    begins with a closing such as "Kind regards" or with "--", or is a block of contacts at the end.
    """
    bodies = {page.number: _body(page) for page in document.pages}
    for entry in _entries(extraction.field_metadata):
        if (entry["confidence"] or 0.0) < _LEAST:
            continue
        for place in entry["locations"]:
            top, bottom = bodies.get(place["page"], (0.0, 0.0))
            if top <= place["bbox"]["top"] + place["bbox"]["height"] / 2 < bottom:
                return True
    return False


def _entries(metadata: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of values and of the cells of tables."""
    for entry in metadata.values():
        if isinstance(entry, list):
            yield from (cell for row in entry for cell in row.values())
        else:
            yield entry


def _body(page: Page) -> tuple[float, float]:
    """Return where the body of a message begins and ends on its page."""
    from docduck.extraction.triage.classify.classified_text import short_lines
    from docduck.extraction.triage.classify.kinds import closing_in, phrases_of

    blocks = _blocks(page.lines)
    if blocks and blocks[0][0].text.startswith("From:"):
        del blocks[0]
    if not blocks:
        return 1.0, 1.0
    closings = phrases_of("closings")
    ends = (
        line.box.top
        for block in blocks
        for line in block
        if line.text.rstrip() == "--" or closing_in(short_lines([line]), closings)
    )
    return blocks[0][0].box.top, next(ends, _contacts(blocks))


def _blocks(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines between empty ones."""
    blocks: list[list[Line]] = []
    for number, line in enumerate(lines):
        above = lines[number - 1]
        if not number or line.box.top - above.box.top > _GAP * above.box.height:
            blocks.append([])
        blocks[-1].append(line)
    return blocks


def _contacts(blocks: Sequence[Sequence[Line]]) -> float:
    """Return where the blocks of contacts begin that end a body, 1 if there is none.

    The first block is none, and the name of the sender may be a block above them.
    """
    first = len(blocks)
    while first > 1 and _is_contacts(blocks[first - 1]):
        first -= 1
    if first == len(blocks):
        return 1.0
    if first > 1 and _is_name(blocks[first - 1]):
        first -= 1
    return blocks[first][0].box.top


def _is_contacts(block: Sequence[Line]) -> bool:
    """Return whether lines are short, none an amount, and one a telephone number, mail or web address."""
    texts = [line.text for line in block]
    contacts = [text for text in texts if _is_contact(text)]
    is_plain = not any(_AMOUNT.search(text) for text in texts if text not in contacts)
    return bool(contacts) and is_plain and all(len(text) <= _LONGEST_CONTACT for text in texts)


def _is_contact(text: str) -> bool:
    return bool(MAIL.search(text) or WEB.search(text) or find_phones(text))


def _is_name(block: Sequence[Line]) -> bool:
    return all(_NAME.fullmatch(line.text.strip()) for line in block)
