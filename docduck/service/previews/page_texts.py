"""The text of a document's pages as docduck reads it, in portions.

Pages are read in a side worker on first request, and kept.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docduck.documents.page_ranges import PageSelection, parse_pages
from docduck.errors import InputError, NotFound, Transient
from docduck.extraction.jobs.page_job import PageTask, PageView
from docduck.service.core.installation import Installation
from docduck.service.previews.page_source import PageSource, kept_view, page_source

MOST_BYTES = 20_000
"""Of one portion."""

_MOST_SECONDS = 30
"""For the pages of a portion."""
_PAGE_BYTES = 40
"""Of a page besides its text."""


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's text as markdown, as far as it is in the portion."""

    page: int
    text: str


@dataclass(frozen=True, slots=True)
class PageTexts:
    """A portion: pages of a document, which has ``page_count``.

    The next portion begins on ``next_page``, if any, after ``next_offset`` characters.
    """

    pages: Sequence[PageText]
    page_count: int
    next_page: int | None = None
    next_offset: int = 0


def page_texts(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    pages: str | None = None,
    offset: int = 0,
) -> PageTexts:
    """Return the text of the pages that ``pages`` (as in ``parsePages``) selects; all by default.

    At most ``MOST_BYTES``, and as many pages as are read within a limit of time, before one that can't be.
    ``offset`` characters of the first page are left out. Raise NotFound for a document that doesn't exist or
    a first page that can't be read, InputError, and Transient.
    """
    end = time.monotonic() + _MOST_SECONDS
    selection = _selection(pages)
    source = page_source(inst, team_id, document_id, parser_id)
    if source.page_count is None:
        source = replace(source, page_count=_read(inst, source, 1, end)[1])
    assert source.page_count is not None, "a page that was read tells how many there are"
    numbers = selection.select(source.page_count, source.reading.max_pages)
    if not numbers:
        raise InputError(f"No pages match '{pages}': the document has {source.page_count}", "pages")
    portion: list[PageText] = []
    left = MOST_BYTES
    for number in numbers:
        begin = 0 if portion else offset
        try:
            text = _read(inst, source, number, end)[0][begin:]
        except (NotFound, Transient):
            if portion:
                return PageTexts(portion, source.page_count, number)
            raise
        left -= len(text.encode()) + _PAGE_BYTES
        if left < 0 and portion:
            return PageTexts(portion, source.page_count, number)
        if left < 0:
            excerpt = text.encode()[: MOST_BYTES - _PAGE_BYTES].decode(errors="ignore")
            cut = PageText(number, excerpt)
            return PageTexts([cut], source.page_count, number, begin + len(excerpt))
        portion.append(PageText(number, text))
    return PageTexts(portion, source.page_count)


def _selection(pages: str | None) -> PageSelection:
    try:
        return parse_pages(pages)
    except InputError as error:
        raise InputError(error.message, "pages") from error


def _read(inst: Installation, source: PageSource, number: int, end: float) -> tuple[str, int]:
    """Return the text of a page, and the number of pages; raise Transient if it isn't read at ``end``."""
    name = f"{number}-{source.reading_key}.md.json"
    task = PageTask(source.name, number, reading=source.reading, is_markdown=True)
    text, count = json.loads(
        kept_view(inst, source, name, task, _serialised, max(0.0, end - time.monotonic()))
    )
    return text, count


def _serialised(view: PageView) -> bytes:
    return json.dumps([view.markdown, view.pages], ensure_ascii=False).encode("utf-8", "replace")
