"""Fields answered from a mail's headers, whatever language they are named in."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest

from docduck.documents.reader import read
from docduck.extraction.extractors.mail.extractor import MailExtractor
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.result import Finding
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field


def mail() -> bytes:
    message = EmailMessage()
    message["From"] = "Ann Lee <ann@example.com>"
    message["To"] = "Bob Ray <bob@example.com>, carol@example.com"
    message["Cc"] = "dan@example.com"
    message["Subject"] = "Your order 17"
    message["Date"] = "Tue, 05 Mar 2024 23:30:00 -0500"
    message["Message-ID"] = "<42@example.com>"
    message.set_content("Dear Bob,\ninvoice date 1 February 2024\n")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="order 17.pdf")
    return message.as_bytes()


def found(*fields: Field, data: bytes | None = None) -> dict[str, Finding]:
    return (
        MailExtractor()
        .find(read(data or mail()), [query_of(one) for one in fields], ExtractOptions())
        .scalars
    )


def field(name: str, type_: str = "text", description: str | None = None) -> Field:
    return Field.model_validate({"name": name, "type": type_, "description": description})


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (field("subject"), "Your order 17"),
        (field("Betreff"), "Your order 17"),
        (field("Objet du message"), "Your order 17"),
        (field("sender_email"), "ann@example.com"),
        (field("Absender"), "Ann Lee <ann@example.com>"),
        (field("Sender name"), "Ann Lee"),
        (field("sender", description="E-mail address of the sender"), "ann@example.com"),
        (field("recipients", "list"), ["bob@example.com", "carol@example.com"]),
        (field("Destinataires", "list"), ["bob@example.com", "carol@example.com"]),
        (
            field("Recipient names", "list", "Names of those the mail is addressed to"),
            ["Bob Ray", "carol@example.com"],
        ),
        (field("Odbiorca"), "Bob Ray <bob@example.com>, carol@example.com"),
        (field("cc", "list"), ["dan@example.com"]),
        (field("Date sent", "date"), "2024-03-05"),
        (field("date", "date", "Date the message was sent"), "2024-03-05"),
        (field("Gesendet am", "date"), "2024-03-05"),
        (field("sent at"), "Tue, 05 Mar 2024 23:30:00 -0500"),
        (field("Message ID"), "<42@example.com>"),
        (field("attachments", "list"), ["order 17.pdf"]),
        (field("Number of attachments", "number"), 1),
        (field("Allegati"), "order 17.pdf"),
    ],
)
def test_a_field_that_means_a_header_gets_its_value(asked: Field, value: Any) -> None:
    finding = found(asked)[asked.name]
    assert finding.value == value
    assert finding.source == "structured"


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("auto", "2024-03-05"),
        ("UTC", "2024-03-06"),
        ("Asia/Tokyo", "2024-03-06"),
        ("Pacific/Honolulu", "2024-03-05"),
    ],
)
def test_the_time_zone_tells_the_day(zone: str, day: str) -> None:
    options = ExtractOptions(locale=ReadingLocale(time_zone=zone))
    answers = (
        MailExtractor()
        .find(read(mail()), [query_of(field("Date sent", "date")), query_of(field("sent at"))], options)
        .scalars
    )
    assert (answers["Date sent"].value, answers["sent at"].value) == (day, "Tue, 05 Mar 2024 23:30:00 -0500")


def test_the_first_day_of_the_calendar_has_a_date_in_every_zone() -> None:
    data = mail().replace(b"Tue, 05 Mar 2024 23:30:00 -0500", b"Mon, 01 Jan 0001 00:00:00 +0000")
    options = ExtractOptions(locale=ReadingLocale(time_zone="Pacific/Honolulu"))
    MailExtractor().find(read(data), [query_of(field("Date sent", "date"))], options)


def test_a_plain_date_is_the_mails_only_beside_other_headers() -> None:
    date = field("date", "date")
    assert found(date) == {}
    assert found(date, field("subject"))["date"].value == "2024-03-05"
    assert "Invoice date" not in found(field("Invoice date", "date"), field("subject"))


def test_a_value_stands_at_its_header_line() -> None:
    (place,) = found(field("sender_email"))["sender_email"].locations
    assert (place.page, place.text) == (1, "<ann@example.com>")
    page = read(mail()).pages[0]
    word = next(word for word in page.words if word.text == "<ann@example.com>")
    assert place.box == word.box


def test_other_documents_and_missing_headers_are_left_alone() -> None:
    assert found(field("subject"), data=b"Subject matters are listed below") == {}
    bare = b"From: a@example.com\nSubject: x\nMIME-Version: 1.0\n\nbody"
    asked = [field("subject"), field("cc", "list"), field("Message ID"), field("date", "date")]
    findings = MailExtractor().find(read(bare), [query_of(one) for one in asked], ExtractOptions())
    assert set(findings.scalars) == {"subject"}
    assert findings.absent == {"cc", "Message ID"}


@pytest.mark.parametrize(
    "name",
    ["Invoice_4711.pdf", "image001.png", "smime.p7m", "2024.pdf", "Invoice 4711 of 12 March 2024.pdf",
     "Rechnung Nr. 4711 Gesamtbetrag 12,50 EUR.pdf", "Facture n° 4711, avoir n° 12.pdf"],
)  # fmt: skip
@pytest.mark.parametrize("body", ["Dear all,\nplease find it attached.\n", ""])
def test_what_attachments_are_called_is_no_value(name: str, body: str) -> None:
    message = EmailMessage()
    message["From"], message["To"] = "billing@example.com", "ap@example.org"
    message["Subject"] = "Documents"
    message.set_content(body)
    for other in ("logo.png", name, f"Copy of {name}"):
        message.add_attachment(b"x", maintype="application", subtype="octet-stream", filename=other)
    asked = [
        field("Invoice Number"),
        field("Invoice Date", "date"),
        field("Total", "currency"),
        field("Order Number"),
        field("Attachments", "list"),
    ]
    data = extract_document(read(message.as_bytes()), asked).data
    assert data.pop("Attachments") == ["logo.png", name, f"Copy of {name}"]
    assert set(data.values()) == {None}


def test_the_text_below_the_attachments_is_read() -> None:
    message = EmailMessage()
    message["From"], message["To"] = "billing@example.com", "ap@example.org"
    message.set_content("Invoice Number: A-17\nTotal: 12.50 EUR\n")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="Invoice_4711.pdf")
    data = extract_document(
        read(message.as_bytes()), [field("Invoice Number"), field("Total", "currency")]
    ).data
    assert data == {"Invoice Number": "A-17", "Total": 12.5}
