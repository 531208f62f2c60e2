from __future__ import annotations

import base64

import pytest

from docduck.documents.formats.einvoice.model import Invoice
from docduck.documents.formats.einvoice.parse import parse_invoice
from docduck.errors import DamagedFile
from tests.documents.formats.einvoice import samples


def parsed(data: bytes) -> Invoice:
    invoice = parse_invoice(data)
    assert invoice is not None
    return invoice


def terms(invoice: Invoice, *names: str) -> list[str | None]:
    return [invoice.get(name) for name in names]


def rows(invoice: Invoice, *names: str) -> list[tuple[str | None, ...]]:
    return [tuple(row.get(name, [None])[0] for name in names) for row in invoice.tables["lines"]]


def test_cross_industry_invoice() -> None:
    invoice = parsed(samples.cii())
    assert invoice.kind == "invoice"
    assert terms(invoice, "invoice_number", "invoice_date", "due_date", "delivery_date", "currency") == [
        "R-7", "2024-07-31", "2024-08-14", "2024-07-29", "EUR",
    ]  # fmt: skip
    assert terms(invoice, "seller_name", "seller_vat_id", "seller_tax_number", "buyer_vat_id") == [
        "Möbel Nord GmbH", "DE123456789", "21/815/08150", "DE987654321",
    ]  # fmt: skip
    assert invoice.get("seller_address") == "Weg 1, 10115 Berlin, DE"
    assert terms(invoice, "net_total", "tax_total", "grand_total", "amount_paid", "amount_due") == [
        "250.00", "41.50", "291.50", "91.50", "200.00",
    ]  # fmt: skip
    assert invoice.get("note") == "First note\nSecond note"
    assert rows(invoice, "position", "sku", "description", "quantity", "unit", "unit_price", "tax_rate") == [
        ("1", "A-1", "Chair", "2", "H87", "100.00", "19"),
        ("2", "A-2", "Hour", "1", "HUR", "50.00", "7"),
    ]
    assert [row["taxable_amount"] for row in invoice.tables["vat"]] == [["200.00"], ["50.00"]]


def test_zugferd_1() -> None:
    invoice = parsed(samples.ZUGFERD_1)
    assert terms(invoice, "invoice_number", "invoice_date", "seller_name", "net_total", "amount_due") == [
        "Z1", "2013-03-05", "Lieferant GmbH", "198.00", "235.62",
    ]  # fmt: skip
    assert rows(invoice, "description", "quantity", "unit_price", "tax_rate", "line_total") == [
        ("Trennblaetter A4", "20", "9.90", "19.00", "198.00")
    ]


def test_order_x() -> None:
    invoice = parsed(samples.cii("SCRDMCCBDACIOMessageStructure"))
    assert (invoice.kind, invoice.get("invoice_number")) == ("order", "R-7")
    assert rows(invoice, "quantity") == [("2",), ("1",)]


@pytest.mark.parametrize("root", ["Invoice", "CreditNote"])
def test_ubl(root: str) -> None:
    invoice = parsed(samples.ubl(root))
    assert invoice.kind == ("invoice" if root == "Invoice" else "credit note")
    assert terms(invoice, "invoice_number", "due_date", "seller_name", "seller_trading_name") == [
        "U-7", "2024-08-14", "Möbel Nord GmbH", "Möbel Nord GmbH Brand",
    ]  # fmt: skip
    assert terms(invoice, "net_total", "tax_total", "grand_total") == ["250.00", "41.50", "291.50"]
    assert rows(invoice, "description", "item_description", "quantity", "unit_price", "line_total") == [
        ("Chair", "Fine Chair", "2", "100.00", "200.00"),
        ("Hour", "Fine Hour", "1", "50.00", "50.00"),
    ]


def test_oioubl_states_the_tax_as_tax_exclusive_amount() -> None:
    invoice = parsed(samples.ubl(net="41.50", customization="OIOUBL-2.02"))
    assert terms(invoice, "net_total", "tax_total", "grand_total") == ["250.00", "41.50", "291.50"]


def test_envelope() -> None:
    body = samples.ubl().split(b"?>", 1)[1]
    header = b"<StandardBusinessDocumentHeader><Invoice>x</Invoice></StandardBusinessDocumentHeader>"
    wrapped = b"<StandardBusinessDocument xmlns='s'>" + header + body + b"</StandardBusinessDocument>"
    assert parsed(wrapped).get("invoice_number") == "U-7"


def enveloped(content: bytes) -> list[bytes]:
    """A document in the envelopes in which it is sent, signed or not."""
    packed = base64.b64encode(content)
    body = content.split(b"?>", 1)[1]
    ds = b'<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo/>%s</ds:Signature>'
    sbd = b"<StandardBusinessDocument xmlns='s'><Header/>%s</StandardBusinessDocument>"
    soap = b"<s:Envelope xmlns:s='soap'><s:Header/><s:Body><Send>%s</Send></s:Body></s:Envelope>"
    return [
        ds % (b"<ds:Object Id='o'>%s</ds:Object>" % body),
        ds % (b"<ds:Object Encoding='base64'>%s</ds:Object>" % packed),
        sbd % (b"<BinaryContent mimeType='application/xml'>%s</BinaryContent>" % packed),
        soap % (sbd % body),
        soap % (b"<a><b><c>%s</c></b></a>" % body),
        soap % (b"<content><![CDATA[%s]]></content>" % content),
        soap % (b"<file>%s</file>" % base64.encodebytes(samples.signed(content))),
        samples.signed(ds % (b"<ds:Object>%s</ds:Object>" % body)),
        samples.signed(samples.signed(content)),
    ]


@pytest.mark.parametrize("number", range(9))
def test_documents_are_found_in_their_envelopes(number: int) -> None:
    assert parsed(enveloped(samples.ubl())[number]).get("invoice_number") == "U-7"


def test_envelopes_within_one_another_are_bounded() -> None:
    packed = samples.ubl()
    for _ in range(6):
        packed = b"<File>%s</File>" % base64.b64encode(packed)
    assert parse_invoice(packed) is None
    for text in (b"x" * 500, base64.b64encode(b"no xml" * 50), b"&lt;Invoice" * 20):
        assert parse_invoice(b"<File>%s</File>" % text) is None


def test_fatturapa() -> None:
    invoice = parsed(samples.FATTURAPA)
    assert terms(invoice, "invoice_number", "invoice_date", "due_date", "order_number") == [
        "123/A", "2024-01-18", "2024-02-18", "66685",
    ]  # fmt: skip
    assert terms(invoice, "seller_name", "seller_vat_id", "buyer_name", "buyer_tax_number") == [
        "ALPHA SRL", "IT01234567890", "Mario Rossi", "RSSMRA80A01H501U",
    ]  # fmt: skip
    assert terms(invoice, "net_total", "tax_total", "grand_total", "amount_due") == [
        "25.00", "3.10", "28.10", "28.10",
    ]  # fmt: skip
    assert invoice.get("seller_address") == "VIALE ROMA, 5, 07100 SASSARI, SS, IT"
    assert invoice.get("note") == "Prima causale\nSeconda causale"
    assert rows(invoice, "description", "quantity", "line_total") == [
        ("Sedie", "5.00", "5.00"), ("Tavolo", None, "20.00"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "name", "number"),
    [(samples.FATTURAPA, b"FatturaElettronicaBody", "123/A"), (samples.FACTURAE, b"Invoice", "F-9")],
)
def test_of_several_invoices_the_first_is_read(data: bytes, name: bytes, number: str) -> None:
    end = b"</" + name + b">"
    body = data[data.index(b"<" + name + b">") : data.index(end)] + end
    invoice = parsed(data.replace(end, end + body))
    assert invoice.get("invoice_number") == number
    assert invoice.warnings == ["The file holds 2 invoices; the first was read"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (samples.FACTURAE, ["F-9", "2024-03-01", "2024-03-31", "Muebles Sol S.A.", "Juana Mauriño",
                            "A2800056F", "EUR", "100.00", "21.00", "121.00", "ES9121000418450200051332"]),
        (samples.EBINTERFACE, ["E-1", "2024-04-02", "2024-05-02", "Tischler GmbH", "Amt Graz", "ATU12345678",
                               "EUR", "100", "20", "120", "AT611904300234573201"]),
        (samples.KSEF, ["FV2024/02/150", "2024-02-15", "2024-03-15", "ABC AGD sp. z o. o.",
                        "F.H.U. Jan Kowalski", "9999999999", "PLN", "1010", "230.5", "1240.50", None]),
    ],
)  # fmt: skip
def test_national_formats(data: bytes, expected: list[str | None]) -> None:
    invoice = parsed(data)
    assert terms(
        invoice, "invoice_number", "invoice_date", "due_date", "seller_name", "buyer_name", "seller_vat_id",
        "currency", "net_total", "tax_total", "grand_total", "account",
    ) == expected  # fmt: skip
    assert len(invoice.tables["lines"]) == 1
    assert {"description", "quantity", "unit_price", "line_total"} <= invoice.tables["lines"][0].keys()


@pytest.mark.parametrize("chunked", [False, True])
def test_signed_envelopes(chunked: bool) -> None:
    envelope = samples.signed(samples.FATTURAPA, chunked)
    assert parsed(envelope).get("invoice_number") == "123/A"
    assert parsed(base64.encodebytes(envelope)).get("invoice_number") == "123/A"


@pytest.mark.parametrize("cut", [10, 60, 500, -5])
def test_truncated_envelope(cut: int) -> None:
    with pytest.raises(DamagedFile):
        parse_invoice(samples.signed(samples.FATTURAPA)[:cut])


def test_other_xml_is_no_invoice() -> None:
    assert parse_invoice(b"<Invoice><Hello/></Invoice>") is None
    assert parse_invoice(b"<note xmlns='urn:x'><to>Ada</to></note>") is None


def test_absurd_values_are_left_out() -> None:
    data = samples.ubl().replace(b"2024-07-31", b"2024-13-45").replace(b">291.50<", b">1e999999999<")
    invoice = parsed(data)
    assert invoice.get("invoice_date") is None
    assert invoice.get("grand_total") == "291.50"


@pytest.mark.parametrize(
    ("declared", "real"),
    [("UTF-8", "windows-1252"), ("UTF-16", "utf-8"), ("ISO-8859-1", "iso-8859-1"), ("UTF-16", "utf-16"),
     ("no-such-encoding", "utf-8")],
)  # fmt: skip
def test_encodings_declared_rightly_or_not(declared: str, real: str) -> None:
    text = samples.ubl().decode().replace('encoding="UTF-8"', f'encoding="{declared}"')
    assert parsed(text.encode(real)).get("seller_name") == "Möbel Nord GmbH"


def test_entities_are_not_expanded() -> None:
    laughs = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE Invoice [<!ENTITY e0 "lol">{laughs}]>'
    text = samples.ubl().decode().split("?>", 1)[1]
    try:
        invoice = parse_invoice((bomb + text.replace("Berlin", "&e11;")).encode())
    except DamagedFile:
        return
    assert invoice is not None
    assert len(invoice.get("seller_city") or "") < 100


def test_external_entities_are_not_read(tmp_path: object) -> None:
    from pathlib import Path

    secret = Path(str(tmp_path)) / "secret.txt"
    secret.write_text("TOP SECRET")
    head = f'<!DOCTYPE Invoice [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    text = samples.ubl().decode().split("?>", 1)[1]
    invoice = parsed((head + text.replace("Berlin", "&x;")).encode())
    assert "SECRET" not in str(invoice.terms)


@pytest.mark.parametrize(
    "data",
    [
        b"<a>" * 100_000,
        b"<a>" * 2000 + b"</a>" * 2000,
        b"<Invoice xmlns='u'>" + b"<x/>" * 2_100_000 + b"</Invoice>",
        b"<Invoice>" + b" " * 100_000_000 + b"</Invoice>",
        b"<Invoice",
        b"not xml",
        b"\xff\xfe<\x00",
        b" ",
    ],
    ids=["unclosed", "deep", "many", "large", "cut", "text", "half", "blank"],
)  # fmt: skip
def test_hostile_xml_is_refused(data: bytes) -> None:
    with pytest.raises(DamagedFile):
        parse_invoice(data)
