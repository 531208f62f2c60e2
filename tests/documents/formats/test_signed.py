"""Signed and encrypted envelopes: alone, and as the content of mails."""

from __future__ import annotations

import base64
from email.message import EmailMessage

import pytest

from docduck.documents.detection.sniff import content_type
from docduck.documents.mail_expansion import expand
from docduck.documents.reader import draw, page_count, read
from docduck.errors import DamagedFile, EncryptedMail, UnsupportedFile
from tests.documents.formats.einvoice.samples import FATTURAPA, signed
from tests.documents.formats.files import lines_page, pdf

PAPER = pdf(lines_page(("Number: A-1",)))
ENVELOPED = bytes.fromhex("308006092a864886f70d010703a080") + b"\x30\x03\x02\x01\x00" * 20
AUTHENTICATED = bytes.fromhex("30820100060b2a864886f70d0109100117") + bytes(100)


def entity(text: str = "See the invoice.") -> bytes:
    """What is signed of a mail: its content with the headers that tell of it."""
    message = EmailMessage()
    message.set_content(text)
    message.add_attachment(PAPER, maintype="application", subtype="pdf", filename="a.pdf")
    del message["MIME-Version"]
    return message.as_bytes()


def smime(content: bytes, kind: str = "application/pkcs7-mime", encoding: str = "base64") -> bytes:
    head = (
        "From: Ann <ann@example.com>\nTo: bob@example.com\nSubject: Your invoice\nMIME-Version: 1.0\n"
        f'Content-Type: {kind}; name="smime.p7m"\nContent-Transfer-Encoding: {encoding}\n\n'
    ).encode()
    return head + (base64.encodebytes(content) if encoding == "base64" else content)


@pytest.mark.parametrize("kind", ["application/pkcs7-mime", "application/x-pkcs7-mime"])
@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("encoding", ["base64", "binary"])
def test_an_opaque_signed_mail_is_read_as_what_was_signed(kind: str, chunked: bool, encoding: str) -> None:
    document = read(smime(signed(entity(), chunked), kind, encoding), "x.eml")
    assert document.mail is not None
    assert document.mail.subject == "Your invoice"
    assert document.mail.attachments == ("a.pdf",)
    assert "See the invoice." in document.text
    assert [(file.name, file.data) for file in expand(document, None).files] == [("a.pdf", PAPER)]
    assert document.warnings == []


def test_envelopes_within_one_another_are_opened() -> None:
    twice = smime(signed(smime(signed(entity()), encoding="binary")))
    assert [file.name for file in expand(read(twice, "x.eml"), None).files] == ["a.pdf"]
    deep = entity()
    for _ in range(12):
        deep = signed(deep)
    with pytest.raises(DamagedFile):
        read(deep, "smime.p7m")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_signed_file_alone_is_read_as_what_it_holds(chunked: bool) -> None:
    envelope = signed(entity(), chunked)
    for data in (envelope, base64.encodebytes(envelope), armoured(envelope)):
        assert content_type(data, "smime.p7m") == "application/pkcs7-mime"
        document = read(data, "smime.p7m")
        assert [file.name for file in expand(document, None).files] == ["a.pdf"]
    paper = signed(PAPER, chunked)
    assert read(paper, "a.pdf.p7m").text == "Number: A-1"
    assert page_count(paper, "a.pdf.p7m") == 1
    assert draw(paper, "a.pdf.p7m", 1, 300).width == 300
    assert read(signed(b"Number: A-2"), "x.p7m").text == "Number: A-2"


def armoured(data: bytes) -> bytes:
    return b"-----BEGIN PKCS7-----\n" + base64.encodebytes(data) + b"-----END PKCS7-----\n"


def test_a_signature_alone_is_not_supported() -> None:
    with pytest.raises(UnsupportedFile):
        read(bytes.fromhex("301506092a864886f70d010702a00830060201013101") + b"\x05", "a.p7s")
    with pytest.raises(DamagedFile):
        read(signed(PAPER)[:200], "a.p7m")


def test_a_signed_invoice_attached_to_a_mail_stays_a_file() -> None:
    message = EmailMessage()
    message["From"] = "ann@example.com"
    message["Subject"] = "Fattura"
    message.set_content("In allegato.")
    message.add_attachment(
        signed(FATTURAPA), maintype="application", subtype="pkcs7-mime", filename="IT01.xml.p7m"
    )
    files = expand(read(message.as_bytes(), "x.eml"), None).files
    assert [(file.name, file.content_type) for file in files] == [("IT01.xml.p7m", "application/pkcs7-mime")]


@pytest.mark.parametrize("content", [ENVELOPED, AUTHENTICATED])
def test_an_encrypted_mail_says_so(content: bytes) -> None:
    for data in (smime(content), smime(content, "application/octet-stream"), content):
        with pytest.raises(EncryptedMail, match="The mail is encrypted"):
            read(data, "smime.p7m")
    assert page_count(smime(content), "x.eml") == 1, "its headers can be shown"


def test_pgp_is_encryption_as_well() -> None:
    message = EmailMessage()
    message["From"] = "ann@example.com"
    message["Subject"] = "Secret"
    block = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----\n"
    message.set_content(block)
    with pytest.raises(EncryptedMail):
        read(message.as_bytes(), "x.eml")
    message.set_content(f"Hello\n\n{block}")
    document = read(message.as_bytes(), "x.eml")
    assert document.text.endswith("Hello")
    assert document.warnings == ["A part of the mail is encrypted for its recipient and was left out"]
    parts = (
        "From: ann@example.com\nSubject: x\nMIME-Version: 1.0\n"
        'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=B\n\n'
        "--B\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n\n"
        f'--B\nContent-Type: application/octet-stream; name="encrypted.asc"\n\n{block}\n--B--\n'
    )
    with pytest.raises(EncryptedMail):
        read(parts.encode(), "x.eml")


def test_what_is_encrypted_besides_others_is_left_out_with_a_warning() -> None:
    message = EmailMessage()
    message["From"] = "ann@example.com"
    message["Subject"] = "Two"
    message.set_content("One is for you.")
    message.add_attachment(PAPER, maintype="application", subtype="pdf", filename="a.pdf")
    message.add_attachment(ENVELOPED, maintype="application", subtype="octet-stream", filename="b.p7m")
    document = read(message.as_bytes(), "x.eml")
    assert [file.name for file in document.attachments] == ["a.pdf"]
    assert document.warnings == ["A part of the mail is encrypted for its recipient and was left out"]
