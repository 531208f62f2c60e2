from __future__ import annotations

from email.message import EmailMessage

import pytest

from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.extraction.jobs.mail_body import body_has_values
from docduck.extraction.run_extractors import extract_document
from docduck.templates import load

SIGNATURE = "Kind regards,\nAnn Lee\nTotal Tools Ltd.\n12 Harbour Road, Bristol BS1 4ND\nVAT GB123456789\n"


def has_values(template: str, body: str) -> bool:
    message = EmailMessage()
    message["From"] = "Ann Lee <ann@example.com>"
    message["To"] = "invoices@example.com"
    message["Subject"] = "Our invoice"
    message["Date"] = "Tue, 05 Mar 2024 23:30:00 -0500"
    message.set_content(body)
    document = read(message.as_bytes(), "mail.eml", ReadOptions(attachments="apart"))
    return body_has_values(document, extract_document(document, load(template).fields))


@pytest.mark.parametrize("template", ["invoice", "receipt", "purchase_order", "bank_statement"])
@pytest.mark.parametrize(
    "body",
    [
        "See attached.\n",
        "Dear Sirs,\n\nplease find it attached.\n\n" + SIGNATURE,
        "Hello,\n\nattached is the paper of last week.\n\nThanks\nAnn\n",
        "Please find it attached\n\n--\nAnn Lee\nTotal Tools Ltd.\n12 Harbour Road, Bristol BS1 4ND\n",
        "Please find our invoice attached.\n\nAnn Lee\nTotal Tools Ltd.\n12 Harbour Road, Bristol BS1 4ND\n"
        "Tel. +44 117 496 0000\nVAT GB123456789\n",
        "Hi,\n\nattached.\n\nAnn Lee\n\nTotal Tools Ltd.\nVAT GB123456789\nwww.totaltools.example.com\n",
        "Anbei.\n\nTotal Tools GmbH\nHafenstr. 12\n20457 Hamburg\ninfo@totaltools.de\n\n"
        "USt-IdNr. DE123456789\nwww.totaltools.de\n",
        "Sehr geehrte Damen und Herren,\n\nanbei unser Beleg.\n\nMit freundlichen Grüßen\nJonas Brettner\n",
    ],
)
def test_a_cover_note_has_no_values(template: str, body: str) -> None:
    assert not has_values(template, body)


@pytest.mark.parametrize(
    ("template", "body"),
    [
        ("invoice", "Invoice number: 4711\nTotal: 119.00 EUR\n\n" + SIGNATURE),
        ("purchase_order", "Please order 3 lamps.\nPO number: 4711\nTotal 30.00\n"),
        ("invoice", "Invoice number: 4711\nTotal: 119.00 EUR\n\nTotal Tools Ltd.\nTel. +44 117 496 0000\n"),
        ("receipt", "Receipt number: 4711\nTotal: 12.00 EUR\nwww.shop.example.com\n"),
        ("receipt", "Hello,\n\nReceipt number: 4711\nTotal: 12.00 EUR\nwww.shop.example.com\n"),
        ("receipt", "Thank you for your visit.\nReceipt number: 4711\nTotal: 12.00 EUR\n"),
    ],
)
def test_a_body_that_is_a_document_has_values(template: str, body: str) -> None:
    assert has_values(template, body)
