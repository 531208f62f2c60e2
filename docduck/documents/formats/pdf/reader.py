"""PDF to Document."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pypdfium2.raw as pdfium
from PIL import Image

from docduck.documents.detection.sniff import content_type
from docduck.documents.document import Attachment, Document, FormField, Page
from docduck.documents.formats.page_reading import read_pages
from docduck.documents.formats.pdf.frame import page_frame
from docduck.documents.formats.pdf.handles import Handle, open_document, open_forms, open_page, utf16
from docduck.documents.formats.pdf.page import PageReader
from docduck.documents.formats.pdf.raster import rasterize
from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile

MAX_ATTACHMENTS = 100
MAX_ATTACHED_BYTES = 50_000_000
"""All attachments together; what goes past it is left out."""


class PdfReader:
    """Reads ``application/pdf``: the text layer where there is one, OCR where there is none."""

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of pages."""
        with open_document(data, options.password) as document:
            return int(pdfium.FPDF_GetPageCount(document))

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the selected pages; one damaged page of several becomes a warning."""
        with open_document(data, options.password) as document, open_forms(document) as form:
            count = int(pdfium.FPDF_GetPageCount(document))
            if count < 1:
                raise DamagedFile("the PDF has no pages")
            result = Document(content_type, [], count)
            fields: list[FormField] = []
            pages = PageReader(document, form, options, result.warnings)

            def read(number: int) -> Page | None:
                try:
                    return pages.read(number, fields)
                except DamagedFile as error:
                    result.warnings.append(f"Page {number} could not be read: {error.detail}")
                    return None

            numbers = options.page_numbers(count)
            result.pages += read_pages(numbers, read, options.max_words, result.warnings)
            result.form = fields
            result.attachments.extend(embedded_files(document, result.warnings))
            return result

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return a page with its annotations and form fields."""
        with (
            open_document(data, options.password) as document,
            open_forms(document),
            open_page(document, number - 1) as page,
        ):
            return rasterize(page, width / page_frame(page).width, 100_000_000)


def embedded_files(document: Handle, warnings: list[str]) -> Iterator[Attachment]:
    """Yield the embedded files of ``document``; add to ``warnings`` for what is left out."""
    count = pdfium.FPDFDoc_GetAttachmentCount(document)
    left = MAX_ATTACHED_BYTES
    for index in range(min(count, MAX_ATTACHMENTS)):
        handle = pdfium.FPDFDoc_GetAttachment(document, index)
        if not handle:
            continue
        size = ctypes.c_ulong()
        if not pdfium.FPDFAttachment_GetFile(handle, None, 0, ctypes.byref(size)) or not size.value:
            continue
        name = utf16(pdfium.FPDFAttachment_GetName, handle)
        if size.value > left:
            warnings.append(f"The embedded file {name!r} was left out: it has {size.value} bytes")
            continue
        buffer = (ctypes.c_char * size.value)()
        if pdfium.FPDFAttachment_GetFile(handle, buffer, size.value, ctypes.byref(size)):
            left -= size.value
            yield Attachment(name, content_type(buffer.raw, name), buffer.raw)
