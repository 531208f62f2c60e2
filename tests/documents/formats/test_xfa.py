"""Dynamic XFA forms are read from their data."""

from __future__ import annotations

import pytest

from docduck.documents.reader import draw, page_count, read
from docduck.errors import UnsupportedForm
from tests.documents.formats.rawpdf import raw, stream

WAIT = b"BT /F1 12 Tf 72 700 Td (Please wait...) Tj ET"
TEMPLATE = b"""<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="f">
<field name="F1"><caption><value><text>Rechnungsnummer:</text></value></caption></field>
<field name="F2"><caption><value><text>Summe</text></value></caption></field>
<field name="F3"><caption><value><text>Ort</text></value></caption></field>
<field name="F3"><caption><value><text>Datum</text></value></caption></field></subform></template>"""
DATA = b"""<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><f><F1>R-8</F1>
<F2>77,50</F2><F3>Kiel</F3><item><Name>Bolt</Name><Price>1.50</Price></item>
<item><Name>Nut</Name><Price>0.50</Price></item></f></xfa:data></xfa:datasets>"""


def form(xfa: bytes, more: bytes = b"/NeedsRendering true", page: bytes = WAIT, *packets: bytes) -> bytes:
    return raw(
        b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA %s >> %s >>" % (xfa, more),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        stream(page),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *map(stream, packets),
    )


PARTS = b"[(template) 6 0 R (datasets) 7 0 R]"
WHOLE = b'<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">' + TEMPLATE + DATA + b"</xdp:xdp>"


@pytest.mark.parametrize(
    "data",
    [
        form(PARTS, b"/NeedsRendering true", WAIT, TEMPLATE, DATA),
        form(PARTS, b"", WAIT, TEMPLATE, DATA),
        form(b"6 0 R", b"/NeedsRendering true", WAIT, WHOLE),
    ],
)
def test_a_dynamic_form_shows_its_values_beside_their_captions(data: bytes) -> None:
    document = read(data, "a.pdf")
    lines = document.text.splitlines()
    assert not {"Please wait...", "F", "Form"} & set(lines), "names of subforms are no text"
    assert {"Rechnungsnummer: R-8", "Summe: 77,50", "F3: Kiel"} <= set(lines)
    (grid,) = document.pages[0].grids
    assert [[cell.text for cell in row] for row in grid.rows] == [
        ["Name", "Price"],
        ["Bolt", "1.50"],
        ["Nut", "0.50"],
    ]
    assert document.content_type == "application/pdf"
    assert page_count(data, "a.pdf") == 1
    assert draw(data, "a.pdf", 1, 300).width == 300


def test_a_form_with_pages_is_read_from_them() -> None:
    printed = b"BT /F1 12 Tf 72 700 Td (Rechnungsnummer: R-8) Tj ET"
    assert read(form(PARTS, b"", printed, TEMPLATE, DATA)).text == "Rechnungsnummer: R-8"


@pytest.mark.parametrize(
    "data", [b"<xfa:datasets xmlns:xfa='x'><xfa:data><f><F1/></f></xfa:data></xfa:datasets>", b"<broken", b""]
)
def test_a_dynamic_form_without_values_says_what_it_is(data: bytes) -> None:
    with pytest.raises(UnsupportedForm, match="dynamic XFA form"):
        read(form(PARTS, b"/NeedsRendering true", WAIT, TEMPLATE, data))
