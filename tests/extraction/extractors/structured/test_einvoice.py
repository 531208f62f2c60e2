from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.reader import read
from docduck.extraction.extractors.structured.invoice_terms import column_of, table_of, term_of
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType, parse_fields
from tests.documents.formats.einvoice import samples
from tests.documents.formats.files import lines_page, pdf

FIELDS: list[dict[str, Any]] = [
    {"name": "Invoice Number"},
    {"name": "Date", "type": "date", "description": "The date the invoice was issued"},
    {"name": "Zahlbar bis", "type": "date"},
    {"name": "Vendor"},
    {"name": "Customer Name"},
    {"name": "vat", "description": "VAT number of the supplier"},
    {"name": "Currency", "type": "choice", "options": ["USD", "EUR"]},
    {"name": "Total", "type": "currency", "description": "Total amount before tax"},
    {"name": "Tax", "type": "currency"},
    {"name": "Amount to pay", "type": "number"},
    {"name": "IBAN"},
    {"name": "Project Number"},
    {
        "name": "Positions",
        "type": "table",
        "columns": [
            {"name": "Artikel"},
            {"name": "Details", "description": "Longer description"},
            {"name": "Menge", "type": "number"},
            {"name": "Price", "type": "currency"},
            {"name": "Amount", "type": "currency"},
        ],
    },
    {
        "name": "Taxes",
        "type": "table",
        "columns": [
            {"name": "Rate", "type": "number"},
            {"name": "Base", "type": "currency"},
            {"name": "Amount", "type": "currency"},
        ],
    },
]

EXPECTED = {
    "Invoice Number": "R-7",
    "Date": "2024-07-31",
    "Zahlbar bis": "2024-08-14",
    "Vendor": "Möbel Nord GmbH",
    "Customer Name": "Käufer & Söhne AG",
    "vat": "DE123456789",
    "Currency": "EUR",
    "Total": 250,
    "Tax": 41.5,
    "Amount to pay": 200,
    "IBAN": "DE02120300000000202051",
    "Project Number": None,
    "Positions": [
        {"Artikel": "Chair", "Details": "Fine Chair", "Menge": 2, "Price": 100, "Amount": 200},
        {"Artikel": "Hour", "Details": "Fine Hour", "Menge": 1, "Price": 50, "Amount": 50},
    ],
    "Taxes": [{"Rate": 19, "Base": 200, "Amount": 38}, {"Rate": 7, "Base": 50, "Amount": 3.5}],
}


def extract(data: bytes, fields: list[dict[str, Any]] = FIELDS) -> Extraction:
    return extract_document(read(data, ""), parse_fields(fields))


def test_an_invoice_in_xml_is_read_whole() -> None:
    result = extract(samples.cii())
    assert result.data == EXPECTED
    number = result.field_metadata["Invoice Number"]
    assert number["source"] == "structured"
    assert number["confidence"] > 0.95
    assert number["locations"][0]["text"] == "R-7"
    assert "Project Number" not in result.field_metadata


def test_headings_and_remarks_among_the_lines_are_no_items() -> None:
    data = samples.cii().replace(b">1</ram:BilledQuantity>", b">0</ram:BilledQuantity>")
    data = data.replace(b">50.00</ram:LineTotalAmount>", b">0.00</ram:LineTotalAmount>")
    assert [row["Artikel"] for row in extract(data).data["Positions"]] == ["Chair"]


def test_what_the_xml_does_not_state_is_empty() -> None:
    data = samples.cii().replace(b"PaymentReference>", b"Other>")
    result = extract(data, [{"name": "Payment Reference"}, {"name": "Supplier Website", "required": True}])
    assert result.data == {"Payment Reference": None, "Supplier Website": None}
    assert result.field_metadata["Supplier Website"]["validation"][0]["rule"] == "required"


@pytest.mark.parametrize("name", ["factur-x.xml", "zugferd-invoice.xml", "anything.bin"])
def test_an_invoice_inside_a_pdf(name: str) -> None:
    page = lines_page(
        ("Invoice no. R-7 of 31 July 2024", "Chair  2  100.00  200.00", "Hour  1  50.00  50.00")
    )
    data = samples.with_attachments(pdf(page), {"photo.jpg": b"\xff\xd8\xff\xe0", name: samples.cii()})
    result = extract(data)
    assert result.data == EXPECTED
    [place] = result.field_metadata["Date"]["locations"]
    assert place["text"] == "31 July 2024"
    rows = result.field_metadata["Positions"]
    tops = [row["Amount"]["locations"][0]["bbox"]["top"] for row in rows]
    assert tops[0] < tops[1]
    assert rows[1]["Price"]["rawText"] == "50.00"
    assert rows[0]["Details"]["locations"] == []


def test_what_only_the_page_shows_is_read_from_the_page() -> None:
    page = lines_page(("Project number: P-4711", "Invoice number: WRONG-1"))
    data = samples.with_attachments(pdf(page), {"x.xml": samples.cii()})
    result = extract(data, [{"name": "Project Number"}, {"name": "Invoice Number"}])
    assert result.data == {"Project Number": "P-4711", "Invoice Number": "R-7"}
    assert result.field_metadata["Project Number"]["source"] == "text"


@pytest.mark.parametrize(
    "content", [b"<rsm:CrossIndustryInvoice", samples.cii()[:900], b"<a>" * 9000, b"\x00"]
)
def test_a_damaged_attachment_leaves_the_page(content: bytes) -> None:
    data = samples.with_attachments(pdf(lines_page(("Invoice number: V-1",))), {"factur-x.xml": content})
    result = extract(data, [{"name": "Invoice Number"}])
    assert result.data == {"Invoice Number": "V-1"}
    assert any("factur-x.xml" in warning for warning in result.warnings)


def test_an_order_answers_as_an_order() -> None:
    fields = [{"name": "Order Number"}, {"name": "Order Date", "type": "date"}, {"name": "Supplier Name"}]
    result = extract(samples.cii("SCRDMCCBDACIOMessageStructure"), fields)
    assert result.data == {
        "Order Number": "R-7",
        "Order Date": "2024-07-31",
        "Supplier Name": "Möbel Nord GmbH",
    }


def test_a_list_takes_every_value() -> None:
    means, account = "SpecifiedTradeSettlementPaymentMeans", "PayeePartyCreditorFinancialAccount"
    iban = "<ram:IBANID>FR7630006000011234567890189</ram:IBANID>"
    second = f"<ram:{means}><ram:{account}>{iban}</ram:{account}></ram:{means}>"
    result = extract(samples.cii(extra=second), [{"name": "IBANs", "type": "list"}])
    assert result.data == {"IBANs": ["DE02120300000000202051", "FR7630006000011234567890189"]}


@pytest.mark.parametrize(
    ("field", "term"),
    [
        ({"name": "Rechnungsnummer"}, "invoice_number"),
        ({"name": "numero_fattura"}, "invoice_number"),
        ({"name": "Lieferantenname"}, "seller_name"),
        ({"name": "Name des Käufers"}, "buyer_name"),
        ({"name": "customerVatId"}, "buyer_vat_id"),
        ({"name": "name", "description": "Name of the customer"}, "buyer_name"),
        ({"name": "Name of the seller"}, "seller_name"),
        ({"name": "supplier_city"}, "seller_city"),
        ({"name": "Buyer e-mail"}, "buyer_email"),
        ({"name": "Nom du client"}, "buyer_name"),
        ({"name": "Ship to address"}, "delivery_address"),
        ({"name": "date", "type": "date"}, "invoice_date"),
        ({"name": "Fecha de vencimiento", "type": "date"}, "due_date"),
        ({"name": "Leistungsdatum", "type": "date"}, "delivery_date"),
        ({"name": "Total HT", "type": "currency"}, "net_total"),
        ({"name": "Umsatzsteuer", "type": "currency"}, "tax_total"),
        ({"name": "total", "type": "currency", "description": "Amount payable"}, "amount_due"),
        ({"name": "total", "type": "currency", "description": "Total with tax"}, "grand_total"),
        ({"name": "VAT"}, "seller_vat_id"),
        ({"name": "Leitweg-ID"}, "buyer_reference"),
        ({"name": "x1", "description": "Purchase order number"}, "order_number"),
        ({"name": "Approved", "type": "boolean"}, None),
        ({"name": "Weather"}, None),
        ({"name": "Total pages", "type": "number"}, None),
        ({"name": "Contract Start", "type": "date"}, None),
    ],
)
def test_meanings(field: dict[str, Any], term: str | None) -> None:
    assert term_of(query_of(Field.model_validate(field))) == term


def test_columns() -> None:
    columns = {
        "Description": "description", "item_name": "description", "SKU": "sku", "Qty": "quantity",
        "Einheit": "unit",
    }  # fmt: skip
    types = {"Qty": FieldType.NUMBER}
    for name, term in columns.items():
        assert column_of(query_of(Field(name=name, type=types.get(name, FieldType.TEXT))), "lines") == term
    weather = Field(name="Weather", type=FieldType.TABLE, columns=(Field(name="Wind"), Field(name="Rain")))
    assert table_of(query_of(weather)) is None


PER = {
    samples.ubl: (
        "</cbc:PriceAmount>",
        '</cbc:PriceAmount><cbc:BaseQuantity unitCode="H87">{}</cbc:BaseQuantity>',
    ),
    samples.cii: (
        "</ram:ChargeAmount></ram:NetPriceProductTradePrice>",
        "</ram:ChargeAmount><ram:BasisQuantity>{}</ram:BasisQuantity></ram:NetPriceProductTradePrice>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("syntax", list(PER))
@pytest.mark.parametrize(
    ("base", "stated", "price"),
    [("100", "10000.00", 100.0), ("1000", "37.00", 0.037), ("100.00", "100.00", 100.0)],
)
def test_a_price_per_several_is_that_of_one(syntax: Any, base: str, stated: str, price: float) -> None:
    """The price that makes the amount of its line is that of one, whatever quantity stands beside it."""
    before, after = PER[syntax]
    data = (
        syntax()
        .replace(before.encode(), after.format(base).encode())
        .replace(b">100.00<", f">{stated}<".encode(), 1)
    )
    columns = [{"name": "Unit Price", "type": "currency"}, {"name": "Quantity", "type": "number"}]
    result = extract(data, [{"name": "Line Items", "type": "table", "columns": columns}])
    assert result.data["Line Items"][0] == {"Unit Price": price, "Quantity": 2.0}
    [place] = result.field_metadata["Line Items"][0]["Unit Price"]["locations"]
    assert place["text"] == stated
    both = [*columns, {"name": "Price unit", "type": "number"}]
    result = extract(data, [{"name": "Line Items", "type": "table", "columns": both}])
    assert result.data["Line Items"][0]["Unit Price"] == float(stated)
    assert result.data["Line Items"][0]["Price unit"] == float(base)
