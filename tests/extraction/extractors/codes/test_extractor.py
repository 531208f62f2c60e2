"""Fields answered from codes on the page."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from docduck.documents.document import Barcode, Box, Document, Page
from docduck.extraction import extract
from docduck.extraction.extractors.codes.code_fields import barcodes_wanted
from docduck.extraction.extractors.codes.extractor import CodesExtractor
from docduck.extraction.extractors.codes.formats.payment import parse_payment
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding
from docduck.fields import Field

EPC = "BCD\n002\n1\nSCT\nCOBADEFFXXX\nRotes Kreuz\nDE89370400440532013000\nEUR12.5\n\nRF18539007547034\n"
SWISS = "\n".join(
    [
        "SPC",
        "0200",
        "1",
        "CH4431999123000889012",
        "S",
        "Robert Schneider AG",
        "Rue du Lac",
        "1268",
        "2501",
        "Biel",
        "CH",
    ]
    + [""] * 7
    + ["1949.75", "CHF", "S", "Pia Rutschmann", "Marktgasse", "28", "9400", "Rorschach", "CH"]
    + [
        "QRR",
        "210000000003139471430009017",
        "Order of 15.09.2019",
        "EPD",
        "//S1/10/X.66711\\/8824/11/200712/30/106017086",
    ]
)
SLOVENE = """UPNQR




Janez Novak
Lepa 3
1000 Ljubljana
00000010050


OTHR
Položnica
15.04.2024
SI56020170014356205
SI00225268-32526
Podjetje d.d.
Cesta 1
Koper
189
"""
CROATIAN = """HRVHUB30
EUR
000000000012355
Ivo
Ulica 1
10000 Zagreb
Firma d.o.o.
Trg 2
21000 Split
HR1210010051863000160
HR01
7336-68
COST
Račun 5
"""
CZECH = (
    "SPD*1.0*ACC:CZ6508000000192000145399+GIBACZPX*AM:450.00*CC:CZK*"
    "X-VS:1234567890*MSG:Faktura 7*DT:20240131*RN:Firma"
)


def found(fields: list[Field], *texts: str, kind: str = "QRCode") -> dict[str, Finding]:
    codes = [Barcode(kind, text, Box(0.1, 0.1 + 0.2 * n, 0.2, 0.1)) for n, text in enumerate(texts)]
    document = Document("image/png", [Page(1, 595, 842, barcodes=codes)], 1)
    return CodesExtractor().find(document, [query_of(one) for one in fields], ExtractOptions()).scalars


def field(name: str, type_: str = "text") -> Field:
    return Field.model_validate({"name": name, "type": type_})


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            EPC,
            {"IBAN": "DE89370400440532013000", "BIC": "COBADEFFXXX", "Amount due": 12.5, "Currency": "EUR"},
        ),
        (EPC, {"Payment reference": "RF18539007547034", "Kontoinhaber": "Rotes Kreuz"}),
        (
            SWISS,
            {
                "IBAN": "CH4431999123000889012",
                "Total": 1949.75,
                "Currency": "CHF",
                "Debtor": "Pia Rutschmann",
            },
        ),
        (SWISS, {"Payment reference": "210000000003139471430009017", "Mitteilung": "Order of 15.09.2019"}),
        (
            SWISS,
            {
                "Creditor": "Robert Schneider AG",
                "Creditor address": "Rue du Lac 1268, 2501 Biel",
                "Debtor address": "Marktgasse 28, 9400 Rorschach",
            },
        ),
        (
            SWISS.replace(
                "S\nPia Rutschmann\nMarktgasse\n28\n9400\nRorschach",
                "K\nPia\nMarktgasse 28\n9400 Rorschach\n\n",
            )
            + "/40/2:10;0:30",
            {"Debtor address": "Marktgasse 28, 9400 Rorschach", "Due date": "2020-08-11"},
        ),
        (SLOVENE, {"Debtor address": "Lepa 3, 1000 Ljubljana", "Creditor address": "Cesta 1, Koper"}),
        (SWISS, {"Invoice number": "X.66711/8824", "Invoice date": "2020-07-12"}),
        (SLOVENE, {"IBAN": "SI56020170014356205", "Amount due": 100.5, "Creditor": "Podjetje d.d."}),
        (SLOVENE, {"Due date": "2024-04-15", "Payment reference": "SI00225268-32526"}),
        (CROATIAN, {"IBAN": "HR1210010051863000160", "Amount due": 123.55, "Creditor": "Firma d.o.o."}),
        (
            CZECH,
            {
                "IBAN": "CZ6508000000192000145399",
                "Amount due": 450.0,
                "Currency": "CZK",
                "Due date": "2024-01-31",
            },
        ),
    ],
)
def test_payment_codes_answer_what_they_state(text: str, values: dict[str, Any]) -> None:
    types = {"Amount due": "currency", "Total": "currency", "Invoice date": "date", "Due date": "date"}
    got = found([field(name, types.get(name, "text")) for name in values], text)
    assert {name: finding.value for name, finding in got.items()} == values
    assert all(
        f.source == "structured" and f.locations[0].box == Box(0.1, 0.1, 0.2, 0.1) for f in got.values()
    )


def test_a_code_without_amount_leaves_the_amount_open() -> None:
    assert parse_payment(EPC.replace("EUR12.5", "")) is not None
    assert found([field("Total", "currency")], EPC.replace("EUR12.5", "")) == {}


@pytest.mark.parametrize(
    "text",
    ["", "BCD", "BCD\n002\n1\nSCT", "SPC\n0200", "UPNQR", "SPD*", "hello", EPC.replace("DE89", "DE88")],
)
def test_what_is_no_payment_is_none(text: str) -> None:
    assert parse_payment(text) is None


def test_two_different_payments_answer_nothing() -> None:
    assert found([field("IBAN")], EPC, SWISS) == {}
    assert found([field("IBAN")], EPC, EPC)["IBAN"].value == "DE89370400440532013000"


def test_fields_for_a_codes_own_text() -> None:
    assert found([field("QR code")], "abc")["QR code"].value == "abc"
    assert found([field("Strichcode")], "400123", kind="Code128")["Strichcode"].value == "400123"
    assert found([field("Barcodes", "list")], "1", "2", kind="Code128")["Barcodes"].value == ["1", "2"]
    assert found([field("EAN", "number")], "5901234123457", kind="EAN13")["EAN"].value == 5901234123457
    assert found([field("QR code")], "1", kind="Code128") == {}


def test_codes_are_looked_for_only_where_they_can_matter() -> None:
    assert barcodes_wanted([field("Buyer")]) == "none"
    assert barcodes_wanted([field("Buyer"), field("IBAN")]) == "pictures"
    assert barcodes_wanted([field("IBAN"), field("Barcode on label")]) == "all"


def test_a_scanned_bill_is_paid_by_its_code() -> None:
    code = zxingcpp.create_barcode(EPC, zxingcpp.BarcodeFormat.QRCode)
    scan = Image.new("L", (827, 1169), 255)
    scan.paste(Image.fromarray(np.array(zxingcpp.write_barcode_to_image(code, 4))), (300, 700))
    file = io.BytesIO()
    scan.rotate(90, expand=True).save(file, "PNG")
    result = extract(
        file.getvalue(), [field("IBAN"), field("Amount due", "currency"), field("Buyer")], "fast"
    )
    assert result.data == {"IBAN": "DE89370400440532013000", "Amount due": 12.5, "Buyer": None}
    assert result.field_metadata["IBAN"]["source"] == "structured"


@given(st.sampled_from([EPC, SWISS, SLOVENE, CROATIAN, CZECH]), st.data())
def test_any_text_is_a_payment_or_none(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    parse_payment(
        text[:start] + data.draw(st.text(max_size=20)) + text[data.draw(st.integers(0, len(text))) :]
    )
