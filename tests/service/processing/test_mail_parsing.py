"""Mails as documents: what the parser's ``emailParsing`` makes of their attachments."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.processing.processing import process_queue
from tests.documents.formats.files import lines_page, pdf
from tests.service.core.documents import make_parser, upload


def mail() -> bytes:
    message = EmailMessage()
    message["From"] = "Ann Lee <ann@example.com>"
    message["To"] = "invoices@example.com"
    message["Subject"] = "Our invoice"
    message["Date"] = "Tue, 05 Mar 2024 23:30:00 -0500"
    message.set_content("Please find it attached.\n")
    paper = pdf(lines_page(("Number: A-77", "Total: 119.00")))
    message.add_attachment(paper, maintype="application", subtype="pdf", filename="invoice.pdf")
    return message.as_bytes()


def test_attachments_are_pages_as_the_parser_says(inst: Installation) -> None:
    choices: dict[str, tuple[dict[str, object], int, str | None]] = {
        "Merged": ({"mergeEmailAttachments": True}, 2, "A-77"),
        "Alone": ({"mergeEmailAttachments": True, "includeEmailSubjectBody": False}, 1, "A-77"),
        "Pictures": ({"mergeEmailAttachments": True, "attachmentFileTypes": ["image/png"]}, 1, None),
        "Parted": ({"attachmentFileTypes": ["image/png"]}, 1, None),
    }
    for name, (settings, _, _) in choices.items():
        parser = make_parser(inst, name)
        update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"emailParsing": settings}))
        upload(inst, inst.team_id, parser.slug, mail(), "mail.eml")
    process_queue(inst)
    for name, (_, pages, number) in choices.items():
        (row,) = list_documents(inst, inst.team_id, name.lower()).rows
        assert (row.status, row.content_type, row.page_count) == ("processed", "message/rfc822", pages), name
        assert list(inst.warehouse.query(f"SELECT number FROM {name.lower()}.documents").rows) == [(number,)]


def test_the_sender_filters_synonyms_are_taken() -> None:
    stored = {
        "emailParsing": {
            "senderFilter": {"mode": "whitelist", "rules": [{"type": "domain", "value": "x.de"}]}
        }
    }
    assert read_settings(stored).email_parsing.sender_filter.mode == "allow"
    with pytest.raises(InputError, match="senderFilter"):
        read_settings({"emailParsing": {"senderFilter": {"mode": "maybe"}}})
