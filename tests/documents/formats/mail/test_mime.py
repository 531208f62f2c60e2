"""RFC 5322 mails: headers, bodies, files, and all that can be wrong with them."""

from __future__ import annotations

import base64
import contextlib
import struct
import time
from datetime import timedelta
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docduck.documents.detection.sniff import content_type
from docduck.documents.document import Document, MailAddress
from docduck.documents.formats.mail.headers import decode_charset, decode_words, parse_addresses, parse_date
from docduck.documents.formats.mail.tnef import unwrap
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import DocumentError, NoPagesMatch
from tests.documents.formats.files import encoded, lines_page, pdf, picture


def mail(body: str = "Hello.\n", **headers: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = headers.pop("from_", "Ann Lee <ann@example.com>")
    message["To"] = headers.pop("to", "Bob <bob@example.com>, carol@example.com")
    message["Subject"] = headers.pop("subject", "Grüße")
    message["Date"] = headers.pop("date", "Tue, 5 Mar 2024 23:30:00 -0500")
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(body)
    return message


def read_mail(message: EmailMessage, options: ReadOptions | None = None) -> Document:
    return read(message.as_bytes(), "x.bin", options or ReadOptions())


def test_headers_are_values_and_lines_of_page_one() -> None:
    document = read_mail(mail(Cc="dan@example.com", Message_ID="<1@example.com>"))
    assert document.content_type == "message/rfc822"
    headers = document.mail
    assert headers is not None
    assert headers.subject == "Grüße"
    assert headers.from_ == (MailAddress("Ann Lee", "ann@example.com"),)
    assert headers.to == (MailAddress("Bob", "bob@example.com"), MailAddress("", "carol@example.com"))
    assert headers.cc == (MailAddress("", "dan@example.com"),)
    assert headers.message_id == "<1@example.com>"
    assert headers.date is not None and headers.date.date().isoformat() == "2024-03-05"
    assert headers.date.utcoffset() == timedelta(hours=-5)
    shown = [line.text for line in document.pages[0].lines]
    assert shown == [
        "From: Ann Lee <ann@example.com>",
        "To: Bob <bob@example.com>, carol@example.com",
        "Cc: dan@example.com",
        "Date: Tue, 05 Mar 2024 23:30:00 -0500",
        "Subject: Grüße",
        "Hello.",
    ]


def test_attachments_are_told_from_pictures_in_the_text() -> None:
    message = mail()
    message.add_alternative("<p>Hello</p><img src='cid:logo'>", subtype="html")
    html = message.get_payload()[1]  # type: ignore[index]
    html.add_related(b"png", "image", "png", cid="<logo>", filename="logo.png", disposition="inline")  # type: ignore[union-attr]
    message.add_attachment(b"%PDF-1.4 x", maintype="application", subtype="pdf", filename="Rechnung März.pdf")
    document = read_mail(message)
    assert [(f.name, f.inline) for f in document.attachments] == [
        ("logo.png", True),
        ("Rechnung März.pdf", False),
    ]
    assert document.mail is not None
    assert document.mail.attachments == ("Rechnung März.pdf",)
    assert document.attachments[1].data == b"%PDF-1.4 x"


def test_html_shows_only_what_is_visible() -> None:
    message = mail()
    message.set_content(
        "<html><head><title>t</title><style>p{}</style></head><body><p>One&nbsp;two</p>"
        "<div style='display:none'>preheader</div><script>alert(1)</script>"
        "<span style='font-size:0px'>zero</span>"
        "<table><tr><th>Item</th><th>Price</th></tr><tr><td><p>Pen</p></td><td><p>1.20</p></td></tr></table>"
        "<img src='http://example.com/pixel.png' alt='x'>last<br>line</body></html>",
        subtype="html",
    )
    text = read_mail(message).pages[0].text
    assert "One two" in text and "last\nline" in text
    for hidden in ("preheader", "alert", "zero", "pixel"):
        assert hidden not in text
    rows = [
        line for line in read_mail(message).pages[0].lines if line.text in ("Item", "Pen", "Price", "1.20")
    ]
    left = {line.text: line.box.left for line in rows}
    assert left["Item"] == left["Pen"] and left["Price"] == left["1.20"]


def test_a_nested_mail_is_a_file_and_a_digest_shows_its_messages() -> None:
    message = mail()
    message.add_attachment(mail(subject="Inner"))
    document = read_mail(message)
    (file,) = document.attachments
    assert (file.name, file.content_type) == ("Inner.eml", "message/rfc822")
    inner = read(file.data)
    assert inner.mail is not None and inner.mail.subject == "Inner"

    digest = (
        b"From: a@example.com\nTo: b@example.com\nSubject: Digest\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/digest; boundary="x"\n\n'
        b"--x\n\nFrom: e@example.com\nTo: l@example.com\nSubject: First\n\none\n"
        b"--x\n\nFrom: f@example.com\nTo: l@example.com\nSubject: Second\n\ntwo\n--x--\n"
    )
    pages = read(digest).pages
    assert [
        "Subject: Digest" in pages[0].text,
        "Subject: First" in pages[1].text,
        "two" in pages[2].text,
    ] == [True] * 3


def test_a_nested_mail_in_base64_is_decoded() -> None:
    inner = base64.encodebytes(mail(subject="Inner").as_bytes()).decode()
    data = (
        "From: a@example.com\nSubject: Out\nMIME-Version: 1.0\n"
        "Content-Type: multipart/mixed; boundary=q\n\n--q\n"
        "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n"
        f'Content-Disposition: attachment; filename="test.eml"\n\n{inner}\n--q--\n'
    )
    (file,) = read(data.encode()).attachments
    again = read(file.data)
    assert file.name == "test.eml" and again.mail is not None and again.mail.subject == "Inner"


def tnef(name: str, data: bytes) -> bytes:
    def attribute(level: int, tag: int, value: bytes) -> bytes:
        checksum = sum(value) & 0xFFFF
        return struct.pack("<BII", level, tag, len(value)) + value + struct.pack("<H", checksum)

    wide = (name + "\0").encode("utf-16-le")
    properties = struct.pack("<IHHII", 1, 0x001F, 0x3707, 1, len(wide)) + wide
    return (
        struct.pack("<IH", 0x223E9F78, 1)
        + attribute(2, 0x00069002, bytes(14))
        + attribute(2, 0x00018010, b"SHORT~1.PDF\0")
        + attribute(2, 0x0006800F, data)
        + attribute(2, 0x00069005, properties)
    )


def test_files_in_a_winmail_dat_are_attachments() -> None:
    message = mail()
    wrapped = tnef("Lieferschein März.pdf", b"%PDF-1.4")
    message.add_attachment(wrapped, maintype="application", subtype="ms-tnef", filename="winmail.dat")
    document = read_mail(message)
    assert document.mail is not None
    assert [f.name for f in document.attachments if not f.inline] == ["Lieferschein März.pdf"]
    assert next(f for f in document.attachments if not f.inline).data == b"%PDF-1.4"
    assert document.mail.attachments == ("Lieferschein März.pdf", "winmail.dat")
    for cut in range(len(wrapped)):
        unwrap(wrapped[:cut])


@pytest.mark.slow
def test_hostile_mails_take_no_long_time() -> None:
    start = time.process_time()
    head = b"From: a@x.de\nTo: b@x.de\nSubject: "
    read(head + b"=?a?q?" * 15_000 + b"\n\nx")
    read(head + b"s\n\n" + b"On 1 May A wrote:\nanswer\n" * 4_000)
    read(head + b"s\nContent-Type: text/html\n\n" + b"<table><tr><td>" * 2_500 + b"x")
    read(head + b"s\nCc: " + b"(" * 25_000 + b'"' * 25_001 + b"\n\nx")
    assert time.process_time() - start < 4


def test_merged_attachments_follow_the_mails_own_pages() -> None:
    message = mail()
    message.add_attachment(
        pdf(lines_page(("first page",)), lines_page(("second page",))),
        maintype="application",
        subtype="pdf",
        filename="a.pdf",
    )
    message.add_attachment(b"\x00\x01\x02\xff\xfe", maintype="application", subtype="x-odd", filename="b.odd")
    merged = read_mail(message, ReadOptions(attachments="merged"))
    assert merged.page_count == 3
    assert [page.number for page in merged.pages] == [1, 2, 3]
    assert "second page" in merged.pages[2].text
    assert merged.warnings == ["b.odd was left out: Unsupported file type"]
    last = read_mail(message, ReadOptions(attachments="merged", pages="last"))
    assert [page.number for page in last.pages] == [3] and "second page" in last.text
    with pytest.raises(NoPagesMatch):
        read_mail(message, ReadOptions(attachments="merged", pages="4"))
    assert read_mail(message).page_count == 1
    only = read_mail(message, ReadOptions(attachments="only"))
    assert [page.number for page in only.pages] == [1, 2] and "first page" in only.pages[0].text
    assert read_mail(mail(), ReadOptions(attachments="only")).page_count == 1
    none_fits = read_mail(message, ReadOptions(attachments="merged", attachment_types=("image/*",)))
    assert (none_fits.page_count, none_fits.warnings) == (1, [])


@pytest.mark.parametrize(
    ("raw", "decoded"),
    [
        ("=?GB2312?B?tPq/qrj3tdjU9ta1y7C3osax?=", "代开各地增值税发票"),
        ("=?utf-8?Q?Gr=C3=BC?= =?utf-8?Q?=C3=9Fe?=", "Grüße"),
        ("=?utf-8?B?4oKs4g==?= =?utf-8?B?gqw=?= tail", "€€ tail"),
        ("plain =?iso-8859-1?q?=E9t=E9_chaud?= end", "plain été chaud end"),
        ("=?x-unknown?Q?caf=C3=A9?=", "café"),
        ("=?utf-8?B?!!!?= x", "x"),
        ("no words", "no words"),
    ],
)
def test_encoded_words(raw: str, decoded: str) -> None:
    assert decode_words(raw) == decoded


@pytest.mark.parametrize(
    ("raw", "mailboxes"),
    [
        ("a@x.de, B <b@x.de>", [("", "a@x.de"), ("B", "b@x.de")]),
        ('"Doe, John" <j@x.de>; Ann <ann@x.de>', [("Doe, John", "j@x.de"), ("Ann", "ann@x.de")]),
        ("Doe, John <j@x.de>", [("Doe, John", "j@x.de")]),
        ("=?iso-8859-1?Q?Last=DF=2C_First?= <c@x.de>", [("Lastß, First", "c@x.de")]),
        ("j@x.de (John Doe)", [("John Doe", "j@x.de")]),
        ("Team: a@x.de, b@x.de;", [("", "a@x.de"), ("", "b@x.de")]),
        ("undisclosed-recipients:;", []),
        ("<@route.example:u@x.de>", [("", "u@x.de")]),
        ("danglüe@email.com", [("", "danglüe@email.com")]),
        ("Only A Name", [("Only A Name", "")]),
        ('"unbalanced <a@x.de>, b@x.de', [("unbalanced", "a@x.de"), ("", "b@x.de")]),
        ("", []),
    ],
)
def test_addresses(raw: str, mailboxes: list[tuple[str, str]]) -> None:
    assert parse_addresses(raw) == tuple(MailAddress(*one) for one in mailboxes)


@pytest.mark.parametrize(
    ("raw", "iso"),
    [
        ("Tue, 5 Mar 2024 23:30:00 -0500", "2024-03-05T23:30:00-05:00"),
        ("5 Mar 2024 23:30 GMT", "2024-03-05T23:30:00+00:00"),
        ("Tue, 5 Mar 24 23:30:61 +9999", "2024-03-05T23:30:59"),
        ("2024-03-05T10:00:00+01:00", "2024-03-05T10:00:00+01:00"),
        ("Tue, 31 Feb 2024 10:00:00 +0000", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(raw: str, iso: str | None) -> None:
    moment = parse_date(raw)
    assert (moment.isoformat() if moment else None) == iso


def test_wrong_and_unknown_charsets_still_give_text() -> None:
    assert decode_charset("é".encode("cp1252"), "us-ascii") == "é"
    assert decode_charset("é".encode(), "x-nonsense") == "é"
    assert decode_charset("smart “quotes”".encode("cp1252"), "iso-8859-1") == "smart “quotes”"
    assert decode_charset(b"abc", "punycode") == "abc"


def test_flowed_lines_are_joined() -> None:
    data = (
        b"From: a@x.de\nTo: b@x.de\nSubject: s\nContent-Type: text/plain; format=flowed\n\n"
        b"one two \nthree\n-- \nme\n"
    )
    assert "one two three" in read(data).text


def test_what_begins_like_a_mail_is_one_and_other_text_is_not() -> None:
    assert content_type(b"Received: by x\nSubject: s\n\nbody") == "message/rfc822"
    assert (
        content_type(b"\nFrom x@y Mon Mar 17 2014\nDelivered-To: a@b\nX-A: b\nSubject: s\n\nbody")
        == "message/rfc822"
    )
    assert content_type(b"Subject: notes\n\nDear all", "x.txt") == "text/plain"
    assert content_type(b"Subject: notes\n\nDear all", "x.eml") == "message/rfc822"
    assert content_type(b"Dear Ann,\nFrom: here\nTo: there\nSubject: none\nDate: 1\n") == "text/plain"


def test_ten_thousand_parts_and_deep_nesting_are_bounded() -> None:
    many = (
        b"From: a@x.de\nTo: b@x.de\nSubject: s\nContent-Type: multipart/mixed; boundary=q\n\n"
        + b"--q\n\npart\n" * 10_000
    )
    document = read(many)
    assert document.warnings and len(document.pages) == 1
    deep = b"From: a@x.de\nTo: b@x.de\nSubject: s\n" + b"".join(
        b"Content-Type: multipart/mixed; boundary=q%d\n\n--q%d\n" % (level, level) for level in range(400)
    )
    assert read(deep + b"\ntext\n").mail is not None


def test_a_message_longer_than_a_page_stays_one_page() -> None:
    document = read_mail(mail("\n".join(f"line {n}" for n in range(500))))
    (page,) = document.pages
    assert page.height > 4000 and page.lines[-1].text == "line 499" and page.lines[-1].box.bottom <= 1


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_mails_never_raise_anything_else(data: st.DataObject) -> None:
    message = mail()
    message.add_alternative("<p>Hello</p><blockquote>old</blockquote>", subtype="html")
    message.add_attachment(
        encoded(picture(("x",), (60, 40)), "PNG"), maintype="image", subtype="png", filename="a.png"
    )
    raw = bytearray(message.as_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(raw)))
    with contextlib.suppress(DocumentError):
        read(bytes(raw[:cut]), "x.eml", ReadOptions(ocr="none", attachments="merged"))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=600))
def test_any_bytes_as_a_mail(junk: bytes) -> None:
    with contextlib.suppress(DocumentError):
        read(b"From: a@x.de\nTo: b\nSubject: c\n" + junk, "x.eml", ReadOptions(ocr="none"))
