"""Bytes to Document: the readers' common shape, their registry, and the one way in."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from PIL import Image

from docduck.documents.detection.sniff import PDF, content_type
from docduck.documents.document import Document
from docduck.documents.formats.archive import ZipReader
from docduck.documents.formats.einvoice.reader import XmlReader
from docduck.documents.formats.images import ImageReader
from docduck.documents.formats.mail.reader import MailReader
from docduck.documents.formats.markup.delimited import DelimitedReader
from docduck.documents.formats.markup.html import HtmlReader
from docduck.documents.formats.markup.markdown import MarkdownReader
from docduck.documents.formats.markup.rtf import RtfReader
from docduck.documents.formats.office.docx import DocxReader
from docduck.documents.formats.office.ods import OdsReader
from docduck.documents.formats.office.odt import OdtReader
from docduck.documents.formats.office.pptx import PptxReader
from docduck.documents.formats.office.xls import XlsReader
from docduck.documents.formats.office.xlsx import XlsxReader
from docduck.documents.formats.pdf.reader import PdfReader
from docduck.documents.formats.plaintext import TextReader
from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile, DocduckError, EmptyFile, UnsupportedFile

__all__ = ["READERS", "ReadOptions", "Reader", "read", "reader_for"]


class Reader(Protocol):
    """What reads one family of formats. A new format is one file with such a class, and its line below.

    Whole example, for a format that is one word in ASCII::

        class WordReader:
            content_types = ("application/x-word",)

            def page_count(self, data: bytes) -> int:
                return 1

            def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
                document = Document(content_type, [], page_count=1)
                for number in options.page_numbers(1):
                    word = Word(data.decode("ascii"), Box(0.1, 0.1, 0.2, 0.02))
                    lines = build_lines([word], 595, 842)
                    document.pages.append(Page(number, 595, 842, lines))
                return document

            def render(self, data: bytes, number: int, width: int) -> Image.Image:
                return draw_page(self.read(data, "", ReadOptions(ocr="none")).pages[number - 1], width)

    Heavy libraries are imported inside the functions that need them. Any exception that is not docduck's
    own becomes ``DamagedFile`` in ``read``, so a reader need not wrap its library's errors.
    """

    content_types: tuple[str, ...]

    def page_count(self, data: bytes) -> int:
        """The number of pages, found without reading text."""
        ...

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """The document, with the pages that ``options.page_numbers`` names."""
        ...

    def render(self, data: bytes, number: int, width: int) -> Image.Image:
        """Page ``number`` (from 1) as an RGB picture ``width`` pixels wide."""
        ...


_ALL: tuple[Reader, ...] = (
    PdfReader(),
    ImageReader(),
    TextReader(),
    XmlReader(),
    MailReader(),
    ZipReader(),
    DocxReader(),
    OdtReader(),
    PptxReader(),
    XlsxReader(),
    XlsReader(),
    OdsReader(),
    HtmlReader(),
    MarkdownReader(),
    RtfReader(),
    DelimitedReader(),
)

READERS: dict[str, Reader] = {kind: reader for reader in _ALL for kind in reader.content_types}
"""Every reader by the content types it takes."""

NOTHING_READABLE = "Nothing readable was found in the document"
"""The warning of a document that can be opened, and has no text: a blank scan, an empty letter."""

_DEFAULTS = ReadOptions()


def reader_for(kind: str) -> Reader:
    """The reader for a content type. Raises ``UnsupportedFile``."""
    reader = READERS.get(kind)
    if reader is None:
        raise UnsupportedFile(kind)
    return reader


def read(data: bytes, name: str = "", options: ReadOptions = _DEFAULTS) -> Document:
    """The document in ``data``, recognised by its content; ``name`` only tells kinds of text apart.

    Raises ``EmptyFile``, ``UnsupportedFile``, ``EncryptedFile``, ``DamagedFile``, ``NoPagesMatch``,
    ``TooManyPages``, and ``InputError`` when ``options.pages`` breaks the grammar.
    """
    if not data:
        raise EmptyFile()
    kind = content_type(data, name)
    reader = reader_for(kind)
    _ = options.selection
    try:
        document = reader.read(data, kind, options)
        if options.barcodes != "none" and (kind == PDF or kind.startswith("image/")):
            from docduck.documents.vision.barcodes import add_barcodes

            draw = partial(reader.render, data)
            if isinstance(reader, PdfReader):
                draw = partial(reader.render, data, password=options.password)
            add_barcodes(document, options.barcodes, draw)
        if options.ocr != "none" and _shows_nothing(document):
            document.warnings.append(NOTHING_READABLE)
        return document
    except DocduckError:
        raise
    except MemoryError:
        raise
    except Exception as error:
        raise DamagedFile(f"{kind}: {type(error).__name__}: {error}") from error


def _shows_nothing(document: Document) -> bool:
    """Whether no value could come from what was read: no text, code, filled-in field or attached file."""
    filled = any(field.value for field in document.form)
    shown = any(page.lines or page.barcodes for page in document.pages)
    return not (shown or filled or document.attachments)
