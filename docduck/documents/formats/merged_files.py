"""Several files as the pages of one document: a mail with its attachments, an archive's members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PIL import Image

from docduck.documents.document import Attachment, Document, Page
from docduck.documents.formats.page_reading import read_pages
from docduck.documents.read_options import ReadOptions
from docduck.errors import DocumentError, NoPagesMatch


def merge(
    document: Document,
    files: Sequence[Attachment],
    options: ReadOptions,
    own_page: Callable[[int], Page],
    count_only: bool = False,
) -> None:
    """Let the pages of ``files`` follow the ``page_count`` pages of ``document`` itself, and read the wanted.

    ``own_page`` gives a page of its own by number; pages are numbered through. A file that can't be read
    becomes a warning; when there is nothing else, its error is raised. Raises ``NoPagesMatch``,
    ``TooManyPages``.
    """
    own = document.page_count
    counted: list[tuple[Attachment, int]] = []
    refused: list[DocumentError] = []
    for file in files:
        try:
            counted.append((file, _count(file)))
        except DocumentError as error:
            refused.append(error)
            document.warnings.append(_left_out(file, error))
    document.page_count += sum(count for _, count in counted)
    if refused and not document.page_count:
        raise refused[0]
    if count_only:
        return
    wanted = options.page_numbers(document.page_count)
    mine = (number for number in wanted if number <= own)
    document.pages += read_pages(mine, own_page, options.max_words, document.warnings)
    left = options.max_words - _words(document.pages)
    first = own + 1
    for file, count in counted:
        inner = [number - first + 1 for number in wanted if first <= number < first + count]
        if inner and left <= 0:
            document.warnings.append(
                f"{file.name} was left out: {options.max_words} words were read before it"
            )
        elif inner:
            try:
                pages = _pages(file, inner, first, replace(options, max_words=left), document.warnings)
                document.pages += pages
                left -= _words(pages)
            except DocumentError as error:
                refused.append(error)
                document.warnings.append(_left_out(file, error))
        first += count
    if refused and not document.pages:
        raise refused[-1]


def merged_page(files: Sequence[Attachment], number: int, width: int) -> Image.Image:
    """Page ``number`` of the pages of ``files``, drawn ``width`` pixels wide. Raises ``NoPagesMatch``."""
    from docduck.documents.detection.sniff import content_type
    from docduck.documents.reader import reader_for

    for file in files:
        try:
            count = _count(file)
        except DocumentError:
            continue
        if number <= count:
            return reader_for(content_type(file.data, file.name)).render(file.data, number, width)
        number -= count
    raise NoPagesMatch()


def _words(pages: Sequence[Page]) -> int:
    return sum(len(line.words) for page in pages for line in page.lines)


def _left_out(file: Attachment, error: DocumentError) -> str:
    return f"{file.name} was left out: {error.message}"


def _count(file: Attachment) -> int:
    from docduck.documents.detection.sniff import content_type
    from docduck.documents.render import page_count

    return page_count(file.data, content_type(file.data, file.name)) if file.data else 0


def _pages(
    file: Attachment, numbers: Sequence[int], first: int, options: ReadOptions, warnings: list[str]
) -> list[Page]:
    from docduck.documents.reader import read

    pages = ",".join(str(number) for number in numbers)
    inner = read(file.data, file.name, replace(options, pages=pages, attachments="apart"))
    warnings += [f"{file.name}: {warning}" for warning in inner.warnings]
    for page in inner.pages:
        page.number += first - 1
    return inner.pages
