from __future__ import annotations

from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import text_document

FIELDS = parse_fields(
    [{"name": n} for n in ("Seller Name", "Seller Address", "Buyer Name", "Buyer Address", "Ship To Address")]
)


def parties(*lines: str) -> list[str | None]:
    return list(extract_document(text_document(*lines), FIELDS).data.values())


def test_address_window_with_return_line() -> None:
    assert parties(
        "Nordlicht GmbH · Speicherstraße 4 · 20457 Hamburg",
        "Kanzlei Weber",
        "Am Stadtgarten 12",
        "45276 Essen",
        "",
        "Rechnung 4711",
    )[:4] == [
        "Nordlicht GmbH",
        "Speicherstraße 4, 20457 Hamburg",
        "Kanzlei Weber",
        "Am Stadtgarten 12, 45276 Essen",
    ]


def test_labelled_parts_of_a_block() -> None:
    assert parties(
        "Verkäufer",
        "Nummer: 4711",
        "Name: Rohstoff AG",
        "Marktstraße 1",
        "38226 Salzgitter",
        "",
        "",
        "Käufer",
        "Name: Metallbau KG",
        "Pappelallee 15",
        "12345 Leipzig",
    )[::2] == ["Rohstoff AG", "Metallbau KG", None]


def test_delivery_address() -> None:
    found = parties(
        "Cascade Supply Co.",
        "2410 Harbor Avenue",
        "Seattle, WA 98126",
        "",
        "",
        "Bill To                       Ship To",
        "Evergreen Outfitters          Evergreen Warehouse",
        "1190 Pine Street              7600 Airport Way",
        "Portland, OR 97205            Portland, OR 97218",
    )
    assert found[2:] == [
        "Evergreen Outfitters",
        "1190 Pine Street, Portland, OR 97205",
        "Evergreen Warehouse, 7600 Airport Way, Portland, OR 97218",
    ]


def test_name_excludes_registration_number() -> None:
    assert parties("Gardenia Bakeries (KL) Sdn Bhd (139386-X)", "Lot 3, Jalan Pelabur 23", "40300 Shah Alam")[
        0
    ] == ("Gardenia Bakeries (KL) Sdn Bhd")


def test_names_before_an_honorific_are_the_addressees() -> None:
    for name in ("株式会社山田電機　御中", "株式会社山田電機御中", "株式会社山田電機 様"):
        found = parties(name, "", "請求書", "", "北日本電線株式会社")
        assert (found[0], found[2]) == ("北日本電線株式会社", "株式会社山田電機")


def test_a_name_beside_its_label_counts_before_the_table_below() -> None:
    found = parties(
        "Invoice",
        "",
        "Seller:             North Cable Ltd",
        "Buyer:              Electro Hill Ltd",
        "",
        "Description         Quantity      Price      Amount",
        "Copper cable        2             10.00      20.00",
        "Junction box        3             10.00      30.00",
    )
    assert (found[0], found[2]) == ("North Cable Ltd", "Electro Hill Ltd")
