"""The jobs of worker processes that draw pages and thumbnails, or read the words of pages."""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from docduck.documents.document import Word
from docduck.documents.read_options import ReadOptions
from docduck.extraction.jobs.extraction_job import read_file
from docduck.workers.context import Context
from docduck.workers.pool import Job

if TYPE_CHECKING:
    from PIL import Image

_HEAVY = ("docduck.documents.render",)
_QUALITY = 82


@dataclass(frozen=True, slots=True)
class PageTask:
    """Page ``number`` (from 1) of the first input: its picture, ``width`` pixels wide, or its words.

    ``turn`` is ``Page.turn``. ``width`` is None for the words. With ``explained``, the page's reading is
    drawn on the picture (see ``docduck.extraction.reading.picture``), and ``turn`` is found anew.
    """

    name: str
    number: int
    width: int | None = None
    turn: float = 0.0
    reading: ReadOptions = field(default_factory=ReadOptions)
    explained: bool = False


@dataclass(frozen=True, slots=True)
class ThumbnailTask:
    """A file, the first input, whose first page is to be drawn, ``width`` pixels wide."""

    name: str
    width: int


@dataclass(frozen=True, slots=True)
class PageView:
    """A page's picture as JPEG, or its words, line by line, in reading order.

    ``pages`` is the number of pages of the file, for an explained page.
    """

    picture: bytes = b""
    lines: tuple[tuple[Word, ...], ...] = ()
    pages: int = 0


def view_page(task: PageTask, context: Context) -> PageView:
    """Return what is asked for of a page.

    Raise the errors of ``docduck.documents.render.render_page`` or ``docduck.documents.reader.read``.
    """
    if task.explained:
        return _explained(task, context)
    if task.width is None:
        _, document = read_file(task.name, replace(task.reading, pages=str(task.number)), context)
        return PageView(lines=tuple(line.words for page in document.pages for line in page.lines))
    from docduck.documents.render import render_page

    return PageView(picture=_jpeg(render_page(context.read(), task.number, task.width, task.turn, task.name)))


def draw_thumbnail(task: ThumbnailTask, context: Context) -> bytes:
    """Return a JPEG of the first page; raise the errors of ``docduck.documents.render.thumbnail``."""
    from docduck.documents.render import thumbnail

    return thumbnail(context.read(), width=task.width, name=task.name)


def _explained(task: PageTask, context: Context) -> PageView:
    from docduck.documents.render import render_page
    from docduck.extraction.page.page_view import views_of
    from docduck.extraction.reading.picture import draw_reading

    data, document = read_file(task.name, replace(task.reading, pages=str(task.number)), context)
    picture = render_page(data, task.number, task.width or 1000, document.pages[0].turn, task.name)
    return PageView(_jpeg(draw_reading(picture, views_of(document).pages[0])), pages=document.page_count)


def _jpeg(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=_QUALITY)
    return buffer.getvalue()


PAGE_VIEW = Job(view_page, PageView, _HEAVY)
"""Draw pages and read their words, for people who look at them."""

THUMBNAIL = Job(draw_thumbnail, bytes, _HEAVY)
"""Draw the first pages of files."""
