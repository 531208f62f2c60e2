"""The job of worker processes that draw pages, or read their words."""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from docduck.documents.document import Box, Document, Word
from docduck.documents.read_options import ReadOptions
from docduck.extraction.jobs.extraction_job import read_file
from docduck.workers.context import Context
from docduck.workers.pool import Job

if TYPE_CHECKING:
    from PIL import Image

Encoding = Literal["JPEG", "WEBP"]
"""Of pictures; WEBP is half as large, and takes ten times as long."""

_HEAVY = ("docduck.documents.render",)
_QUALITIES = {"JPEG": (82, 65, 50), "WEBP": (75, 60, 45)}
_WEBP_METHOD = 2
"""From 0, fast, to 6, small: 4 is 4 % smaller than 2 and takes twice as long."""
_LONGEST = 16_383
"""Of a WebP's edges, in pixels."""
_WIDEST = 2400
"""Of a page whose part is shown, in pixels."""


@dataclass(frozen=True, slots=True)
class PageTask:
    """Page ``number`` (from 1) of the first input: its picture, ``width`` pixels wide, or its words.

    ``turn`` is ``Page.turn``. ``width`` is None for the words, or, with ``is_markdown``, the text. With
    ``is_count``, the number of pages alone is asked for. With ``explained``, the page's reading is drawn on
    the picture (see ``docduck.extraction.reading.picture``), and ``turn`` is found anew. The picture is of
    the ``part`` alone, if there is one, or else of its top ``most_height`` pixels, and has at most
    ``most_bytes``.
    """

    name: str
    number: int
    width: int | None = None
    turn: float = 0.0
    reading: ReadOptions = field(default_factory=ReadOptions)
    explained: bool = False
    is_markdown: bool = False
    is_count: bool = False
    part: Box | None = None
    most_height: int | None = None
    most_bytes: int | None = None
    encoding: Encoding = "JPEG"


@dataclass(frozen=True, slots=True)
class PageView:
    """A page's picture, or its words, line by line, in reading order, or its text as markdown.

    ``pages`` is the number of pages of the file, for an explained page and a text, and if it is asked for.
    """

    picture: bytes = b""
    lines: tuple[tuple[Word, ...], ...] = ()
    pages: int = 0
    markdown: str = ""


def view_page(task: PageTask, context: Context) -> PageView:
    """Return what is asked for of a page.

    Raise the errors of ``docduck.documents.render.render_page`` or ``docduck.documents.reader.read``.
    """
    if task.is_count:
        return PageView(pages=_count(task, context))
    if task.explained:
        return _explained(task, context)
    if task.width is None:
        _, document = read_file(task.name, replace(task.reading, pages=str(task.number)), context)
        if task.is_markdown:
            return PageView(markdown=_markdown(document), pages=document.page_count)
        return PageView(lines=tuple(line.words for page in document.pages for line in page.lines))
    return PageView(picture=_encoded(_drawn(task, task.width, context), task.encoding, task.most_bytes))


def _count(task: PageTask, context: Context) -> int:
    from docduck.documents.reader import page_count

    return page_count(context.read(), task.name, task.reading)


def _explained(task: PageTask, context: Context) -> PageView:
    from docduck.documents.render import render_page
    from docduck.extraction.page.page_view import views_of
    from docduck.extraction.reading.picture import draw_reading

    data, document = read_file(task.name, replace(task.reading, pages=str(task.number)), context)
    width, turn, password = task.width or 1000, document.pages[0].turn, task.reading.password
    picture = render_page(data, task.number, width, turn, task.name, password)
    drawn = draw_reading(picture, views_of(document).pages[0])
    return PageView(_encoded(drawn, "JPEG"), pages=document.page_count)


def _markdown(document: Document) -> str:
    from docduck.documents.page_markdown import page_markdown

    return "\n\n".join(map(page_markdown, document.pages))


def _drawn(task: PageTask, width: int, context: Context) -> Image.Image:
    """Return the page, or its part, ``width`` pixels wide unless the page would be too wide for that."""
    from docduck.documents.render import render_page

    whole = width if task.part is None else min(round(width / task.part.width), _WIDEST)
    password = task.reading.password
    picture = render_page(context.read(), task.number, whole, task.turn, task.name, password)
    if task.part is None:
        high = min(picture.height, task.most_height or picture.height)
        return picture.crop((0, 0, picture.width, high))
    wide, high, part = picture.width, picture.height, task.part
    edges = (part.left * wide, part.top * high, part.right * wide, part.bottom * high)
    left, top, right, bottom = map(round, edges)
    return picture.crop((left, top, max(right, left + 1), max(bottom, top + 1)))


def _encoded(picture: Image.Image, encoding: Encoding, most_bytes: int | None = None) -> bytes:
    """Return a picture as a file of at most ``most_bytes``, coarser or smaller if need be."""
    if max(picture.size) > _LONGEST:
        picture.thumbnail((_LONGEST, _LONGEST))
    for quality in _QUALITIES[encoding]:
        buffer = io.BytesIO()
        picture.save(buffer, encoding, quality=quality, method=_WEBP_METHOD)
        if most_bytes is None or buffer.tell() <= most_bytes:
            return buffer.getvalue()
    smaller = picture.resize((picture.width * 3 // 4, picture.height * 3 // 4))
    return _encoded(smaller, encoding, most_bytes)


PAGE_VIEW = Job(view_page, PageView, _HEAVY)
"""Draw pages and read their words, for people who look at them."""
