"""Mails that are signed, encrypted, forwarded or hold pictures, and portfolios: what becomes a document."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest

from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.processing.processing import process_queue
from tests.documents.formats.einvoice.samples import signed
from tests.documents.formats.files import encoded, lines_page, pdf, picture
from tests.documents.formats.test_portfolios import embedding
from tests.documents.formats.test_signed import ENVELOPED, entity, smime
from tests.service.core.documents import make_parser, upload
from tests.service.sources.mails import known, names, parser_for_mails

pytestmark = pytest.mark.slow

INVOICE = pdf(lines_page(("Number: A-77", "Total: 119.00")))


def read(inst: Installation, data: bytes, name: str = "mail.eml", **settings: Any) -> str:
    parser = parser_for_mails(inst, **settings)
    document = upload(inst, inst.team_id, parser.slug, data, name)
    process_queue(inst)
    return document


@pytest.mark.parametrize("alone", [False, True])
def test_the_files_of_a_signed_mail_are_documents(inst: Installation, alone: bool) -> None:
    envelope = signed(entity())
    name = "smime.p7m" if alone else "mail.eml"
    read(inst, envelope if alone else smime(envelope), name)
    assert sorted(names(inst)) == [("a.pdf", "processed"), (name, "skipped")]


def test_an_encrypted_mail_fails_with_the_reason(inst: Installation) -> None:
    document = read(inst, smime(ENVELOPED))
    view = get_document(inst, inst.team_id, document)
    assert (view.status, view.data) == ("failed", {})
    assert view.error == view.status_reason == "The mail is encrypted; only its recipient's key opens it"
    assert not view.needs_password


def forwarded(inner: bytes) -> bytes:
    head = "From: ann@example.com\nSubject: Fwd\nContent-Type: multipart/mixed; boundary=BB\n\n"
    text = "--BB\nContent-Type: text/plain\n\nsee attached mail\n"
    part = '--BB\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename="fwd.eml"\n\n'
    return f"{head}{text}{part}".encode() + inner + b"\n--BB--\n"


def inner_mail(boundary: str, preamble: str) -> bytes:
    message = EmailMessage()
    message["From"] = "billing@example.com"
    message["Subject"] = "Your invoice"
    message.set_content("Please find the invoice attached.")
    message.add_attachment(INVOICE, maintype="application", subtype="pdf", filename="inner.pdf")
    message.set_boundary(boundary)
    message.preamble = preamble
    return message.as_bytes()


@pytest.mark.parametrize(("boundary", "preamble"), [("BB", ""), ("BB", "In MIME format."), ("inner", "x")])
def test_a_forwarded_mail_with_a_file_is_no_document(
    inst: Installation, boundary: str, preamble: str
) -> None:
    document = read(inst, forwarded(inner_mail(boundary, preamble)))
    status = dict(names(inst))
    assert status.pop("inner.pdf") == "processed"
    assert {*status.values()} == {"skipped"}
    view = get_document(inst, inst.team_id, document)
    assert (view.name, view.data["Number"]) == ("inner.pdf", "A-77")
    assert view.parts == []
    for mail in (one for one in known(inst) if one.status == "skipped"):
        shown = get_document(inst, inst.team_id, mail.id)
        assert shown.parts == [document]
        assert "its attachment is a document of its own" in str(shown.status_reason)


def pasted(text: str, *pictures: bytes) -> bytes:
    message = EmailMessage()
    message["From"] = "ann@example.com"
    message["Subject"] = "Receipt"
    images = "".join(f'<img src="cid:{at}@x">' for at in range(len(pictures)))
    message.set_content("\n")
    message.add_alternative(f"<html><body><p>{text}</p>{images}</body></html>", subtype="html")
    html = message.get_payload()[1]  # type: ignore[index]
    for at, data in enumerate(pictures):
        html.add_related(data, "image", "png", cid=f"<{at}@x>", filename=f"image{at}.png")  # type: ignore[union-attr]
    return message.as_bytes()


PHOTO = encoded(picture(("Number: A-5", "Total: 119.00"), (900, 600)), "PNG")
LOGO = encoded(picture(("Acme",), (300, 120)), "PNG")


@pytest.mark.parametrize("text", ["", "Hello,<br>Kind regards<br>Ann Lee<br>+44 20 7946 0000"])
def test_pictures_in_an_empty_mail_are_documents(inst: Installation, text: str) -> None:
    document = read(inst, pasted(text, PHOTO, LOGO))
    assert sorted(names(inst)) == [("image0.png", "processed"), ("mail.eml", "skipped")]
    view = get_document(inst, inst.team_id, document)
    assert (view.name, view.data["Number"]) == ("image0.png", "A-5")


def test_pictures_beside_values_or_files_are_part_of_the_mail(inst: Installation) -> None:
    read(inst, pasted("Number: M-1<br>Total: 5.00", PHOTO))
    assert names(inst) == [("mail.eml", "processed")]


def test_a_logo_is_no_document(inst: Installation) -> None:
    read(inst, pasted("When will you pay?", LOGO))
    assert names(inst) == [("mail.eml", "processed")]


def test_the_files_of_a_portfolio_are_documents_in_its_place(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    one, two = (pdf(lines_page((f"Number: A-{number}", "Total: 1.00"))) for number in (1, 2))
    data = embedding({"one.pdf": one, "two.pdf": two})
    document = upload(any_inst, any_inst.team_id, parser.slug, data, "folder.pdf")
    process_queue(any_inst)
    assert sorted(names(any_inst)) == [("one.pdf", "processed"), ("two.pdf", "processed")]
    view = get_document(any_inst, any_inst.team_id, document)
    assert (view.name, view.data["Number"]) == ("one.pdf", "A-1")
    assert view.split is not None
    assert (view.split["key"], view.split["total"]) == ("one.pdf", 2)
