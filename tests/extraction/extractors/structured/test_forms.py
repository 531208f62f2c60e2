from __future__ import annotations

from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.documents.formats.files import pdf


def draw(canvas: Canvas) -> None:
    form = canvas.acroForm
    place = {"width": 200, "height": 18, "x": 250}
    form.textfield(name="form[0].page[0].familyName[0]", value="Lovelace", y=750, **place)
    form.textfield(name="t2", tooltip="Date of birth", value="10 December 1985", y=720, **place)
    canvas.drawString(72, 695, "Yearly income (EUR)")
    form.textfield(name="t3", value="1.234,50", y=690, **place)
    canvas.drawString(250, 672, "Place of birth")
    form.textfield(name="t4", value="London", y=650, **place)
    form.textfield(name="nickname", value="", y=620, **place)
    canvas.drawString(72, 625, "Nickname")
    form.checkbox(name="c1", checked=True, x=250, y=590, size=12)
    canvas.drawString(268, 592, "Member of a union")
    form.checkbox(name="newsletter", checked=False, x=250, y=560, size=12)
    canvas.drawString(72, 532, "Marital status")
    form.radio(name="status", value="s", x=250, y=530, size=12)
    canvas.drawString(268, 532, "single")
    form.radio(name="status", value="m", selected=True, x=350, y=530, size=12)
    canvas.drawString(368, 532, "married")
    form.checkbox(name="k1", checked=True, x=250, y=500, size=12)
    canvas.drawString(268, 502, "Car")
    form.checkbox(name="k2", checked=False, x=350, y=500, size=12)
    canvas.drawString(368, 502, "Bicycle")
    form.checkbox(name="k3", checked=True, x=450, y=500, size=12)
    canvas.drawString(468, 502, "Train")
    form.choice(name="country", options=["France", "United Kingdom"], value="United Kingdom", y=470, **place)
    canvas.drawString(72, 440, "Signed at: Paris")


def extract(*fields: dict[str, Any]) -> Extraction:
    document = read(pdf(draw), "", ReadOptions(ocr="none"))
    return extract_document(document, parse_fields(list(fields)))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ({"name": "Family Name"}, "Lovelace"),
        ({"name": "birth_date", "type": "date"}, "1985-12-10"),
        ({"name": "Yearly income", "type": "currency"}, 1234.5),
        ({"name": "Place of Birth"}, "London"),
        ({"name": "Nickname"}, None),
        ({"name": "Member of a union", "type": "boolean"}, True),
        ({"name": "Newsletter", "type": "boolean"}, False),
        ({"name": "Marital Status", "type": "choice", "options": ["Single", "Married"]}, "Married"),
        ({"name": "Marital Status"}, "married"),
        ({"name": "Country"}, "United Kingdom"),
    ],
)
def test_values(field: dict[str, Any], value: object) -> None:
    result = extract(field)
    assert result.data[field["name"]] == value
    if value is not None:
        entry = result.field_metadata[field["name"]]
        assert entry["source"] == "structured"
        assert entry["locations"][0]["page"] == 1
        assert 0.6 < entry["confidence"] < 1


def test_boxes_beside_options() -> None:
    field = {"name": "Transport", "type": "choice", "options": ["Car", "Bicycle"]}
    assert extract(field).data == {"Transport": "Car"}


def test_what_the_form_has_not_is_left_to_other_engines() -> None:
    result = extract({"name": "Signed at"}, {"name": "Family Name"})
    assert result.data == {"Signed at": "Paris", "Family Name": "Lovelace"}
    assert result.field_metadata["Signed at"]["source"] == "text"
