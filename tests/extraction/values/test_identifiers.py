from __future__ import annotations

import pytest

from docduck.extraction.normal_text import key, words_of
from docduck.extraction.values.addresses import find_town, is_street
from docduck.extraction.values.bank import find_ibans, iban_valid
from docduck.extraction.values.choices import best_option, parse_boolean, parse_check_mark
from docduck.extraction.values.contacts import MAIL, find_phones
from docduck.extraction.values.currencies import currencies_in, currency_of
from docduck.extraction.values.identifiers import find_vat_ids
from docduck.extraction.values.times import parse_time


def test_iban_ends_at_its_countrys_length() -> None:
    text = "IBAN DE68 6009 0700 0482 9150 03 BIC SWBSDESS"
    ((start, end, value),) = find_ibans(text)
    assert value == "DE68600907000482915003" and text[start:end].endswith("50 03")
    assert iban_valid("DE89370400440532013000")
    assert not iban_valid("DE89370400440532013001")
    assert not iban_valid("DE8937040044053201300.")
    assert not iban_valid("DE8937040044053201300ä")
    assert find_ibans("DE99199MUSTERHAUSEN") == []


def test_misread_iban_is_corrected_by_check_digits() -> None:
    ((_, _, value),) = find_ibans("IBAN DE89 37O4 0044 0532 0I30 00")
    assert value == "DE89370400440532013000"
    assert find_ibans("IBAN DE89 37O4 0044 0532 0I30 01") == []


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("USt-IdNr. DE267940183", "DE267940183"),
        ("N° TVA FR 47 512 884 091", "FR 47 512 884 091"),
        ("VAT No. GB 284 7719 06 Registered", "GB 284 7719 06"),
        ("UID: CHE-114.820.573 MWST", "CHE-114.820.573 MWST"),
        ("NIF: ESB12345678", "ESB12345678"),
    ],
)
def test_vat_ids_as_printed(text: str, printed: str) -> None:
    assert [value for _, _, value in find_vat_ids(text)] == [printed]


@pytest.mark.parametrize(
    ("text", "zip_", "city"),
    [
        ("70565 Stuttgart", "70565", "Stuttgart"),
        ("DE 12345 Beispielstadt", "12345", "Beispielstadt"),
        ("8005 Zürich", "8005", "Zürich"),
        ("Seattle, WA 98126", "98126", "Seattle"),
        ("London E2 7JP", "E2 7JP", "London"),
        ("1234 AB Utrecht", "1234 AB", "Utrecht"),
        ("4000-123 Porto", "4000-123", "Porto"),
        ("00-950 Warszawa", "00-950", "Warszawa"),
    ],
)
def test_towns(text: str, zip_: str, city: str) -> None:
    town = find_town(text)
    assert town is not None and (town.zip, town.city) == (zip_, city)


def test_street_is_not_a_town() -> None:
    for text in ("2410 Harbor Avenue SW", "7600 NE Airport Way", "Industriestraße 27"):
        assert find_town(text) is None
        assert is_street(text)


def test_currencies() -> None:
    assert [currency_of(t) for t in ("€", "EUR", "US$", "£", "RM", "eur", "xyz")] == [
        "EUR", "EUR", "USD", "GBP", "MYR", None, None,
    ]  # fmt: skip
    assert currencies_in("MUSTER SDN BHD, total RM 5.00", beside_digits=True) == ["MYR"]


def test_contacts_and_times() -> None:
    assert MAIL.findall("write to a.b@c-d.example, please") == ["a.b@c-d.example"]
    assert [p for _, _, p in find_phones("Tel. +49 711 5540 83-0, 14.03.2024")] == ["+49 711 5540 83-0"]
    assert [parse_time(t) for t in ("8:51", "17:05:33", "18h12", "2:10pm", "25:00")] == [
        "08:51", "17:05:33", "18:12", "14:10", None,
    ]  # fmt: skip


def test_choices_and_booleans() -> None:
    assert parse_boolean("Ja") is True and parse_boolean("non") is False and parse_boolean("maybe") is None
    assert (
        parse_check_mark("☒ insured") is True
        and parse_check_mark("[ ]") is False
        and parse_check_mark("text") is None
    )
    assert best_option("credit-note", ("Invoice", "Credit Note")) == ("Credit Note", 1.0)
    assert best_option("banana", ("Invoice", "Credit Note")) is None


def test_normal_forms() -> None:
    assert key("Fälligkeits-Datum:") == key("FALLIGKEITSDATUM") == "falligkeitsdatum"
    assert words_of("invoiceNumber") == words_of("invoice_Number") == ["invoice", "Number"]
