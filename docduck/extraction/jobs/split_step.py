"""Splitting a PDF into its documents, each a PDF of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from docduck.documents.document import Document
from docduck.documents.read_options import ReadOptions
from docduck.extraction.jobs.kept_pieces import KeptPieces
from docduck.extraction.triage.split.parts import Part, Split, SplitOptions
from docduck.workers.context import Context

if TYPE_CHECKING:
    from docduck.extraction.extractors.model.model_context import ModelContext

_WITHOUT_READING = ("everyXPages", "pageRanges")


@dataclass(frozen=True, slots=True)
class SplitStep:
    """How to split, and how to read the pages that decide it; ``parsePages`` applies to the parts."""

    options: SplitOptions
    reading: ReadOptions = field(default_factory=ReadOptions)


def split_file(
    step: SplitStep,
    data: bytes,
    name: str,
    context: Context,
    model: ModelContext,
    kept: KeptPieces | None = None,
) -> Split | None:
    """Return the parts of a PDF; None for other files and for a single page.

    Raise the DocumentErrors of ``docduck.documents.reader.read``, and PiecesWanted.
    """
    from docduck.documents.detection.content_types import PDF
    from docduck.documents.detection.sniff import content_type
    from docduck.documents.reader import page_count, read

    if content_type(data, name) != PDF:
        return None
    pages = page_count(data, name, step.reading)
    if pages < 2:
        return None
    if step.options.mode in _WITHOUT_READING:
        document = Document(PDF, [], pages)
    else:
        pieces = None if kept is None else partial(kept.get, "split", context=context)
        document = read(data, name, replace(step.reading, pages=None, on_pages=context.pages), pieces)
    return split_document(step.options, document, model)


def split_document(options: SplitOptions, document: Document, model: ModelContext) -> Split:
    """Return where a document that was read divides."""
    from docduck.extraction.triage.split.splitter import split

    return split(document, options, model)


def is_one_document(split: Split) -> bool:
    """Return whether a file is not to be divided: no page is in a part, or all are in the same."""
    return not split.parts or (len(split.parts) == 1 and not split.unassigned)


def part_files(data: bytes, split: Split, password: str | None = None) -> Iterator[tuple[Part, bytes]]:
    """Yield the parts with their PDFs. Raise DamagedFile for pages that can't be copied."""
    from docduck.documents.formats.pdf.page_extraction import extract_pages

    files = extract_pages(data, (part.pages for part in split.parts), password)
    yield from zip(split.parts, files, strict=True)
