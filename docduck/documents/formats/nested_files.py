"""Several files as the pages of one document: a mail with its attachments, an archive's members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PIL import Image

from docduck.documents.document import Attachment, Document, Page
from docduck.documents.formats.page_reading import read_pages
from docduck.documents.read_options import ReadOptions
from docduck.errors import DocumentError, NoPagesMatch


@dataclass(frozen=True, slots=True)
class NestedReading:
    """The functions of ``docduck.documents.reader`` by which a container reads the files inside it.

    They are handed to the containers' readers, as no format imports the registry of all formats.
    """

    can_read: Callable[[str], bool]
    page_count: Callable[[bytes, str, ReadOptions], int]
    read: Callable[[bytes, str, ReadOptions], Document]
    draw: Callable[[bytes, str, int, int, ReadOptions], Image.Image]

    def merge(
        self,
        document: Document,
        files: Sequence[Attachment],
        options: ReadOptions,
        own_page: Callable[[int], Page],
    ) -> None:
        """Append the pages of ``files`` to the ``page_count`` pages of ``document``, and read the selected.

        ``own_page`` returns a page of the document itself by its number. A file that can't be read becomes a
        warning; if there is nothing else, its error is raised. Raise ``NoPagesMatch`` or ``TooManyPages``.
        """
        own = document.page_count
        counted = self.count_pages(document, files, options)
        selected = options.page_numbers(document.page_count)
        mine = (number for number in selected if number <= own)
        document.pages += read_pages(mine, own_page, options.max_words, document.warnings)
        left = options.max_words - _word_count(document.pages)
        first = own + 1
        refused: DocumentError | None = None
        for file, count in counted:
            numbers = [number for number in selected if first <= number < first + count]
            if numbers and left <= 0:
                document.warnings.append(
                    f"{file.name} was left out: {options.max_words} words were read before it"
                )
            elif numbers:
                try:
                    pages = self._pages(file, numbers, first, replace(options, max_words=left), document)
                    document.pages += pages
                    left -= _word_count(pages)
                except DocumentError as error:
                    refused = error
                    document.warnings.append(_left_out(file, error))
            first += count
        if refused and not document.pages:
            raise refused

    def count_pages(
        self, document: Document, files: Sequence[Attachment], options: ReadOptions
    ) -> list[tuple[Attachment, int]]:
        """Return the readable files with their page counts, and add these to ``document.page_count``."""
        counted: list[tuple[Attachment, int]] = []
        refused: DocumentError | None = None
        for file in files:
            try:
                counted.append((file, self._count(file, options)))
            except DocumentError as error:
                refused = refused or error
                document.warnings.append(_left_out(file, error))
        document.page_count += sum(count for _, count in counted)
        if refused and not document.page_count:
            raise refused
        return counted

    def draw_merged(
        self, files: Sequence[Attachment], number: int, width: int, options: ReadOptions
    ) -> Image.Image:
        """Return page ``number`` of the pages of ``files``; raise ``NoPagesMatch`` if they have fewer."""
        for file in files:
            try:
                count = self._count(file, options)
            except DocumentError:
                continue
            if number <= count:
                return self.draw(file.data, file.name, number, width, options)
            number -= count
        raise NoPagesMatch()

    def _count(self, file: Attachment, options: ReadOptions) -> int:
        return self.page_count(file.data, file.name, options) if file.data else 0

    def _pages(
        self, file: Attachment, numbers: Sequence[int], first: int, options: ReadOptions, document: Document
    ) -> list[Page]:
        """Return the pages of ``file`` whose first is page ``first`` of ``document``."""
        pages = ",".join(str(number - first + 1) for number in numbers)
        inner = self.read(file.data, file.name, replace(options, pages=pages, attachments="apart"))
        document.warnings += [f"{file.name}: {warning}" for warning in inner.warnings]
        for page in inner.pages:
            page.number += first - 1
        return inner.pages


def _word_count(pages: Sequence[Page]) -> int:
    return sum(len(line.words) for page in pages for line in page.lines)


def _left_out(file: Attachment, error: DocumentError) -> str:
    return f"{file.name} was left out: {error.message}"
