"""PDF to Document."""

from __future__ import annotations

import pypdfium2.raw as pdfium
from PIL import Image

from docduck.documents.document import Document, FormField, Page
from docduck.documents.formats.page_reading import read_pages
from docduck.documents.formats.pdf.embedded import embedded_files
from docduck.documents.formats.pdf.frame import page_frame
from docduck.documents.formats.pdf.handles import Handle, open_document, open_forms, open_page
from docduck.documents.formats.pdf.page import PageReader
from docduck.documents.formats.pdf.raster import rasterize
from docduck.documents.formats.pdf.xfa import dynamic_form
from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile


class PdfReader:
    """Reads ``application/pdf``: the text layer where there is one, OCR where there is none."""

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of pages."""
        with open_document(data, options.password) as document:
            if (form := dynamic_form(document)) is not None:
                return form.page_count(data, options)
            return int(pdfium.FPDF_GetPageCount(document))

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the selected pages; one damaged page of several becomes a warning."""
        warnings: list[str] = []
        with open_document(data, options.password, warnings) as document, open_forms(document) as form:
            if (dynamic := dynamic_form(document)) is not None:
                return dynamic.read(data, content_type, options)
            count = int(pdfium.FPDF_GetPageCount(document))
            if count < 1:
                raise DamagedFile("the PDF has no pages")
            result = Document(content_type, [], count, warnings=warnings)
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
        with open_document(data, options.password) as document:
            if (form := dynamic_form(document)) is not None:
                return form.render(data, number, width, options)
            return _drawn(document, number, width)


def _drawn(document: Handle, number: int, width: int) -> Image.Image:
    with open_forms(document), open_page(document, number - 1) as page:
        return rasterize(page, width / page_frame(page).width, 100_000_000)
