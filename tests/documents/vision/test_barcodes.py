"""Codes found on pictures and pages, with their places."""

from __future__ import annotations

import io

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.document import Box
from docduck.documents.geometry.boxes import overlap
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.documents.vision.barcodes import find_barcodes
from tests.documents.formats.files import encoded, pdf

EAN, QR = zxingcpp.BarcodeFormat.EAN13, zxingcpp.BarcodeFormat.QRCode


def code(text: str, kind: zxingcpp.BarcodeFormat = QR, scale: int = 4) -> Image.Image:
    return Image.fromarray(
        np.array(zxingcpp.write_barcode_to_image(zxingcpp.create_barcode(text, kind), scale))
    )


def sheet(*placed: tuple[Image.Image, int, int]) -> Image.Image:
    page = Image.new("RGB", (1240, 1754), "white")
    for image, left, top in placed:
        page.paste(image, (left, top))
    return page


@pytest.mark.parametrize(
    "kind", ["QRCode", "DataMatrix", "PDF417", "Aztec", "EAN13", "Code128", "Code39", "ITF"]
)
def test_each_symbology_is_read(kind: str) -> None:
    text = "5901234123457" if kind == "EAN13" else "12345678"
    (found,) = find_barcodes(sheet((code(text, getattr(zxingcpp.BarcodeFormat, kind)), 300, 400)))
    assert (found.kind, found.text) == (kind, text)


def test_a_picture_gives_all_codes_top_to_bottom_where_they_stand() -> None:
    qr, ean = code("hello"), code("5901234123457", EAN)
    data = encoded(sheet((qr, 200, 1200), (ean, 700, 100)), "PNG")
    (page,) = read(data, "", ReadOptions(ocr="none", barcodes="pictures")).pages
    assert [(c.kind, c.text) for c in page.barcodes] == [("EAN13", "5901234123457"), ("QRCode", "hello")]
    place = Box(200 / 1240, 1200 / 1754, qr.width / 1240, qr.height / 1754)
    assert overlap(page.barcodes[1].box, place) > 0.95
    assert read(data, "", ReadOptions(ocr="none")).pages[0].barcodes == ()


def test_pages_with_text_are_only_looked_at_when_asked() -> None:
    picture = ImageReader(io.BytesIO(encoded(code("on paper"), "PNG")))

    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Some text on the page")
        canvas.drawImage(picture, 300, 300, 80, 80)

    data = pdf(draw)
    assert list(read(data, "", ReadOptions(barcodes="pictures")).pages[0].barcodes) == []
    (found,) = read(data, "", ReadOptions(barcodes="all")).pages[0].barcodes
    assert found.text == "on paper"
    assert overlap(found.box, Box(300 / 595, (842 - 380) / 842, 80 / 595, 80 / 842)) > 0.95


def test_nothing_is_found_on_an_empty_page() -> None:
    assert find_barcodes(Image.new("L", (1, 1), 255)) == []
    assert find_barcodes(sheet()) == []
