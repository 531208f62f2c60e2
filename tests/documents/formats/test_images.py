"""Reading pictures and scans: real OCR, so the pictures are few and small."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader as PdfImage
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.document import Document
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import DamagedFile
from tests.documents.formats.files import LETTER, encoded, lines_page, pdf, picture

FAST = ReadOptions(ocr="fast")
NO_OCR = ReadOptions(ocr="none")


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def assert_letter(document: Document) -> None:
    """Return every line of the letter is there, in order, spaces aside."""
    assert [squeezed(line.text) for line in document.pages[0].lines] == [squeezed(line) for line in LETTER]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP", "WEBP", "GIF", "TIFF"])
def test_every_kind_of_picture_opens(kind: str) -> None:
    document = read(encoded(picture(size=(200, 100)), kind), options=NO_OCR)
    assert document.page_count == 1
    assert document.pages[0].width == pytest.approx(842)
    assert document.pages[0].height == pytest.approx(421)


@pytest.mark.slow
def test_a_picture_is_read() -> None:
    document = read(encoded(picture(), "PNG"), options=ReadOptions(ocr="full"))
    assert_letter(document)
    words = document.pages[0].words
    assert {word.source for word in words} == {"ocr"}
    assert all(0.5 <= word.score <= 1 for word in words)
    date = next(word for word in words if word.text == "14")
    assert date.box.left * 1000 == pytest.approx(80 + 30 * 6.6, abs=45)
    assert date.box.middle * 700 == pytest.approx(60 + 2 * 70 + 18, abs=12)


@pytest.mark.slow
@pytest.mark.parametrize("turned", [90, 180, pytest.param(270, marks=pytest.mark.extended)])
def test_a_picture_lying_on_its_side_is_turned(turned: int) -> None:
    image = picture().rotate(turned, expand=True)
    document = read(encoded(image, "PNG"), options=FAST)
    assert_letter(document)
    page = document.pages[0]
    assert page.turn % 360 == pytest.approx(turned, abs=0.5)
    assert page.width > page.height


@pytest.mark.slow
def test_skew_is_taken_out() -> None:
    image = picture().rotate(4, Image.Resampling.BICUBIC, fillcolor="white")
    document = read(encoded(image, "JPEG", quality=80), options=FAST)
    assert_letter(document)
    assert document.pages[0].turn == pytest.approx(4, abs=0.4)
    lefts = [line.box.left for line in document.pages[0].lines]
    assert max(lefts) - min(lefts) < 0.01


def test_uneven_light_and_perspective() -> None:
    image = picture()
    corners = (-60, -40, 20, 720, 960, 740, 1060, -20)
    image = image.transform(
        image.size, Image.Transform.QUAD, corners, Image.Resampling.BICUBIC, fillcolor="gray"
    )
    shade = np.linspace(0.45, 1.0, image.width)[None, :, None]
    image = Image.fromarray((np.asarray(image) * shade).astype(np.uint8))
    document = read(encoded(image, "JPEG", quality=70), options=FAST)
    assert [squeezed(line.text) for line in document.pages[0].lines] == [squeezed(line) for line in LETTER]


def test_exif_orientation() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    image = picture().rotate(90, expand=True)
    document = read(encoded(image, "JPEG", exif=exif, quality=90), options=FAST)
    assert_letter(document)
    assert document.pages[0].turn == 0.0


def test_a_tiff_of_many_pages() -> None:
    frames = [picture((f"Sheet number {n}",), (500, 160)) for n in (1, 2, 3)]
    data = encoded(frames[0], "TIFF", save_all=True, append_images=frames[1:], dpi=(100, 100))
    document = read(data, options=ReadOptions(ocr="fast", pages="2-"))
    assert document.page_count == 3
    assert [squeezed(page.text) for page in document.pages] == ["Sheetnumber2", "Sheetnumber3"]
    assert document.pages[0].width == pytest.approx(360)


@pytest.mark.slow
def test_a_scanned_pdf_page_is_read_where_a_text_page_is_not_touched() -> None:
    def scan(canvas: Canvas) -> None:
        canvas.drawImage(PdfImage(picture()), 0, 300, 595, 416)

    data = pdf(scan, lines_page())
    document = read(data, options=FAST)
    assert_letter(document)
    assert {word.source for word in document.pages[1].words} == {"text"}
    assert read(data, options=NO_OCR).pages[0].words == []


@pytest.mark.slow
def test_a_stamp_on_a_scan_does_not_hide_the_scan() -> None:
    def scan(canvas: Canvas) -> None:
        canvas.drawImage(PdfImage(picture()), 0, 300, 595, 416)
        canvas.drawString(72, 100, "EXHIBIT-7")

    document = read(pdf(scan), options=FAST)
    assert document.pages[0].lines[-1].text == "EXHIBIT-7"
    assert document.pages[0].words[-1].source == "text"
    assert squeezed(document.pages[0].lines[0].text) == squeezed(LETTER[0])
    assert document.text.count("EXHIBIT-7") == 1


def test_transparency_is_paper() -> None:
    image = picture(("Transparent paper",), (500, 160)).convert("RGBA")
    pixels = np.asarray(image).copy()
    pixels[..., 3] = 255 - pixels[..., 0]
    pixels[..., :3] = 0
    document = read(encoded(Image.fromarray(pixels), "PNG"), options=FAST)
    assert squeezed(document.text) == "Transparentpaper"


def test_sixteen_bits_a_pixel() -> None:
    pixels = np.asarray(picture(size=(300, 200)).convert("L")).astype(np.uint16) * 16
    document = read(encoded(Image.fromarray(pixels), "PNG"), options=NO_OCR)
    assert document.page_count == 1


def test_a_blank_picture_has_no_words() -> None:
    assert read(encoded(Image.new("RGB", (600, 400), "white"), "PNG")).pages[0].words == []


def test_too_many_pixels() -> None:
    with pytest.raises(DamagedFile) as error:
        read(encoded(picture(), "PNG"), options=ReadOptions(max_pixels=1000))
    assert "1000 × 700" in error.value.detail


def test_a_bomb_is_refused_by_its_header() -> None:
    header = io.BytesIO()
    Image.new("1", (8, 8)).save(header, "BMP")
    data = bytearray(header.getvalue())
    data[18:26] = (60_000).to_bytes(4, "little") * 2
    with pytest.raises(DamagedFile):
        read(bytes(data))


def test_a_cut_off_picture_is_damaged() -> None:
    data = encoded(picture(), "JPEG")
    with pytest.raises(DamagedFile):
        read(data[: len(data) // 2])
    with pytest.raises(DamagedFile):
        read(b"\x89PNG\r\n\x1a\n" + b"nonsense" * 10)


def test_importing_the_reader_loads_nothing_heavy() -> None:
    code = (
        "import sys, docduck.documents.reader, docduck.documents.render;"
        "print(sorted({'onnxruntime', 'cv2', 'rapidocr'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
