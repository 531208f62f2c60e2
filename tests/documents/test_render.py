from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.page_markdown import markdown
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import page_count, read
from docduck.documents.render import render_page
from docduck.errors import DamagedFile, EncryptedFile, InputError, UnsupportedFile
from tests.documents.formats.files import LETTER, encoded, lines_page, pdf, picture


def dark_share(image: Image.Image, box: tuple[float, float, float, float]) -> float:
    left, top, right, bottom = box
    w, h = image.size
    part = image.convert("L").crop((round(left * w), round(top * h), round(right * w), round(bottom * h)))
    return float((np.asarray(part) < 128).mean())


@pytest.mark.parametrize("make", ["pdf", "png", "txt"])
def test_ink_is_where_the_words_are(make: str) -> None:
    data = {"pdf": pdf(lines_page()), "png": encoded(picture(), "PNG"), "txt": "\n".join(LETTER).encode()}[
        make
    ]
    image = render_page(data, 1, width=900)
    assert image.width == 900
    assert image.mode == "RGB"
    if make == "png":
        assert dark_share(image, (0, 0, 1, 1)) > 0.005
        return
    page = read(data, options=ReadOptions(ocr="none")).pages[0]
    assert image.height == round(900 * page.height / page.width)
    for word in page.words:
        box = word.box
        assert dark_share(image, (box.left, box.top, box.right, box.bottom)) > 0.02
    assert dark_share(image, (0, 0.6, 1, 1)) == 0.0


def test_a_turned_page_is_drawn_as_its_boxes_mean_it() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 400)
        canvas.rotate(90)
        lines_page(LETTER, -200, 100)(canvas)

    data = pdf(draw)
    page = read(data, options=ReadOptions(ocr="none")).pages[0]
    image = render_page(data, 1, width=900, turn=page.turn)
    assert image.size == (900, round(900 * page.height / page.width))
    for word in page.words:
        assert dark_share(image, (word.box.left, word.box.top, word.box.right, word.box.bottom)) > 0.02


def test_page_counts() -> None:
    assert page_count(pdf(lines_page(), lines_page())) == 2
    assert page_count(b"a\x0cb") == 2
    frames = [picture(size=(50, 50))] * 3
    tiff = encoded(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    assert page_count(tiff) == 3
    with pytest.raises(UnsupportedFile):
        page_count(b"\x00\x01")
    with pytest.raises(DamagedFile):
        page_count(b"%PDF-nonsense")


def test_counting_an_encrypted_file() -> None:
    with pytest.raises(EncryptedFile):
        page_count(pdf(lines_page(), encrypt="secret"))


def test_a_page_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no page 2"):
        render_page(pdf(lines_page()), 2)
    with pytest.raises(InputError, match="width"):
        render_page(pdf(lines_page()), 1, width=0)


def test_markdown() -> None:
    def draw(canvas: Canvas) -> None:
        lines_page(("Heading", "", "Widget"))(canvas)
        canvas.drawString(400, 720, "12.00")

    document = read(pdf(draw, lines_page(("Second page",))), options=ReadOptions(ocr="none"))
    assert markdown(document) == "Heading\n\nWidget  12.00\n\n---\n\nSecond page\n"


def test_pages_under_a_password_are_drawn_and_searched_for_codes_with_it() -> None:
    data = pdf(lines_page(), encrypt="secret")
    assert page_count(data, options=ReadOptions(password="secret")) == 1
    assert render_page(data, 1, width=300, password="secret").width == 300
    with pytest.raises(EncryptedFile):
        render_page(data, 1, password="wrong")
    options = ReadOptions(ocr="none", password="secret", barcodes="all")
    assert read(data, options=options).pages[0].lines[0].text == LETTER[0]
