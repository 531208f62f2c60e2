"""Signed files (``.p7m``): read as what they hold, an electronic invoice, a mail or any other file."""

from __future__ import annotations

from PIL import Image

from docduck.documents.detection.signed_envelope import opened
from docduck.documents.document import Document
from docduck.documents.formats.nested_files import NestedReading
from docduck.documents.read_options import ReadOptions


class SignedReader:
    """Reads what signed envelopes hold; its document has the content type of that."""

    def __init__(self, nested: NestedReading) -> None:
        self._nested = nested

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of pages of the file inside."""
        return self._nested.page_count(*opened(data), options)

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the document inside; raise ``EncryptedMail`` if only its recipient can open it."""
        return self._nested.read(*opened(data), options)

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return a page of the file inside."""
        return self._nested.draw(*opened(data), number, width, options)
