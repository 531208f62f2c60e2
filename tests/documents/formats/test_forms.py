from __future__ import annotations

import io

from reportlab.pdfgen.canvas import Canvas

from docduck.documents.document import Document
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from tests.documents.formats.files import pdf

OPTIONS = ReadOptions(ocr="none")


def form(rotate: int = 0) -> bytes:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(rotate)
        fields = canvas.acroForm
        canvas.drawString(72, 700, "Family name")
        area = {"x": 200, "width": 200, "height": 20}
        fields.textfield(
            name="person.family", tooltip="Your family name", value="Lovelace Byron", y=690, **area
        )
        fields.textfield(name="person.town", value="", x=200, y=660, width=200, height=20)
        fields.checkbox(name="member", tooltip="Member", checked=True, x=200, y=630, buttonStyle="check")
        fields.checkbox(name="news", tooltip="Newsletter", checked=False, x=200, y=600)
        fields.radio(name="size", value="small", selected=False, x=200, y=570)
        fields.radio(name="size", value="large", selected=True, x=300, y=570)
        fields.choice(
            name="colour", options=["red", "green"], value="green", x=200, y=540, width=100, height=20
        )

    return pdf(draw)


def states(document: Document) -> dict[tuple[str, str], bool]:
    return {(f.name, f.value): f.checked for f in document.form if f.kind in ("check", "radio")}


def test_fields_have_names_values_and_states() -> None:
    document = read(form(), "", OPTIONS)
    texts = {f.name: (f.kind, f.value, f.title) for f in document.form if f.kind in ("text", "choice")}
    assert texts["person.family"] == ("text", "Lovelace Byron", "Your family name")
    assert texts["person.town"][:2] == ("text", "")
    assert texts["colour"][:2] == ("choice", "green")
    assert states(document) == {
        ("member", "Yes"): True, ("news", "Yes"): False, ("size", "small"): False, ("size", "large"): True,
    }  # fmt: skip


def test_fields_stand_where_the_page_shows_them() -> None:
    document = read(form(), "", OPTIONS)
    family = next(f for f in document.form if f.name == "person.family")
    assert family.page == 1
    assert abs(family.box.left - 200 / 595) < 0.005
    assert abs(family.box.bottom - (842 - 690) / 842) < 0.005
    shown = next(word for word in document.pages[0].words if word.text == "Lovelace")
    assert family.box.left <= shown.box.centre <= family.box.right
    assert family.box.top <= shown.box.middle <= family.box.bottom


def test_values_are_words_of_the_page_once() -> None:
    texts = [word.text for word in read(form(), "", OPTIONS).pages[0].words]
    assert texts.count("Lovelace") == 1
    assert texts.count("green") == 1


def test_a_value_without_appearance_is_still_a_word() -> None:
    blank = form().replace(b"/AP <<", b"/XX <<")
    document = read(blank, "", OPTIONS)
    assert "Lovelace Byron" in document.text


def test_a_page_without_form_has_none() -> None:
    document = read(pdf(lambda canvas: canvas.drawString(72, 700, "Hello")), "", OPTIONS)
    assert list(document.form) == []


def test_a_broken_form_is_no_obstacle() -> None:
    data = form().replace(b"/FT /Tx", b"/FT /Zz").replace(b"/Rect", b"/Rxct")
    assert "Family name" in read(data, "", OPTIONS).text


def test_many_fields_are_bounded() -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for number in range(2100):
        canvas.acroForm.textfield(name=f"f{number}", value="", x=10, y=10, width=5, height=5)
    canvas.showPage()
    canvas.save()
    assert len(read(buffer.getvalue(), "", OPTIONS).form) == 2000
