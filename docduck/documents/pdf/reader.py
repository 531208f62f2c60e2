"""PDF to Document."""

from __future__ import annotations

import pypdfium2.raw as pdfium
from PIL import Image

from docduck.documents.lines import build_lines
from docduck.documents.model import Document, FormField, Page, Word
from docduck.documents.options import ReadOptions
from docduck.documents.pdf.attachments import attachments
from docduck.documents.pdf.drawing import page_drawing
from docduck.documents.pdf.forms import unseen, widgets
from docduck.documents.pdf.frame import Frame, page_frame
from docduck.documents.pdf.handles import Handle, open_document, open_forms, open_page
from docduck.documents.pdf.raster import raster
from docduck.documents.pdf.text import open_text
from docduck.documents.sniff import PDF
from docduck.errors import DamagedFile

OCR_DPI = 200
"""Dots an inch at which a page is drawn to be read."""

_SCANNED = 0.4
"""A page of which a picture covers this share may be a scan,"""
_SPARSE = 30
"""and is one when its text layer has fewer words than this: a stamp, a page number."""


class PdfReader:
    """Reads ``application/pdf``: the text layer where there is one, OCR where there is none."""

    content_types: tuple[str, ...] = (PDF,)

    def page_count(self, data: bytes) -> int:
        """The number of pages. Raises ``EncryptedFile`` or ``DamagedFile``."""
        with open_document(data) as document:
            return int(pdfium.FPDF_GetPageCount(document))

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """See ``docduck.documents.reader.Reader``. One damaged page of several becomes a warning."""
        with open_document(data, options.password) as document, open_forms(document) as form:
            count = int(pdfium.FPDF_GetPageCount(document))
            if count < 1:
                raise DamagedFile("the PDF has no pages")
            result = Document(content_type, [], count)
            fields: list[FormField] = []
            for number in options.page_numbers(count, result.warnings):
                try:
                    result.pages.append(_read_page(document, form, number, options, fields))
                except DamagedFile as error:
                    result.warnings.append(f"Page {number} could not be read: {error.detail}")
            if not result.pages:
                raise DamagedFile("; ".join(result.warnings))
            result.form = fields
            result.attachments.extend(attachments(document, result.warnings))
            return result

    def render(self, data: bytes, number: int, width: int) -> Image.Image:
        """Page ``number`` as a picture ``width`` pixels wide."""
        with open_document(data) as document, open_forms(document), open_page(document, number - 1) as page:
            return raster(page, width / page_frame(page).width, 100_000_000)


def _read_page(
    document: Handle, form: Handle | None, number: int, options: ReadOptions, fields: list[FormField]
) -> Page:
    """Page ``number``; its form fields are added to ``fields``."""
    found = widgets(document, form, number - 1) if form else []
    with open_page(document, number - 1) as page:
        with open_text(page) as layer:
            quarters = layer.quarters(pdfium.FPDFPage_GetRotation(page))
            frame = page_frame(page, quarters)
            drawing = page_drawing(page, frame)
            words = layer.words(frame) if layer.readable() else []
        own = [widget.placed(number, frame) for widget in found]
        fields += own
        words += unseen(own, words)
        wanted = not words or (drawing.pictures >= _SCANNED and len(words) < _SPARSE)
        if wanted and options.ocr != "none" and (drawing.objects or layer.text):
            return _ocr_page(page, number, frame, words, quarters, options)
        lines = build_lines(words, frame.width, frame.height, drawing.rules)
        turn = 90.0 * (quarters - 4 if quarters > 2 else quarters)
        return Page(number, frame.width, frame.height, lines, drawing.rules, turn)


def _ocr_page(
    page: Handle, number: int, frame: Frame, words: list[Word], quarters: int, options: ReadOptions
) -> Page:
    """``page`` by OCR; ``words`` of its text layer (a stamp on a scan) replace what OCR reads there."""
    from docduck.documents.ocr.page import read_picture

    image = raster(page, OCR_DPI / 72, options.max_pixels, quarters)
    return read_picture(image, number, frame.width, frame.height, options, words, quarters)
