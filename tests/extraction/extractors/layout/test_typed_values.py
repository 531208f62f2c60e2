from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Document
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import by_ocr, document, page, right, text_document, words


def read(made: Document, *items: dict[str, Any]) -> dict[str, Any]:
    return extract_document(made, parse_fields(list(items))).data


FLIGHT = (
    {"name": "flight_from", "type": "date"},
    {"name": "flight_to", "type": "date"},
)


@pytest.mark.parametrize("printed", ["05/24/20-05/26/20", "05/24/20 - 05/26/20", "05/24/20 to 05/26/20"])
def test_range_has_start_and_end(printed: str) -> None:
    made = text_document("Total $ 100.00 USD", f"Flight Dates  {printed}")
    assert read(made, *FLIGHT) == {"flight_from": "2020-05-24", "flight_to": "2020-05-26"}


def test_range_with_field_name_in_label_is_preferred() -> None:
    made = text_document("Invoice Period  12/30/19 - 01/26/20", "Order Flight  01/11/20 - 01/17/20")
    assert read(made, *FLIGHT) == {"flight_from": "2020-01-11", "flight_to": "2020-01-17"}


def test_date_within_phrase() -> None:
    made = text_document("Received by the Registration Unit 02/16/2017 2:44 PM", "Expires April 30, 2018")
    assert read(made, {"name": "received_date", "type": "date"}) == {"received_date": "2017-02-16"}


def test_related_invoice_date_is_excluded() -> None:
    made = text_document("DATE DE FACTURE ASSOCIÉE : 01/01/2022", "Date : 31/01/2022")
    assert read(made, {"name": "issue_date", "type": "date"}) == {"issue_date": "2022-01-31"}


def test_number_and_date_in_title() -> None:
    made = text_document("Rechnungskorrektur (384) Nr. RK2101 vom 15.11.2024", "Stand vom 01.02.2023")
    found = read(made, {"name": "invoice_number"}, {"name": "issue_date", "type": "date"})
    assert found == {"invoice_number": "RK2101", "issue_date": "2024-11-15"}


def test_glued_number_sign() -> None:
    made = text_document(
        "Facture n°562044387 du 02 Juillet 2015", "Date limite de paiement le 05 Juillet 2015"
    )
    found = read(made, {"name": "invoice_number"}, {"name": "due_date", "type": "date"})
    assert found == {"invoice_number": "562044387", "due_date": "2015-07-05"}


def test_total_is_payment_minus_change() -> None:
    made = text_document(
        "TOTAL  19.99",
        "Rounding Adj  0.01",
        "Rounding  20.00",
        "CASH  50.00",
        "CHANGE  30.00",
        "Points  88.00",
    )
    assert read(made, {"name": "total", "type": "currency"}) == {"total": 20}


def test_subtotal_of_tax_rate_is_not_the_total() -> None:
    made = text_document(
        "Total 6% supplies (excl. GST): 24.00",
        "GST: 1.44",
        "Total 6% supplies (Inc. GST): 25.44",
        "Total 0% supplies: 7.61",
        "Total Payable: 33.05",
    )
    assert read(made, {"name": "total", "type": "currency"}) == {"total": 33.05}


def test_column_header_is_not_a_total_label() -> None:
    made = document(
        page(
            words(40, 40, "QTY ITEM"), right(300, 40, "TOTAL"),
            words(40, 54, "1 Coke"), right(300, 54, "3.50"),
            words(40, 68, "1 Burger"), right(300, 68, "5.00"),
            words(40, 90, "Take out Total (incl GST)"), right(300, 90, "8.50"),
        )
    )  # fmt: skip
    assert read(made, {"name": "total", "type": "currency"}) == {"total": 8.5}


def test_sum_row_of_tax_breakdown() -> None:
    columns = (200, 300)
    rows = (("Bill Plan", "Gross Amount", "Net Amount"), ("March", "$1,605.00", "$1,364.25"),
            ("April", "$10,800.00", "$9,180.00"), ("Totals", "$12,405.00", "$10,544.25"))  # fmt: skip
    placed = []
    for index, (head, *cells) in enumerate(rows):
        placed.append(words(40, 40 + 14 * index, head))
        placed += [right(x, 40 + 14 * index, cell) for x, cell in zip(columns, cells, strict=True)]
    assert read(document(page(*placed)), {"name": "gross_amount", "type": "currency"}) == {
        "gross_amount": 12405
    }


@pytest.mark.parametrize(
    ("printed", "value"), [("4 24", 4.24), ("15.0C", 15.0), ("V1.26", 1.26), ("2O.5O", 20.5)]
)
def test_misread_amounts_are_corrected(printed: str, value: float) -> None:
    made = by_ocr(document(page(words(40, 40, "Total"), words(250, 40, printed))))
    assert read(made, {"name": "total", "type": "currency"}) == {"total": value}


def test_misread_amount_has_lower_confidence() -> None:
    asked = parse_fields([{"name": "total", "type": "currency"}])
    sure, unsure = (
        extract_document(by_ocr(text_document(f"Total  {printed}")), asked).field_metadata["total"][
            "confidence"
        ]
        for printed in ("20.50", "2O.5O")
    )
    assert unsure < sure


def test_text_layer_is_not_corrected() -> None:
    made = document(page(words(40, 40, "Total"), words(250, 40, "15.0C")))
    assert read(made, {"name": "total", "type": "currency"}) == {"total": None}


ALTERNATIVES = {
    "name": "contract_number",
    "description": "Contract or order number (on an invoice that shows none, the invoice number)",
}


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (("CONTRACT", "Contract # 4711", "Order # 815"), "4711"),
        (("ORDER", "Order / Rev: 48142", "Invoice # 9-1"), "48142"),
        (("INVOICE", "Order # 815", "Invoice # 2335618-1"), "2335618-1"),
    ],
)
def test_alternatives_in_description(lines: tuple[str, ...], number: str) -> None:
    assert read(text_document(*lines), ALTERNATIVES) == {"contract_number": number}


@pytest.mark.parametrize(
    "description",
    [
        "Number of the contract, not the order number",
        "Number of the contract, usually printed beside the order number",
        "Number of the contract (stands above the order number)",
    ],
)
def test_mere_mention_in_description_is_no_alternative(description: str) -> None:
    field = {"name": "contract_number", "description": description}
    assert read(text_document("Order # 815"), field) == {"contract_number": None}


def test_account_number_for_iban_must_look_like_iban() -> None:
    assert read(text_document("Bank Account: US1234567890"), {"name": "iban"}) == {"iban": "US1234567890"}
    assert read(text_document("Bank Account: 4711081512"), {"name": "iban"}) == {"iban": None}


def test_vat_text_field_is_the_number() -> None:
    made = text_document("VAT 19%  19.00", "VAT: DE267940183")
    assert read(made, {"name": "vat"}) == {"vat": "DE267940183"}


TOTALS = (
    {"name": "net_total", "type": "currency"},
    {"name": "tax_total", "type": "currency"},
    {"name": "grand_total", "type": "currency"},
    {"name": "amount_due", "type": "currency"},
)


@pytest.mark.parametrize(
    ("between", "total"),
    [("Shipping  10.00", "125.00"), ("Discount  -10.00", "105.00"), ("Tip  10.00", "125.00")],
)
def test_shipping_tips_and_discounts_in_total(between: str, total: str) -> None:
    made = text_document("Subtotal  100.00", between, "Tax  15.00", f"Total  {total}")
    found = extract_document(made, parse_fields(list(TOTALS[:3])))
    assert found.data == {"net_total": 100, "tax_total": 15, "grand_total": float(total)}
    assert not any(meta.get("validation") for meta in found.field_metadata.values())


def test_total_mismatch_is_reported() -> None:
    made = text_document("Subtotal  100.00", "Tax  15.00", "Total  117.00")
    found = extract_document(made, parse_fields(list(TOTALS[:3])))
    assert found.field_metadata["grand_total"]["validation"][0]["rule"] == "net_plus_tax"


def test_amount_due_by_subtraction() -> None:
    made = text_document("Total  119.00", "Deposit  19.00", "Kindly settle  100.00")
    assert read(made, *TOTALS[2:]) == {"grand_total": 119, "amount_due": 100}


def test_small_word_alone_begins_no_period() -> None:
    field = {"name": "period_start", "type": "date"}
    assert read(text_document("Rechnung Nr. 17 vom 14.04.2023", "Hamburg"), field) == {"period_start": None}
    assert read(text_document("Leistung vom 01.04.2023 bis 14.04.2023"), field) == {
        "period_start": "2023-04-01"
    }


def test_date_after_order_number_is_order_date() -> None:
    made = text_document("Auftragsnummer 18650403 vom 4. März 2019", "Stand 06.03.2019")
    assert read(made, {"name": "order_date", "type": "date"}) == {"order_date": "2019-03-04"}


def test_post_box_is_not_an_order_number() -> None:
    assert read(text_document("PO Box 809171", "Chicago"), {"name": "po_number"}) == {"po_number": None}


@pytest.mark.usefixtures("no_choice")
@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("Membership fee for 2024 season  45.00", {"name": "membership_fee", "type": "currency"}, 45),
        (
            "Date of your next inspection: 12.05.2025",
            {"name": "inspection_date", "type": "date"},
            "2025-05-12",
        ),
        ("Meter reading no. Z4711", {"name": "meter_number"}, "Z4711"),
        ("Membership fee  45.00", {"name": "entrance_fee", "type": "currency"}, None),
        ("Date of birth: 12.05.1985", {"name": "inspection_date", "type": "date"}, None),
    ],
)
def test_unknown_fields(line: str, field: dict[str, Any], value: Any) -> None:
    assert read(text_document("Club of Friends", line), field) == {field["name"]: value}


def test_mail_address_with_misread_dot() -> None:
    made = by_ocr(text_document("Contact: billing@nordwind,example"))
    assert read(made, {"name": "email"}) == {"email": "billing@nordwind.example"}


@pytest.mark.parametrize(
    "number", ["176 2410 883 551", "412 008 771 00012", "4548 12** **** 0092", "PL 0042187", "QQ 12 34"]
)
def test_numbers_in_groups_are_whole(number: str) -> None:
    made = text_document(f"Ticket number:  {number}", "Date:  12.03.2024")
    assert read(made, {"name": "Ticket number", "type": "text"}) == {"Ticket number": number}


def test_tax_numbers_belong_to_the_party_above_them() -> None:
    made = document(
        page(
            words(50, 40, "Faktura VAT nr 14/05/2024"),
            words(50, 80, "Sprzedawca"), words(50, 94, "Pracownia Wikliny"),
            words(50, 108, "36-100 Kolbuszowa"),
            words(50, 122, "NIP 677-118-20-44"),
            words(320, 80, "Nabywca"), words(320, 94, "Przedszkole Jarzębina"),
            words(320, 108, "31-042 Kraków"),
            words(320, 122, "NIP 521-307-71-18"),
        )
    )  # fmt: skip
    fields = ({"name": "NIP sprzedawcy", "type": "text"}, {"name": "NIP nabywcy", "type": "text"})
    assert read(made, *fields) == {"NIP sprzedawcy": "677-118-20-44", "NIP nabywcy": "521-307-71-18"}


def test_a_note_in_brackets_belongs_to_its_label() -> None:
    made = text_document("Przewoźnik (nazwa, adres, kraj)", "Transport Kowalik")
    assert read(made, {"name": "Przewoźnik", "type": "text"}) == {"Przewoźnik": "Transport Kowalik"}


@pytest.mark.parametrize(
    ("label", "printed"),
    [
        ("Fakturadatum:", "14 maj 2024"),
        ("Datum vystavení:", "14. května 2024"),
        ("Fatura Tarihi:", "14 Mayıs 2024"),
    ],
)
def test_dates_and_their_labels_in_more_languages(label: str, printed: str) -> None:
    made = text_document(f"{label}  {printed}", "1.2.2024")
    assert read(made, {"name": "invoice date", "type": "date"}) == {"invoice date": "2024-05-14"}


def test_parts_of_a_total_are_no_net_total_and_tax() -> None:
    made = text_document(
        "Dierenkliniek Berkelzoom",
        "",
        "subtotaal Bram                              158,05",
        "",
        "subtotaal Minoes                             77,10",
        "",
        "Totaal inclusief btw                        235,15",
        "waarvan 21% btw                              40,81",
    )
    assert read(made, {"name": "Btw", "type": "currency"}) == {"Btw": 40.81}
