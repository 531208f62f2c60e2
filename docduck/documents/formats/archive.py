"""Zip archives as one document: the pages of their members follow each other, in the order of their names."""

from __future__ import annotations

from PIL import Image

from docduck.documents.detection.containers import ZIP
from docduck.documents.document import Attachment, Document, Page
from docduck.documents.formats.merged_files import merge, merged_page
from docduck.documents.formats.unpacking import Member, unpack
from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile


class ZipReader:
    """Reads ``application/zip``; a member that can't be read becomes a warning."""

    content_types: tuple[str, ...] = (ZIP,)

    def page_count(self, data: bytes) -> int:
        """The pages of all members that can be read."""
        options = ReadOptions(ocr="none")
        return self._read(data, ZIP, options, count_only=True).page_count

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """See ``docduck.documents.reader.Reader``.

        Raises what ``unpack`` raises, and a member's own error when none can be read.
        """
        return self._read(data, content_type, options)

    def render(self, data: bytes, number: int, width: int) -> Image.Image:
        """Page ``number`` of the archive, drawn by its member's reader."""
        members = unpack(data, ReadOptions())
        return merged_page([_file(one) for one in members if one.error is None], number, width)

    def _read(
        self, data: bytes, content_type: str, options: ReadOptions, count_only: bool = False
    ) -> Document:
        document = Document(content_type, [], 0)
        files: list[Attachment] = []
        for member in unpack(data, options):
            if member.error is None:
                files.append(_file(member))
            else:
                document.warnings.append(f"{member.path} was left out: {member.error.message}")
        merge(document, files, options, _no_page, count_only=count_only)
        return document


def _file(member: Member) -> Attachment:
    return Attachment(member.path, "application/octet-stream", member.data)


def _no_page(number: int) -> Page:
    raise DamagedFile(f"an archive has no page {number} of its own")
