"""Several files as the pages of one document: a mail with its attachments, an archive's members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from docduck.documents.model import Attachment, Document, Page
from docduck.documents.options import ReadOptions
from docduck.errors import DocumentError


def merge(
    document: Document, files: Sequence[Attachment], options: ReadOptions, own_page: Callable[[int], Page]
) -> None:
    """Let the pages of ``files`` follow the ``page_count`` pages of ``document`` itself, and read the wanted.

    ``own_page`` gives a page of its own by number; pages are numbered through. A file that can't be read
    becomes a warning. Raises ``NoPagesMatch``.
    """
    own = document.page_count
    counted = [(file, count) for file in files if (count := _count(file, document.warnings))]
    document.page_count += sum(count for _, count in counted)
    wanted = options.page_numbers(document.page_count, document.warnings)
    document.pages += [own_page(number) for number in wanted if number <= own]
    first = own + 1
    for file, count in counted:
        inner = [number - first + 1 for number in wanted if first <= number < first + count]
        if inner:
            document.pages += _pages(file, inner, first, options, document.warnings)
        first += count


def _count(file: Attachment, warnings: list[str]) -> int:
    from docduck.documents.render import page_count
    from docduck.documents.sniff import content_type

    try:
        return page_count(file.data, content_type(file.data, file.name)) if file.data else 0
    except DocumentError as error:
        warnings.append(f"{file.name} was left out: {error.message}")
        return 0


def _pages(
    file: Attachment, numbers: Sequence[int], first: int, options: ReadOptions, warnings: list[str]
) -> list[Page]:
    from docduck.documents.reader import read

    pages = ",".join(str(number) for number in numbers)
    try:
        inner = read(file.data, file.name, replace(options, pages=pages, attachments="apart"))
    except DocumentError as error:
        warnings.append(f"{file.name} was left out: {error.message}")
        return []
    warnings += [f"{file.name}: {warning}" for warning in inner.warnings]
    for page in inner.pages:
        page.number += first - 1
    return inner.pages
