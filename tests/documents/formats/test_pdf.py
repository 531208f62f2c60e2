from __future__ import annotations

import io
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.document import Document
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import DamagedFile, EmptyFile, EncryptedFile, NoPagesMatch, UnsupportedFile
from tests.documents.formats.files import LETTER, lines_page, pdf

NO_OCR = ReadOptions(ocr="none")


def lines(document: Document, page: int = 0) -> list[str]:
    return [line.text for line in document.pages[page].lines]


def edited(data: bytes, rotation: int = 0, crop: tuple[float, float, float, float] | None = None) -> bytes:
    document = pdfium.PdfDocument(data)
    page = document[0]
    page.set_rotation(rotation)
    if crop:
        page.set_cropbox(*crop)
    buffer = io.BytesIO()
    document.save(buffer)
    document.close()
    return buffer.getvalue()


def test_lines_and_boxes() -> None:
    document = read(pdf(lines_page()), options=NO_OCR)
    assert document.content_type == "application/pdf"
    assert lines(document) == list(LETTER)
    page = document.pages[0]
    assert (page.number, page.width, page.height, page.turn) == (1, 595.0, 842.0, 0.0)
    first = page.words[0]
    assert first.text == "INVOICE"
    assert first.source == "text"
    assert first.box.left * 595 == pytest.approx(72, abs=1)
    assert first.box.bottom * 842 == pytest.approx(842 - 760, abs=4)
    assert 8 < first.box.height * 842 < 18


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_page_rotation_entry(rotation: int) -> None:
    """Return a page with vertical text that /Rotate brings upright, as scanners and landscape pages do."""

    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 400)
        canvas.rotate(rotation)
        canvas.drawString(-100, 20, "upper line here")
        canvas.drawString(-100, 0, "lower line there")

    document = read(edited(pdf(draw), rotation), options=NO_OCR)
    page = document.pages[0]
    assert lines(document) == ["upper line here", "lower line there"]
    assert page.turn == 0.0
    assert (page.width, page.height) == ((842, 595) if rotation % 180 else (595, 842))
    box = page.words[0].box
    assert box.width * page.width > box.height * page.height


@pytest.mark.parametrize(("angle", "turn"), [(90, 90.0), (180, 180.0), (270, -90.0)])
def test_text_on_its_side_turns_the_page(angle: int, turn: float) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 400)
        canvas.rotate(angle)
        canvas.drawString(-100, 20, "upper line here")
        canvas.drawString(-100, 0, "lower line there")

    document = read(pdf(draw), options=NO_OCR)
    assert lines(document) == ["upper line here", "lower line there"]
    assert document.pages[0].turn == turn


def test_a_vertical_note_does_not_turn_the_page() -> None:
    def draw(canvas: Canvas) -> None:
        lines_page()(canvas)
        canvas.translate(30, 300)
        canvas.rotate(90)
        canvas.drawString(0, 0, "margin")

    document = read(pdf(draw), options=NO_OCR)
    assert document.pages[0].turn == 0.0
    assert "margin" in lines(document)
    assert lines(document)[0] == LETTER[0]


def test_crop_box_is_the_page() -> None:
    document = read(edited(pdf(lines_page()), crop=(50, 700, 400, 800)), options=NO_OCR)
    page = document.pages[0]
    assert (page.width, page.height) == (350, 100)
    assert page.words[0].box.left * 350 == pytest.approx(22, abs=1)
    assert LETTER[-1] not in lines(document)


def test_imitated_bold_is_read_once() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Total due")
        canvas.drawString(72.4, 700, "Total due")
        canvas.drawString(72, 600, "Total due")

    assert lines(read(pdf(draw), options=NO_OCR)) == ["Total due", "Total due"]


def test_a_hyphen_at_the_line_end_stays_and_parts_the_words() -> None:
    document = read(pdf(lines_page(("a long consult-", "ancy agreement"))), options=NO_OCR)
    assert lines(document) == ["a long consult-", "ancy agreement"]


def test_columns_without_spaces_between_them() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Widget")
        canvas.drawRightString(500, 700, "12.00")

    assert lines(read(pdf(draw), options=NO_OCR)) == ["Widget", "12.00"]


def test_ruled_lines() -> None:
    def draw(canvas: Canvas) -> None:
        lines_page()(canvas)
        canvas.line(100, 421, 500, 421)
        canvas.rect(200, 100, 200, 100, stroke=1, fill=0)
        canvas.rect(100, 300, 300, 1, stroke=0, fill=1)
        canvas.line(10, 10, 300, 300)

    rules = read(pdf(draw), options=NO_OCR).pages[0].rules
    lying = [rule for rule in rules if rule.horizontal]
    standing = [rule for rule in rules if not rule.horizontal]
    assert len(lying) == 4
    assert [round(rule.x0 * 595) for rule in standing] == [200, 400]
    assert lying[0].y0 == pytest.approx(0.5, abs=0.002)
    assert (lying[0].x0 * 595, lying[0].x1 * 595) == pytest.approx((100, 500), abs=1.5)


def test_pieces_of_a_rule_are_joined() -> None:
    def draw(canvas: Canvas) -> None:
        for start in range(100, 500, 50):
            canvas.line(start, 400, start + 50, 400)

    assert len(read(pdf(draw), options=NO_OCR).pages[0].rules) == 1


def test_drawn_check_boxes_and_radio_buttons_are_words() -> None:
    def draw(canvas: Canvas) -> None:
        for x, text in ((100, "cash"), (200, "card"), (300, "cheque"), (400, "other")):
            canvas.drawString(x + 14, 700, text)
        canvas.rect(100, 699, 10, 10)
        canvas.rect(200, 699, 10, 10)
        canvas.line(200, 699, 210, 709)
        canvas.line(200, 709, 210, 699)
        canvas.circle(305, 704, 5)
        canvas.circle(305, 704, 2.5, stroke=0, fill=1)
        canvas.rect(400, 699, 10, 10)
        canvas.drawString(402, 701, "x")

    document = read(pdf(draw), options=NO_OCR)
    assert lines(document) == ["☐ cash", "☒ card", "☒ cheque", "☒ other"]
    assert document.pages[0].rules == []


def test_cells_for_letters_are_no_check_boxes() -> None:
    def draw(canvas: Canvas) -> None:
        for place, digit in enumerate("4711"):
            canvas.rect(100 + 14 * place, 699, 14, 14)
            canvas.drawString(104 + 14 * place, 702, digit)

    assert "☐" not in read(pdf(draw), options=NO_OCR).text


def test_form_field_values_are_words() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Name:")
        canvas.acroForm.textfield(name="who", value="Erika Mustermann", x=120, y=690, width=200, height=24)

    document = read(pdf(draw), options=NO_OCR)
    assert "Erika Mustermann" in document.text


def test_embedded_files() -> None:
    source = pdfium.PdfDocument(pdf(lines_page()))
    source.new_attachment("factur-x.xml").set_data(b"<?xml version='1.0'?><a/>")
    buffer = io.BytesIO()
    source.save(buffer)
    source.close()
    (attachment,) = read(buffer.getvalue(), options=NO_OCR).attachments
    assert attachment.name == "factur-x.xml"
    assert attachment.data == b"<?xml version='1.0'?><a/>"


def test_pages_are_chosen_and_keep_their_numbers() -> None:
    data = pdf(*(lines_page((f"page {n}",)) for n in range(1, 6)))
    document = read(data, options=ReadOptions(ocr="none", pages="2,last"))
    assert document.page_count == 5
    assert [(page.number, page.text) for page in document.pages] == [(2, "page 2"), (5, "page 5")]
    with pytest.raises(NoPagesMatch):
        read(data, options=ReadOptions(pages="9-"))


def test_encrypted() -> None:
    data = pdf(lines_page(), encrypt=StandardEncryption("secret", canPrint=0))
    with pytest.raises(EncryptedFile):
        read(data)
    with pytest.raises(EncryptedFile):
        read(data, options=ReadOptions(password="wrong"))
    assert lines(read(data, options=ReadOptions(ocr="none", password="secret"))) == list(LETTER)


def test_restricted_but_open_without_a_password() -> None:
    data = pdf(lines_page(), encrypt=StandardEncryption("", ownerPassword="owner", canPrint=0))
    assert lines(read(data, options=NO_OCR)) == list(LETTER)


def test_damaged() -> None:
    with pytest.raises(DamagedFile):
        read(b"%PDF-1.7\n" + b"nonsense " * 50)
    with pytest.raises(DamagedFile):
        read(pdf(lines_page())[:300])


def test_a_lost_end_is_repaired() -> None:
    data = pdf(lines_page(), pageCompression=0)
    assert lines(read(data[: data.rindex(b"startxref")], options=NO_OCR)) == list(LETTER)


def test_empty_and_unsupported(tmp_path: Path) -> None:
    with pytest.raises(EmptyFile):
        read(b"", "a.pdf")
    with pytest.raises(UnsupportedFile) as error:
        read(b"\x7fELF" + bytes(40), "a.pdf")
    assert error.value.message == "Unsupported file type"
    assert error.value.content_type == "application/octet-stream"


def test_a_blank_page_is_a_page() -> None:
    document = read(pdf(lambda canvas: None, lines_page()))
    assert [len(page.words) > 0 for page in document.pages] == [False, True]
