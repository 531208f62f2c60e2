from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import docduck
from docduck.errors import InputError
from docduck.extraction.extraction_settings import extract_options
from docduck.extraction.run_extractors import ExtractOptions, ReadingLocale, extract_document
from docduck.extraction.values.dates import DateOrder
from docduck.fields import Field, parse_fields
from docduck.settings import Settings
from tests.extraction.pages import text_document

INVOICE = text_document(
    "Nordwind Handel GmbH",
    "Hafenstraße 4",
    "20457 Hamburg",
    "",
    "Rechnungsnummer: RE-2024-17  Rechnungsdatum: 03.04.2024",
    "Bezahlt: ja",
    "Versandart: Spedition",
    "",
    "Nettobetrag  100,00 €",
    "zzgl. 19 % MwSt.  19,00 €",
    "Gesamtbetrag  119,00 €",
)


def fields(*items: dict[str, Any]) -> list[Field]:
    return parse_fields(list(items))


def test_types_are_the_contracts() -> None:
    found = extract_document(
        INVOICE,
        fields(
            {"name": "Rechnungsnummer"},
            {"name": "Rechnungsdatum", "type": "date"},
            {"name": "Total", "type": "currency"},
            {"name": "VAT", "type": "currency"},
            {"name": "Bezahlt", "type": "boolean"},
            {"name": "Versandart", "type": "choice", "options": ["Paket", "Spedition"]},
            {"name": "Currency", "type": "choice", "options": ["EUR", "USD"]},
            {"name": "Skonto", "type": "number"},
            {"name": "Tags", "type": "list"},
            {"name": "Lines", "type": "table", "columns": [{"name": "Description"}]},
        ),
    )
    assert found.data == {
        "Rechnungsnummer": "RE-2024-17",
        "Rechnungsdatum": "2024-04-03",
        "Total": 119,
        "VAT": 19,
        "Bezahlt": True,
        "Versandart": "Spedition",
        "Currency": "EUR",
        "Skonto": None,
        "Tags": [],
        "Lines": [],
    }
    assert set(found.field_metadata) == {
        "Rechnungsnummer", "Rechnungsdatum", "Total", "VAT", "Bezahlt", "Versandart", "Currency",
    }  # fmt: skip


def test_a_value_tells_where_it_stands() -> None:
    found = extract_document(INVOICE, fields({"name": "Total", "type": "currency"}))
    entry = found.field_metadata["Total"]
    assert entry["rawText"] == "119,00 €" and entry["page"] == 1 and entry["source"] == "text"
    (place,) = entry["locations"]
    assert place["text"] == "119,00 €" and place["bbox"]["top"] == pytest.approx(
        (40 + 14 * 10) / 800, abs=1e-4
    )


def test_a_missing_required_field_is_told() -> None:
    found = extract_document(INVOICE, fields({"name": "IBAN", "required": True}, {"name": "BIC"}))
    assert found.data == {"IBAN": None, "BIC": None}
    assert [e["rule"] for e in found.field_metadata["IBAN"]["validation"]] == ["required"]
    assert "BIC" not in found.field_metadata


def test_a_field_left_to_people_is_not_read() -> None:
    found = extract_document(INVOICE, fields({"name": "Total", "type": "currency", "extract": False}))
    assert found.data == {"Total": None} and found.field_metadata == {}


def test_accurate_without_a_model_says_so(tmp_path: Path) -> None:
    wanted, settings = fields({"name": "Total", "type": "currency"}), Settings(home=tmp_path)
    assert extract_document(INVOICE, wanted, extract_options(settings, "balanced")).warnings == []
    (warning,) = extract_document(INVOICE, wanted, extract_options(settings, "accurate")).warnings
    assert warning.startswith("No language model is configured")


def test_totals_that_disagree_are_told_and_trusted_less() -> None:
    wanted = fields(*({"name": n, "type": "currency"} for n in ("Net Total", "Tax Total", "Total")))
    right = extract_document(INVOICE, wanted)
    lines = ["Net total  100.00", "VAT  19.00", "Total  129.00"]
    wrong = extract_document(text_document(*lines), wanted)
    assert wrong.data == {"Net Total": 100, "Tax Total": 19, "Total": 129}
    (entry,) = (one for name in wrong.data for one in wrong.field_metadata[name].get("validation", ()))
    assert entry["rule"] == "net_plus_tax" and "129" in entry["message"]
    for name in wrong.data:
        assert wrong.field_metadata[name]["confidence"] < right.field_metadata[name]["confidence"]
        assert "validation" not in right.field_metadata[name]


@pytest.mark.parametrize(
    ("date_order", "printed", "iso"),
    [
        ("day_first", "03/04/2024", "2024-04-03"),
        ("month_first", "03/04/2024", "2024-03-04"),
        ("year_first", "03/04/25", "2003-04-25"),
        ("year_first", "99-12-31", "1999-12-31"),
        ("year_first", "25.4.03", "2025-04-03"),
        ("year_first", "2024/04/03", "2024-04-03"),
        ("year_first", "31/12/99", "1999-12-31"),
        ("year_first", "25/04/2024", "2024-04-25"),
    ],
)
def test_the_order_of_dates_can_be_given(date_order: DateOrder, printed: str, iso: str) -> None:
    document = text_document(f"Invoice date: {printed}")
    options = ExtractOptions(locale=ReadingLocale(date_order=date_order))
    found = extract_document(document, fields({"name": "Invoice Date", "type": "date"}), options)
    assert found.data["Invoice Date"] == iso


def test_day_and_month_are_told_by_the_other_dates() -> None:
    document = text_document("Invoice date: 03/04/2024", "Due date: 04/25/2024")
    found = extract_document(document, fields({"name": "Invoice Date", "type": "date"}))
    assert found.data["Invoice Date"] == "2024-03-04"


def test_a_delivery_date_is_not_the_invoices() -> None:
    document = text_document("Delivery date: 01/02/2024", "Date: 05/02/2024", "Order date: 13/01/2024")
    found = extract_document(document, fields({"name": "Invoice Date", "type": "date"}))
    assert found.data["Invoice Date"] == "2024-02-05"


def test_one_place_serves_one_field() -> None:
    document = text_document("Invoice No: 4711", "Customer No: 815", "Order No: AB-9")
    wanted = fields({"name": "Order Number"}, {"name": "Invoice Number"}, {"name": "Customer Number"})
    assert extract_document(document, wanted).data == {
        "Order Number": "AB-9",
        "Invoice Number": "4711",
        "Customer Number": "815",
    }


def test_own_labels_of_a_field_are_used() -> None:
    document = text_document("Kassenzeichen der Stadt: 77-1234", "Aktenplan: 4.2")
    wanted = fields({"name": "File Key", "labels": ["Kassenzeichen der Stadt"]})
    assert extract_document(document, wanted).data == {"File Key": "77-1234"}


def test_every_value_has_evidence_even_if_nothing_was_found() -> None:
    table = {"name": "Items", "type": "table", "columns": [{"name": "Article"}]}
    fields = [{"name": "Invoice Number"}, {"name": "Tags", "type": "list"}, table]
    found = docduck.extract(b"Invoice No: 4711\n", fields)
    assert found.data == {"Invoice Number": "4711", "Tags": [], "Items": []}
    assert found.field_metadata.keys() == found.data.keys()
    assert found.field_metadata["Invoice Number"]["page"] == 1
    assert (found.field_metadata["Tags"]["page"], found.field_metadata["Tags"]["locations"]) == (None, [])
    assert found.field_metadata["Items"] == []


def test_the_short_way_from_a_file_to_values() -> None:
    found = docduck.extract(b"Invoice No: 4711\nTotal: EUR 12.00\n", [{"name": "Invoice Number"}])
    assert found.data == {"Invoice Number": "4711"} and found.page_count == 1
    with pytest.raises(InputError, match="Mode 'quick' is not known"):
        docduck.extract(b"x", [{"name": "A"}], mode="quick")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"fields\.0\.type"):
        docduck.extract(b"x", [{"name": "A", "type": "colour"}])


@pytest.mark.parametrize("printed", ["12345678901234567890", "-98765432109876543210", "9" * 400])
def test_a_value_that_cant_be_stored_is_empty_and_told(printed: str) -> None:
    page = text_document(
        f"Meter reading: {printed}",
        "Total: 12.50",
        "",
        "Description  Amount",
        f"Bolts  {printed}",
        "Nuts  12.50",
    )
    found = extract_document(
        page,
        fields(
            {"name": "Meter reading", "type": "number"},
            {"name": "Total", "type": "currency"},
            {
                "name": "Items",
                "type": "table",
                "columns": [{"name": "Description"}, {"name": "Amount", "type": "number"}],
            },
        ),
    )
    assert (found.data["Meter reading"], found.data["Total"]) == (None, 12.5)
    assert {"Description": "Nuts", "Amount": 12.5} in found.data["Items"]
    assert printed not in str(found.data)
    told = [warning for warning in found.warnings if "beyond what can be stored" in warning]
    assert any(warning.startswith("'Meter reading' is left empty: ") for warning in told)
    assert all(len(warning) < 120 for warning in told)
