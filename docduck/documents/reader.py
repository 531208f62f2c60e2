"""The readers of all formats, and the functions that read, count and draw the pages of any file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Protocol, cast

from PIL import Image

from docduck.documents.detection import content_types as types
from docduck.documents.detection.file_types import FileType, added_readers
from docduck.documents.detection.sniff import content_type
from docduck.documents.document import Document
from docduck.documents.formats.archive import ZipReader
from docduck.documents.formats.einvoice.reader import XmlReader
from docduck.documents.formats.images import ImageReader
from docduck.documents.formats.mail.reader import MailReader
from docduck.documents.formats.markup.delimited import DelimitedReader
from docduck.documents.formats.markup.html import HtmlReader
from docduck.documents.formats.markup.markdown import MarkdownReader
from docduck.documents.formats.markup.rtf.reader import RtfReader
from docduck.documents.formats.nested_files import NestedReading
from docduck.documents.formats.office.odt import OdtReader
from docduck.documents.formats.office.pptx import PptxReader
from docduck.documents.formats.office.sheets.ods import OdsReader
from docduck.documents.formats.office.sheets.xls import XlsReader
from docduck.documents.formats.office.sheets.xlsx import XlsxReader
from docduck.documents.formats.office.word.docx import DocxReader
from docduck.documents.formats.pdf.embedded import is_portfolio
from docduck.documents.formats.pdf.reader import PdfReader
from docduck.documents.formats.plaintext import TextReader
from docduck.documents.formats.signed import SignedReader
from docduck.documents.pieces import PIECE_PAGES, joined, pieces_of
from docduck.documents.read_options import LongDocument, ReadOptions
from docduck.errors import DamagedFile, DocduckError, EmptyFile, UnsupportedFile
from docduck.plugins import broken

NOTHING_READABLE = "Nothing readable was found in the document"
"""The warning of a document that can be opened but has no content: a blank scan, an empty letter."""

_DEFAULTS = ReadOptions()


class Reader(Protocol):
    """A reader of one family of formats.

    A new format of docduck's own is a module with such a class, its type in ``detection.content_types`` and
    ``detection.file_types``, a rule in ``detection`` that recognises it, and a line in ``READERS``. Another
    package adds one as an ``AddedReader``. Example, for one word in ASCII::

        class WordReader:
            def page_count(self, data: bytes, options: ReadOptions) -> int:
                return 1

            def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
                document = Document(content_type, [], page_count=1)
                for number in options.page_numbers(1):
                    word = Word(data.decode("ascii"), Box(0.1, 0.1, 0.2, 0.02))
                    lines = build_lines([word], 595, 842)
                    document.pages.append(Page(number, 595, 842, lines))
                return document

            def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
                return draw_page(self.read(data, "", options).pages[number - 1], width)

    Heavy libraries (OCR, codes, HTML, HEIC, XLS) are imported inside the functions that use them: most
    workers never read such a file. An exception other than docduck's own becomes ``DamagedFile``, so readers
    need not wrap their libraries' errors. Readers run in isolated workers: without network, with limits of
    memory and time, and with no other files than Python's packages.
    """

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of pages, without reading text."""
        ...

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the document with the pages of ``options.page_numbers``."""
        ...

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return page ``number`` (from 1) as an RGB picture ``width`` pixels wide."""
        ...


class AddedReader(Reader, Protocol):
    """A reader of another package, named by an entry point of the group ``docduck.readers``.

    ``file_types`` says how its files are recognised. Its module is also imported by the service, for that.
    """

    file_types: tuple[FileType, ...]


Pieces = Callable[[Sequence[str]], Iterable[Document]]
"""Returns the pieces of a long document, by their ``parsePages`` expressions."""


def read(
    data: bytes, name: str = "", options: ReadOptions = _DEFAULTS, pieces: Pieces | None = None
) -> Document:
    """Return the document in ``data``, recognised by content; ``name`` only tells kinds of text apart.

    A long PDF or picture is made up of ``pieces``, which by default are read one after the other.
    Raise ``EmptyFile``, ``UnsupportedFile``, ``EncryptedFile``, ``DamagedFile``, ``NoPagesMatch``,
    ``TooManyPages``, and ``InputError`` if ``options.pages`` breaks the grammar.
    """
    if not data:
        raise EmptyFile()
    kind, reader = _recognised(data, name)
    _ = options.selection

    def read_pieces(expressions: Sequence[str]) -> Iterator[Document]:
        parts = replace(options, on_pages=None)
        return (_read_pages(data, kind, reader, replace(parts, pages=pages)) for pages in expressions)

    try:
        most = PIECE_PAGES if kind in types.PAGED else None
        document = _read_pages(data, kind, reader, replace(options, most_at_once=most))
    except LongDocument as long:
        document = joined(long.pages, (pieces or read_pieces)(pieces_of(long.pages)), options.max_words)
    if kind in types.PAGED and not document.pages:
        raise DamagedFile("; ".join(document.warnings))
    if options.ocr != "none" and _is_empty(document) and NOTHING_READABLE not in document.warnings:
        document.warnings.append(NOTHING_READABLE)
    return document


def read_piece(data: bytes, name: str, options: ReadOptions) -> Document:
    """Return one piece of a long document, whose pages are ``options.pages``; raise as ``read`` does.

    Unlike a document, a piece may have no readable page.
    """
    return _read_pages(data, *_recognised(data, name), options)


def _read_pages(data: bytes, kind: str, reader: Reader, options: ReadOptions) -> Document:
    """Return the selected pages with their codes."""
    with _unexpected_is_damage(kind):
        document = reader.read(data, kind, options)
        if options.barcodes != "none" and kind in types.PAGED:
            from docduck.documents.vision.barcodes import add_barcodes

            add_barcodes(
                document, options.barcodes, lambda page, width: reader.render(data, page, width, options)
            )
        return document


def page_count(data: bytes, name: str = "", options: ReadOptions = _DEFAULTS) -> int:
    """Return the number of pages, without reading text.

    Raise ``UnsupportedFile``, ``EncryptedFile`` or ``DamagedFile``.
    """
    kind, reader = _recognised(data, name)
    with _unexpected_is_damage(kind):
        return reader.page_count(data, options)


def draw(data: bytes, name: str, number: int, width: int, options: ReadOptions = _DEFAULTS) -> Image.Image:
    """Return an existing page as its format shows it, ``width`` pixels wide; raise as ``page_count`` does."""
    kind, reader = _recognised(data, name)
    with _unexpected_is_damage(kind):
        return reader.render(data, number, width, options)


def can_read(content_type: str) -> bool:
    """Return whether there is a reader for a content type."""
    return content_type in READERS or content_type in _added()


_NESTED = NestedReading(can_read, page_count, read, draw)

READERS: dict[str, Reader] = {
    types.PDF: PdfReader(),
    **dict.fromkeys(types.IMAGES, ImageReader()),
    types.PLAIN: TextReader(),
    **dict.fromkeys((types.CSV, types.TSV), DelimitedReader()),
    types.HTML: HtmlReader(),
    types.MARKDOWN: MarkdownReader(),
    types.RTF: RtfReader(),
    types.XML: XmlReader(),
    types.SIGNED: SignedReader(_NESTED),
    **dict.fromkeys(types.MAILS, MailReader(_NESTED)),
    types.ZIP: ZipReader(_NESTED),
    types.DOCX: DocxReader(),
    types.ODT: OdtReader(),
    types.PPTX: PptxReader(),
    types.XLSX: XlsxReader(),
    types.XLS: XlsReader(),
    types.ODS: OdsReader(),
}
"""docduck's own reader of each content type."""


@cache
def _added() -> dict[str, Reader]:
    """Return the readers of other packages by content type."""
    return {
        file_type.content_type: cast(AddedReader, reader)
        for reader in added_readers()
        for file_type in reader.file_types
    }


def _recognised(data: bytes, name: str) -> tuple[str, Reader]:
    kind = content_type(data, name)
    is_container = kind == types.PDF and is_portfolio(data)
    reader = READERS.get(types.ZIP if is_container else kind) or _added().get(kind)
    if reader is None:
        raise UnsupportedFile(kind, broken("readers"))
    return kind, reader


@contextmanager
def _unexpected_is_damage(kind: str) -> Iterator[None]:
    """Raise ``DamagedFile`` for an exception that is not docduck's own."""
    try:
        yield
    except (DocduckError, LongDocument, MemoryError):
        raise
    except Exception as error:
        raise DamagedFile(f"{kind}: {type(error).__name__}: {error}") from error


def _is_empty(document: Document) -> bool:
    """Return whether the document has no text, code, filled-in field or attached file."""
    filled = any(field.value for field in document.form)
    has_content = any(page.lines or page.barcodes for page in document.pages)
    return not (has_content or filled or document.attachments)
