"""Element strings of GS1: examples of the General Specifications, and labels answered by them."""

from __future__ import annotations

import io
from datetime import date

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from docduck.extraction import extract
from docduck.extraction.extractors.codes.formats.gs1 import gs1_date, gs1_measure, parse_gs1, printed_elements
from docduck.fields import Field
from tests.extraction.extractors.codes.papers import paper, read

TODAY = date(2026, 6, 1)
ITEM = "(01)09521234543213(17)261231(10)ABC123(21)99"
PALLET = "(00)006141411234567890"
CONTENT = "(02)09501101530003(37)24(3103)001750(15)270200(400)PO-77"
VALUES = (("01", "09521234543213"), ("17", "261231"), ("10", "ABC123"), ("21", "99"))


@pytest.mark.parametrize(
    "text",
    [
        ITEM,
        "]C1010952123454321317261231" + "10ABC123\x1d2199",
        "010952123454321317261231" + "10ABC123<GS>2199",
        "]d2010952123454321317261231" + "10ABC123␝2199",
    ],
)
def test_an_element_string_is_read_in_each_of_its_forms(text: str) -> None:
    elements = parse_gs1(text)
    assert elements is not None and elements.values == VALUES


def test_a_digital_link_is_read() -> None:
    elements = parse_gs1("https://id.gs1.org/some/01/9521234543213/10/ABC%2F1/21/12345?17=261231&x=y")
    assert elements is not None
    assert elements.values == (
        ("01", "09521234543213"),
        ("10", "ABC/1"),
        ("21", "12345"),
        ("17", "261231"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        "()",
        "(01)09521234543214",
        "(00)006141411234567891",
        "(01)0952123454321",
        "(77)1",
        "0109521234543213",
        "]C1",
        "https://example.com/01/2024/report",
        "https://[",
        "(10)" + "A" * 21,
        "(01)09521234543213" * 200,
    ],
)
def test_other_texts_are_none(text: str) -> None:
    assert parse_gs1(text) is None


def test_dates_and_measures() -> None:
    assert gs1_date("270200", TODAY) == date(2027, 2, 28)
    assert gs1_date("770101", TODAY) == date(1977, 1, 1)
    assert gs1_date("761231", TODAY) == date(2076, 12, 31)
    assert gs1_date("261331", TODAY) is None
    assert gs1_measure("3103", "001750") == 1.75


@given(st.one_of(st.text(max_size=80), st.text(st.sampled_from("()0123456789]C1\x1dA"), max_size=80)))
def test_any_text_is_an_element_string_or_none(text: str) -> None:
    parse_gs1(text)
    parse_gs1("https://" + text)
    list(printed_elements(text))
    gs1_date(text[:6], TODAY)


ASKED = {
    "SSCC": "text",
    "Content_GTIN": "text",
    "Number_of_trade_items": "number",
    "Net_weight": "number",
    "Best_before": "date",
    "Purchase_order_number": "text",
    "Lot": "text",
}


def test_a_pallet_is_read_by_its_codes() -> None:
    page = paper(
        ("SSCC", 0.1, 0.7),
        ("0 0614141 123456789 0", 0.1, 0.72),
        codes=(("Code128", PALLET), ("Code128", CONTENT)),
    )
    assert read(page, **ASKED).data == {
        "SSCC": "0 0614141 123456789 0",
        "Content GTIN": "09501101530003",
        "Number of trade items": 24,
        "Net weight": 1.75,
        "Best before": "2027-02-28",
        "Purchase order number": "PO-77",
        "Lot": None,
    }


def test_a_label_is_read_by_its_printed_elements() -> None:
    page = paper(
        ("(00) 0 0614141 1234567890", 0.1, 0.5), ("(01) 09521234543213 (10) AB12 Made in Utopia", 0.1, 0.6)
    )
    got = read(page, SSCC="text", GTIN="text", Batch_number="text")
    assert got.data == {"SSCC": "0 0614141 1234567890", "GTIN": "09521234543213", "Batch number": "AB12"}


def test_several_values_of_one_element_answer_nothing() -> None:
    page = paper(codes=(("Code128", ITEM), ("Code128", ITEM.replace("ABC123", "ABC124"))))
    got = read(page, GTIN="text", Batch="text")
    assert got.data == {"GTIN": "09521234543213", "Batch": None}


def test_a_scanned_label_is_read() -> None:
    code = zxingcpp.create_barcode(ITEM, zxingcpp.BarcodeFormat.Code128, gs1=True)
    scan = Image.new("L", (1200, 800), 255)
    scan.paste(Image.fromarray(np.array(zxingcpp.write_barcode_to_image(code, 3))), (100, 300))
    file = io.BytesIO()
    scan.save(file, "PNG")
    fields = [{"name": "Lot number", "type": "text"}, {"name": "Use by", "type": "date"}]
    result = extract(file.getvalue(), [Field.model_validate(field) for field in fields], "fast")
    assert result.data == {"Lot number": "ABC123", "Use by": "2026-12-31"}
