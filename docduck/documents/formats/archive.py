"""Zip archives as one document: the pages of the members, in the natural order of their names."""

from __future__ import annotations

from PIL import Image

from docduck.documents.detection.content_types import UNKNOWN
from docduck.documents.document import Attachment, Document, Page
from docduck.documents.formats.nested_files import NestedReading
from docduck.documents.formats.unpacking import unpack
from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile


class ZipReader:
    """Reads archives; a member that can't be read becomes a warning."""

    def __init__(self, nested: NestedReading) -> None:
        self._nested = nested

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of pages of all readable members."""
        document = Document("", [], 0)
        self._nested.count_pages(document, _files(data, options, document), options)
        return document.page_count

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the members' pages; raise a member's own error if none can be read."""
        document = Document(content_type, [], 0)
        self._nested.merge(document, _files(data, options, document), options, _no_page)
        return document

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return page ``number`` as its member's reader draws it."""
        files = _files(data, options, Document("", [], 0))
        return self._nested.draw_merged(files, number, width, options)


def _files(data: bytes, options: ReadOptions, document: Document) -> list[Attachment]:
    """Return the unpacked members; add a warning to ``document`` for each of the others."""
    files: list[Attachment] = []
    for member in unpack(data, options):
        if member.error is None:
            files.append(Attachment(member.path, UNKNOWN, member.data))
        else:
            document.warnings.append(f"{member.path} was left out: {member.error.message}")
    return files


def _no_page(number: int) -> Page:
    raise DamagedFile(f"an archive has no page {number} of its own")
