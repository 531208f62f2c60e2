"""Outlook's .msg files, written by these tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from docduck.documents.detection.sniff import content_type
from docduck.documents.document import MailAddress
from docduck.documents.formats.mail.compressed_rtf import decompress, rtf_body
from docduck.documents.reader import read
from docduck.errors import DocumentError
from tests.documents.formats.mail.outlook_files import attachment, filetime, message, ole_file, recipient

SENT = datetime(2024, 3, 5, 14, 30, tzinfo=UTC)


def simple(**storages: object) -> bytes:
    return ole_file(
        message(
            {
                0x0037: "Angebot für März",
                0x1000: "Guten Tag,\r\nanbei das Angebot.",
                0x0C1A: "Ute Öhler",
                0x5D01: "ute@firma.de",
            },
            {0x00390040: filetime(SENT)},
            **storages,  # type: ignore[arg-type]
        )
    )


def test_a_message_gives_headers_text_and_files() -> None:
    data = simple(
        to0=recipient("Bo Ek", "bo@example.se", 1),
        cc0=recipient("Ann", "ann@example.com", 2),
        file0=attachment("angebot.pdf", b"%PDF-1.4", mime="application/pdf"),
    )
    assert content_type(data) == "application/vnd.ms-outlook"
    document = read(data)
    mail = document.mail
    assert mail is not None
    assert mail.subject == "Angebot für März"
    assert mail.from_ == (MailAddress("Ute Öhler", "ute@firma.de"),)
    assert mail.to == (MailAddress("Bo Ek", "bo@example.se"),)
    assert mail.cc == (MailAddress("Ann", "ann@example.com"),)
    assert mail.date == SENT
    assert mail.attachments == ("angebot.pdf",)
    assert [(f.name, f.content_type, f.data) for f in document.attachments] == [
        ("angebot.pdf", "application/pdf", b"%PDF-1.4")
    ]
    assert "anbei das Angebot." in document.text
    assert "From: Ute Öhler <ute@firma.de>" in document.text


def test_transport_headers_give_the_date_in_the_senders_zone() -> None:
    transport = (
        "From: Ute <ute@firma.de>\r\nTo: bo@example.se\r\n"
        "Date: Tue, 5 Mar 2024 23:30:00 -0500\r\nMessage-ID: <x@y>\r\n\r\n"
    )
    document = read(
        ole_file(message({0x0037: "S", 0x1000: "B", 0x007D: transport}, {0x00390040: filetime(SENT)}))
    )
    assert document.mail is not None and document.mail.date is not None
    assert document.mail.date.utcoffset() == timedelta(hours=-5)
    assert document.mail.date.date().isoformat() == "2024-03-05"
    assert document.mail.message_id == "<x@y>"


def test_pictures_shown_in_the_html_are_not_listed() -> None:
    body = "<html><body><p>Hi</p><img src='cid:logo@1'></body></html>"
    tree = message(
        {0x0037: "S"},
        file0=attachment("logo.png", b"x", content_id="logo@1", mime="image/png"),
        file1=attachment("terms.txt", b"y"),
    )
    tree["__substg1.0_10130102"] = body.encode()
    document = read(ole_file(tree))
    assert document.mail is not None
    assert document.mail.attachments == ("terms.txt",)
    assert [f.inline for f in document.attachments] == [True, False]
    assert "Hi" in document.text


def test_an_attached_message_is_a_mail_of_its_own() -> None:
    inner = message({0x0037: "Inner", 0x1000: "inner text", 0x0C1A: "Al", 0x5D01: "al@example.com"}, {}, 24)
    attached = {
        "__substg1.0_3701000D": inner,
        "__properties_version1.0": bytes(8),
    }
    document = read(simple(file0=attached))
    (file,) = document.attachments
    assert (file.name, file.content_type) == ("Inner.eml", "message/rfc822")
    again = read(file.data)
    assert again.mail is not None
    assert (again.mail.subject, again.mail.from_[0].address) == ("Inner", "al@example.com")
    assert "inner text" in again.text


def test_a_body_of_rtf_around_html_gives_the_html() -> None:
    rtf = (
        rb"{\rtf1\ansi\ansicpg1252\fromhtml1 {\fonttbl{\f0 Arial;}}"
        rb"{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Caf\'e9 \u8364?\htmlrtf\par}\htmlrtf0 {\*\htmltag72 </p>}}"
    )
    html, plain = rtf_body(rtf)
    assert plain == ""
    assert html.replace("\r\n", "") == "<p>Café €</p>"


def test_compressed_rtf_is_unpacked() -> None:
    # The worked example of MS-OXRTFCP 4.1.1.
    data = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068 656c090020627705b06c647d0a800fa0"
    )
    assert decompress(data) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    with pytest.raises(ValueError, match="unpack"):
        decompress(data[:4] + b"\xff\xff\xff\x7f" + data[8:])


def test_cut_off_files_end_in_a_documents_error() -> None:
    whole = simple(to0=recipient("Bo", "bo@example.se", 1), file0=attachment("a.txt", b"z" * 5000))
    for cut in range(8, len(whole), 409):
        try:
            read(whole[:cut])
        except DocumentError:
            continue
