"""What the readers of flowing formats share: from a file's sections to its pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PIL import Image

from docduck.documents.document import Document, Page
from docduck.documents.formats.flow.blocks import Section
from docduck.documents.formats.flow.pages import paginate
from docduck.documents.formats.page_drawing import draw_page
from docduck.documents.formats.page_reading import read_pages
from docduck.documents.read_options import ReadOptions


class Draft(Protocol):
    """A page that is made when it is read."""

    def page(self, number: int) -> Page:
        """Return the page, as page ``number`` of its file."""
        ...


class FlowReader:
    """Base class of readers that implement ``sections``, or ``drafts`` for a format with pages of its own."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return the file's content in reading order; add to ``warnings`` for what was left out."""
        raise NotImplementedError

    def drafts(self, data: bytes, warnings: list[str]) -> Sequence[Draft]:
        """Return the file's pages."""
        return paginate(self.sections(data, warnings), warnings)

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of pages that the text fills."""
        return len(self.drafts(data, []))

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the document with the selected pages."""
        warnings: list[str] = []
        drafts = self.drafts(data, warnings)
        document = Document(content_type, [], len(drafts), warnings=warnings)
        document.pages += read_pages(
            options.page_numbers(len(drafts)),
            lambda number: drafts[number - 1].page(number),
            options.max_words,
            warnings,
        )
        return document

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return a page drawn from its words."""
        return draw_page(self.drafts(data, [])[number - 1].page(number), width)
