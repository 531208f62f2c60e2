"""How a document is to be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from docduck.documents.page_ranges import PageSelection, parse_pages
from docduck.errors import NoPagesMatch, TooManyPages


@dataclass(frozen=True)
class ReadOptions:
    """Options of one reading; the defaults read everything, as well as possible.

    ``ocr``: ``none`` leaves pages without a text layer empty, ``fast`` reads them at low resolution,
    ``full`` at full. ``pages`` is a ``parsePages`` expression (contract A11); a file of which it leaves
    more than ``max_pages`` pages is not read. An image of more than ``max_pixels`` pixels counts as
    damaged. Of a document's words the first ``max_words`` are read, a warning tells of the rest.
    ``ocr_threads`` is the number of threads one OCR model may use.

    Of an archive, with the archives inside it, ``max_archive_files`` files and ``max_unpacked_bytes`` bytes
    are unpacked at most; one of more counts as damaged.

    ``attachments`` ``merged`` lets the pages of a mail's attachments follow its own, ``only`` leaves its
    own out where it has attachments; ``attachment_types`` says which are meant (see ``mail.parts``).
    ``barcodes``: ``pictures`` looks for them on pages that have no text layer, ``all`` on every page.

    ``on_pages`` is called with the number of pages that will be read, as soon as it is known.
    """

    ocr: Literal["none", "fast", "full"] = "full"
    pages: str | None = None
    max_pages: int = 2000
    max_words: int = 1_000_000
    max_pixels: int = 120_000_000
    max_archive_files: int = 1000
    max_unpacked_bytes: int = 300_000_000
    password: str | None = None
    ocr_threads: int = 1
    attachments: Literal["apart", "merged", "only"] = "apart"
    attachment_types: tuple[str, ...] = ()
    barcodes: Literal["none", "pictures", "all"] = "none"
    on_pages: Callable[[int], None] | None = field(default=None, compare=False, repr=False)

    @cached_property
    def selection(self) -> PageSelection:
        """``pages``, parsed. Raises ``InputError`` when it breaks the grammar."""
        return parse_pages(self.pages)

    def page_numbers(self, page_count: int) -> list[int]:
        """The pages to read of a file of ``page_count`` pages, counted from 1.

        Raises ``NoPagesMatch`` when there is none, ``TooManyPages`` when there are more than ``max_pages``.
        """
        numbers = self.selection.select(page_count, self.max_pages + 1)
        if not numbers:
            raise NoPagesMatch()
        if len(numbers) > self.max_pages:
            raise TooManyPages(page_count, self.max_pages)
        if self.on_pages is not None:
            self.on_pages(len(numbers))
        return numbers
