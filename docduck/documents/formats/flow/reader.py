"""What the readers of flowing formats share: from a file's sections to its pages."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from docduck.documents.document import Document
from docduck.documents.formats.flow.blocks import Section
from docduck.documents.formats.flow.pages import Draft, paginate
from docduck.documents.formats.page_reading import read_pages
from docduck.documents.read_options import ReadOptions


class FlowReader:
    """A reader (``docduck.documents.reader.Reader``) whose subclasses give a file's ``sections``.

    A format with pages of its own gives ``drafts`` instead.
    """

    content_types: tuple[str, ...] = ()

    def sections(self, data: bytes, options: ReadOptions, warnings: list[str]) -> Sequence[Section]:
        """What the file says, in reading order; what was left out is told in ``warnings``."""
        raise NotImplementedError

    def drafts(self, data: bytes, options: ReadOptions, warnings: list[str]) -> Sequence[Draft]:
        """The file's pages."""
        return paginate(self.sections(data, options, warnings), warnings)

    def page_count(self, data: bytes) -> int:
        """The number of pages the text fills."""
        return len(self.drafts(data, ReadOptions(), []))

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """The document; see ``docduck.documents.reader.Reader``."""
        warnings: list[str] = []
        drafts = self.drafts(data, options, warnings)
        document = Document(content_type, [], len(drafts), warnings=warnings)
        document.pages += read_pages(
            options.page_numbers(len(drafts)),
            lambda number: drafts[number - 1].page(number),
            options.max_words,
            warnings,
        )
        return document

    def render(self, data: bytes, number: int, width: int) -> Image.Image:
        """Page ``number`` as a picture ``width`` pixels wide."""
        from docduck.documents.formats.word_drawing import draw_page

        return draw_page(self.drafts(data, ReadOptions(), [])[number - 1].page(number), width)
