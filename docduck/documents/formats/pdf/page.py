"""Words of a PDF's page: from a reliable text layer, else by OCR, or from both."""

from __future__ import annotations

from dataclasses import dataclass

import pypdfium2.raw as pdfium
from PIL import Image

from docduck.documents.document import Box, FormField, Page, Word
from docduck.documents.formats.pdf.drawing import MAX_TEXTS, WHOLE, Drawing, page_drawing, too_many_texts
from docduck.documents.formats.pdf.drawn_marks import with_marks
from docduck.documents.formats.pdf.forms import MAX_FIELDS, MAX_WIDGETS, Widget, missing_words, read_widgets
from docduck.documents.formats.pdf.frame import Frame, page_frame
from docduck.documents.formats.pdf.handles import Handle, open_page
from docduck.documents.formats.pdf.lost_letters import MOST_WORDS, has_lost_letters, with_lost_letters
from docduck.documents.formats.pdf.raster import rasterize
from docduck.documents.formats.pdf.text import MAX_CHARACTERS, open_text
from docduck.documents.formats.pdf.text_layer_quality import matches_picture
from docduck.documents.geometry.lines import build_lines
from docduck.documents.read_options import ReadOptions

OCR_DPI = 200
"""Dots an inch at which a page is drawn to be read."""

_SCANNED = 0.4
"""A page is a scan if a picture covers this share of it"""
_SPARSE = 30
"""and its text layer has fewer words than this, as with a stamp or a page number."""
_OUTLINES = 200
"""Shapes of the size of letters from which a page has text converted to outlines."""

_REGION = 0.08
"""A picture on a page of text is read if it covers this share of the page and has no text on it."""
_MAX_REGIONS = 4

MAX_OBJECTS = 1_000_000
"""Drawn objects of one file that are searched for ruled lines and pictures; then only few of each page."""
_FEWEST_OBJECTS = 500

_ENOUGH_MATCHES, _RECHECK = 4, 10
"""Hidden layers of a file that must match their pages, after which only every ``_RECHECK``-th is compared."""


@dataclass(slots=True)
class _PageContent:
    """The content of a page; ``garbled`` and ``hidden`` are about its text layer."""

    frame: Frame
    quarters: int
    drawing: Drawing
    words: list[Word]
    garbled: bool
    hidden: bool

    @property
    def turn(self) -> float:
        return 90.0 * (self.quarters - 4 if self.quarters > 2 else self.quarters)


class PageReader:
    """Reads the pages of one open PDF.

    Once several hidden text layers have matched their pages, fewer are compared.
    """

    def __init__(
        self, document: Handle, form: Handle | None, options: ReadOptions, warnings: list[str]
    ) -> None:
        self._document = document
        self._form = form
        self._options = options
        self._warnings = warnings
        self._matches = 0
        self._objects = MAX_OBJECTS
        self._fields = MAX_FIELDS

    def read(self, number: int, fields: list[FormField]) -> Page:
        """Return page ``number`` and add its form fields to ``fields``; raise ``DamagedFile``."""
        found_widgets = self._widgets(number)
        with open_page(self._document, number - 1) as page:
            content = self._examine(page, number)
            own = [widget.placed(number, content.frame) for widget in found_widgets]
            fields += own
            if self._options.ocr == "none":
                self._warn_of_lost_letters(number, content)
                return _layer_page(number, content, content.words + missing_words(own, content.words))
            if content.garbled or (content.hidden and not self._is_reliable(page, number, content)):
                return self._replaced_by_ocr(page, number, content, missing_words(own, []))
            content.words += missing_words(own, content.words)
            lost = sum(map(has_lost_letters, content.words))
            if lost > MOST_WORDS:
                return self._replaced_by_ocr(page, number, content, missing_words(own, []))
            if lost:
                self._restore_letters(page, number, content)
            if _lacks_text(content):
                return self._ocr(page, number, content, content.words)
            if regions := _unread_pictures(content):
                content.words += self._ocr_regions(page, content, regions)
            return _layer_page(number, content, content.words)

    def _widgets(self, number: int) -> list[Widget]:
        if self._form is None or self._fields <= 0:
            return []
        widgets = read_widgets(self._document, self._form, number - 1, min(MAX_WIDGETS, self._fields))
        self._fields -= len(widgets)
        if self._fields <= 0:
            self._warnings.append(f"Only the first {MAX_FIELDS} form fields were read, up to page {number}")
        elif len(widgets) == MAX_WIDGETS:
            self._warnings.append(f"Only the first {MAX_WIDGETS} form fields of page {number} were read")
        return widgets

    def _examine(self, page: Handle, number: int) -> _PageContent:
        frame = page_frame(page)
        drawing = page_drawing(page, frame, self._objects)
        if not drawing.whole and too_many_texts(page):
            self._warnings.append(
                f"The text of page {number} was not read: it is in more than {MAX_TEXTS} pieces"
            )
            return _PageContent(frame, 0, drawing, [], True, False)
        with open_text(page) as layer:
            quarters = layer.quarters(pdfium.FPDFPage_GetRotation(page))
            if quarters:
                frame = page_frame(page, quarters)
                drawing = page_drawing(page, frame, self._objects)
            words = with_marks(layer.words(frame), drawing.boxes, drawing.shapes, frame)
            garbled = bool(words) and layer.garbled()
            if layer.cut:
                self._warnings.append(
                    f"Only the first {MAX_CHARACTERS} characters of page {number} were read"
                )
        self._objects = max(self._objects - drawing.objects, _FEWEST_OBJECTS)
        hidden = bool(words) and drawing.pictures >= WHOLE and 2 * drawing.hidden > drawing.texts
        return _PageContent(frame, quarters, drawing, words, garbled, hidden)

    def _is_reliable(self, page: Handle, number: int, content: _PageContent) -> bool:
        """Return whether the hidden layer of a scan matches its picture."""
        if self._matches >= _ENOUGH_MATCHES and number % _RECHECK:
            return True
        lines = build_lines(content.words, content.frame.width, content.frame.height)
        matches = matches_picture(self._draw(page, content), lines, self._options)
        self._matches = self._matches + 1 if matches else 0
        return matches

    def _replaced_by_ocr(self, page: Handle, number: int, content: _PageContent, known: list[Word]) -> Page:
        """Return by OCR, unless that reads next to nothing where a layer is only hidden."""
        result = self._ocr(page, number, content, known)
        if not content.garbled and 3 * len(result.words) < len(content.words):
            return _layer_page(number, content, content.words)
        return result

    def _restore_letters(self, page: Handle, number: int, content: _PageContent) -> None:
        image = self._draw(page, content)
        content.words = with_lost_letters(image, content.words, self._options.ocr_threads)
        self._warn_of_lost_letters(number, content)

    def _warn_of_lost_letters(self, number: int, content: _PageContent) -> None:
        if any(map(has_lost_letters, content.words)):
            self._warnings.append(f"Letters of page {number} have no meaning in its fonts; they are missing")

    def _ocr(self, page: Handle, number: int, content: _PageContent, known: list[Word]) -> Page:
        """Return ``page`` read by OCR; ``known`` words (a stamp on a scan) replace what OCR reads there."""
        from docduck.documents.vision.ocr_page import read_picture

        frame = content.frame
        image = self._draw(page, content)
        return read_picture(image, number, frame.width, frame.height, self._options, known, content.quarters)

    def _ocr_regions(self, page: Handle, content: _PageContent, regions: list[Box]) -> list[Word]:
        from docduck.documents.vision.ocr_page import read_region

        image = self._draw(page, content)
        return [word for region in regions for word in read_region(image, region, self._options)]

    def _draw(self, page: Handle, content: _PageContent) -> Image.Image:
        return rasterize(page, OCR_DPI / 72, self._options.max_pixels, content.quarters)


def _lacks_text(content: _PageContent) -> bool:
    """Return whether the page shows what its text layer does not have."""
    if not content.words:
        return content.drawing.objects > 0
    sparse = len(content.words) < _SPARSE
    return sparse and (content.drawing.pictures >= _SCANNED or content.drawing.outlines >= _OUTLINES)


def _unread_pictures(content: _PageContent) -> list[Box]:
    """Return the large pictures on the page without text over them."""
    regions: list[Box] = []
    for box in content.drawing.images:
        if not _REGION <= box.width * box.height < WHOLE:
            continue
        written = sum(box.holds_middle_of(word.box) for word in content.words)
        if written < 3 and box not in regions:
            regions.append(box)
    return regions[:_MAX_REGIONS]


def _layer_page(number: int, content: _PageContent, words: list[Word]) -> Page:
    frame = content.frame
    lines = build_lines(words, frame.width, frame.height, content.drawing.rules)
    return Page(number, frame.width, frame.height, lines, content.drawing.rules, content.turn)
