"""A PDF's text layer is used, replaced by OCR, or completed by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader as PdfImage
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.document import Document
from docduck.documents.formats.pdf.text_layer_quality import is_implausible
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from tests.documents.formats.files import LETTER, lines_page, pdf, picture

FAST = ReadOptions(ocr="fast")
NO_OCR = ReadOptions(ocr="none")
LONGER = (*LETTER, *(f"{line} and once more" for line in LETTER))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def sources(document: Document) -> set[str]:
    return {word.source for page in document.pages for word in page.words}


def scan(lines: Sequence[str], hidden: Sequence[str], mode: int = 3) -> Callable[[Canvas], None]:
    """A page that is a picture of ``lines``, with ``hidden`` as its invisible text at the same places."""
    image = Image.new("RGB", (1240, 1754), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(30)
    for row, line in enumerate(lines):
        pen.text((150, 100 + 60 * row), line, fill="black", font=font)
    points = 595 / 1240

    def draw(canvas: Canvas) -> None:
        for row, (line, said) in enumerate(zip(lines, hidden, strict=True)):
            text = canvas.beginText(150 * points, 842 - (100 + 60 * row + 29) * points)
            text.setTextRenderMode(mode)
            wide = pen.textlength(line, font) * points
            text.setFont("Helvetica", 14)
            text.setHorizScale(100 * wide / canvas.stringWidth(said, "Helvetica", 14))
            text.textOut(said)
            canvas.drawText(text)
        canvas.drawImage(PdfImage(image), 0, 0, 595, 842)

    return draw


def unmapped(lines: Sequence[str], shift: int | None) -> bytes:
    """Return a page set in an embedded font whose map to Unicode is missing, or ``shift`` codes off."""
    font = TTFont("Unmapped", "Vera.ttf", asciiReadable=False)
    font.face.name = b"Unmapped"  # else a font of this face that is registered already is used instead
    pdfmetrics.registerFont(font)

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Unmapped", 14)
        for row, line in enumerate(lines):
            canvas.drawString(72, 760 - 30 * row, line)

    data = pdf(draw, pageCompression=0)
    if shift is None:
        return data.replace(b"/ToUnicode", b"/NoUnicode")

    def moved(match: re.Match[bytes]) -> bytes:
        return b"<%s>\n" % re.sub(
            rb"[0-9A-F]{4}", lambda code: b"%04X" % max(32, int(code[0], 16) + shift), match[1]
        )

    return re.sub(rb"<([0-9A-F]{4,})>\n", moved, data)


def test_hidden_text_that_agrees_with_its_picture_is_kept() -> None:
    document = read(pdf(scan(LONGER, LONGER)), options=FAST)
    assert sources(document) == {"text"}
    assert [line.text for line in document.pages[0].lines] == list(LONGER)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0, 3])
def test_hidden_text_that_differs_from_its_picture_is_read_again(mode: int) -> None:
    """Return a page with invisible text, and text covered by the picture."""
    wrong = [line.translate(str.maketrans("aeinort14", "oclmrnf7l")) for line in LONGER]
    document = read(pdf(scan(LONGER, wrong, mode)), options=FAST)
    assert sources(document) == {"ocr"}
    assert squeezed(LETTER[6]) in squeezed(document.text)
    assert read(pdf(scan(LONGER, wrong, mode)), options=NO_OCR).pages[0].lines[0].text == wrong[0]


@pytest.mark.slow
def test_a_font_without_a_map_to_unicode_is_read_by_ocr() -> None:
    document = read(unmapped(LETTER, None), options=FAST)
    assert sources(document) == {"ocr"}
    assert [squeezed(line.text) for line in document.pages[0].lines] == [squeezed(line) for line in LETTER]


@pytest.mark.slow
def test_a_font_with_a_wrong_map_is_read_by_ocr() -> None:
    document = read(unmapped(LETTER, -29), options=FAST)
    assert sources(document) == {"ocr"}
    assert squeezed(document.pages[0].lines[5].text) == squeezed(LETTER[5])


def test_a_right_map_is_believed() -> None:
    document = read(unmapped(LETTER, 0), options=FAST)
    assert sources(document) == {"text"}
    assert [line.text for line in document.pages[0].lines] == list(LETTER)


@pytest.mark.parametrize(
    "text",
    [
        "Der Rechnungsbetrag ist innerhalb von vierzehn Tagen ohne Abzug auf unser Konto zu zahlen; "
        "Lieferschein 4711, Auftrag 0815/2024, USt-IdNr. DE123456789, GmbH & Co. KG",
        "Wystawiono dnia 14.03.2024 w Szczecinie, sprzedawca: Przedsiębiorstwo Handlowe Brzęczyszczykiewicz, "
        "nabywca zobowiązany jest zapłacić w terminie 14 dni od daty wystawienia",
        "Итого к оплате: одна тысяча четыреста шестнадцать рублей ноль копеек, срок оплаты тридцать дней, "
        "поставщик: общество с ограниченной ответственностью",
        "1 2,00 3.400,00 19 % 17.11.2024 " * 20,
        "...... ______ ------ " * 20,
        "Nr. XK-100 WFXG KTVB KRQE HDMI LCD SMD QFP BGA DSL " * 2
        + "with the usual text about the terms of it",
    ],
)
def test_real_text_is_probable(text: str) -> None:
    assert not is_implausible(text)


def test_shifted_text_is_improbable() -> None:
    text = " ".join(LONGER)
    assert is_implausible("".join(c if c == " " else chr(max(33, ord(c) - 29)) for c in text))
    assert is_implausible("".join(c if c == " " else chr(ord(c) + 3) for c in text.lower()))


def test_a_text_in_a_picture_on_a_page_of_text_is_read_too() -> None:
    stamp = picture(("PAID ON 12 MAY 2024", "Reference 778-123"), (800, 300))

    def draw(canvas: Canvas) -> None:
        lines_page(LONGER[:12])(canvas)
        canvas.drawImage(PdfImage(stamp), 72, 60, 440, 165)

    document = read(pdf(draw), options=FAST)
    assert sources(document) == {"text", "ocr"}
    assert document.pages[0].lines[0].text == LETTER[0]
    (line,) = [line for line in document.pages[0].lines if "778-123" in line.text]
    assert line.box.left == pytest.approx((72 + 80 * 0.55) / 595, abs=0.02)
    assert line.box.middle == pytest.approx((842 - 225 + (130 + 18) * 0.55) / 842, abs=0.02)


def test_a_photograph_on_a_page_of_text_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise AssertionError("a photograph went to OCR")

    monkeypatch.setattr("docduck.documents.vision.ocr_page.ocr_page", fail)
    photograph = Image.radial_gradient("L").resize((800, 300)).convert("RGB")

    def draw(canvas: Canvas) -> None:
        lines_page(LONGER[:12])(canvas)
        canvas.drawImage(PdfImage(photograph), 72, 60, 440, 165)

    assert sources(read(pdf(draw), options=FAST)) == {"text"}


@pytest.mark.slow
def test_letters_drawn_as_shapes_are_read_by_ocr() -> None:
    """Return text turned to outlines, with a page number that is text."""

    def draw(canvas: Canvas) -> None:
        canvas.drawString(300, 30, "Page 1")
        for row, line in enumerate(LETTER):
            for glyph, x, y in outlines(line, 72, 760 - 30 * row):
                path = canvas.beginPath()
                for points in glyph:
                    for at, (u, v) in enumerate(points):
                        (path.lineTo if at else path.moveTo)(x + u, y + v)
                    path.close()
                canvas.drawPath(path, stroke=0, fill=1)

    document = read(pdf(draw), options=FAST)
    texts = [squeezed(line.text) for line in document.pages[0].lines]
    assert squeezed(LETTER[6]) in texts
    assert texts[-1] == "Page1"
    assert document.pages[0].lines[-1].words[0].source == "text"


Outline = tuple[list[list[tuple[float, float]]], float, float]


def outlines(line: str, left: float, bottom: float) -> list[Outline]:
    """Return the letters of ``line`` as polygons of the pixels' rows that make them up."""
    found: list[Outline] = []
    font = ImageFont.load_default(28)
    for letter in line:
        wide = font.getlength(letter)
        image = Image.new("1", (int(wide) + 1, 40))
        ImageDraw.Draw(image).text((0, 0), letter, fill=1, font=font)
        boxes = []
        for y in range(image.height):
            x = 0
            while x < image.width:
                start = x
                while x < image.width and image.getpixel((x, y)):
                    x += 1
                if x > start:
                    u0, u1, v0, v1 = start / 2, x / 2, (40 - y) / 2, (39 - y) / 2
                    boxes.append([(u0, v0), (u1, v0), (u1, v1), (u0, v1)])
                x += 1
        if boxes:
            found.append((boxes, left, bottom))
        left += wide / 2
    return found


def test_bullets_of_symbol_fonts_become_signs() -> None:
    from docduck.documents.formats.pdf.text import _with_symbols

    assert _with_symbols("\uf0b7 one \uf0fe two") == "• one ☑ two"
    assert (
        _with_symbols(" ".join("".join(chr(0xF000 + ord(c)) for c in word) for word in LETTER[1].split()))
        == LETTER[1]
    )
