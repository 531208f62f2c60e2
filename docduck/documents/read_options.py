"""How a document is to be read: its pages, OCR and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from docduck.documents.page_ranges import PageSelection, parse_pages
from docduck.errors import NoPagesMatch, TooManyPages


class LongDocument(Exception):
    """A file has more selected ``pages`` than are read at once."""

    def __init__(self, pages: Sequence[int]) -> None:
        super().__init__(f"{len(pages)} pages")
        self.pages = pages


@dataclass(frozen=True)
class ReadOptions:
    """Options of one reading; the defaults read everything, as well as possible.

    ``ocr``: ``none`` leaves pages without a text layer empty, ``fast`` reads them at low resolution, ``full``
    at full. ``pages`` is a ``parsePages`` expression (see ``page_ranges``), of which only the first page is
    read with ``first_only``; a file with more than ``max_pages`` selected pages is refused. An image of more
    than ``max_pixels`` pixels is damaged. Only the first ``max_words`` words are read, with a warning.
    ``ocr_threads`` is the number of threads of one OCR model.

    Of an archive, with the archives inside it, ``max_archive_files`` files and ``max_unpacked_bytes`` bytes
    are unpacked at most; a larger one is damaged.

    ``attachments``: ``merged`` appends the pages of a mail's attachments to its own, ``only`` leaves out its
    own if it has attachments; ``attachment_types`` selects them (see ``selected_files``). ``barcodes``:
    ``pictures`` finds them on pages without a text layer, ``all`` on every page.

    ``on_pages`` is called with the number of pages that will be read, as soon as it is known. A file with
    more than ``most_at_once`` of them is not read (see ``LongDocument``).
    """

    ocr: Literal["none", "fast", "full"] = "full"
    pages: str | None = None
    first_only: bool = False
    max_pages: int = 2000
    max_words: int = 1_000_000
    max_pixels: int = 120_000_000
    max_archive_files: int = 1000
    max_unpacked_bytes: int = 300_000_000
    password: str | None = field(default=None, repr=False)
    ocr_threads: int = 1
    attachments: Literal["apart", "merged", "only"] = "apart"
    attachment_types: tuple[str, ...] = ()
    barcodes: Literal["none", "pictures", "all"] = "none"
    on_pages: Callable[[int], None] | None = field(default=None, compare=False, repr=False)
    most_at_once: int | None = None

    @cached_property
    def selection(self) -> PageSelection:
        """Return ``pages``, parsed; raise ``InputError`` if it breaks the grammar."""
        return parse_pages(self.pages)

    def page_numbers(self, page_count: int) -> list[int]:
        """Return the pages to read of a file of ``page_count`` pages, counted from 1.

        Raise ``NoPagesMatch`` when there is none, ``TooManyPages`` when there are more than ``max_pages``,
        and ``LongDocument`` when there are more than ``most_at_once``.
        """
        numbers = self.selection.select(page_count, 1 if self.first_only else self.max_pages + 1)
        if not numbers:
            raise NoPagesMatch()
        if len(numbers) > self.max_pages:
            raise TooManyPages(page_count, self.max_pages)
        if self.on_pages is not None:
            self.on_pages(len(numbers))
        if self.most_at_once is not None and len(numbers) > self.most_at_once:
            raise LongDocument(numbers)
        return numbers
