"""Mails with attachments, and what the service made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from sqlalchemy import select

from docduck.catalog.models import Document, DocumentEvent
from docduck.documents.detection.sniff import content_type
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.parsers.parsers import ParserChanges, ParserView, update_parser
from tests.service.core.documents import make_parser


def paper(number: str, total: str = "119.00") -> bytes:
    """A text file that the tests' parser finds its fields in."""
    return f"Number: {number}\nTotal: {total}\n".encode()


def mail(files: Sequence[tuple[str, bytes]] = (), body: str = "Please find it attached.") -> bytes:
    """A mail; a file whose name ends in ``.eml`` is attached as a mail."""
    message = EmailMessage()
    message["From"] = "Ann Lee <ann@example.com>"
    message["To"] = "invoices@example.com"
    message["Subject"] = "Our invoice"
    message["Date"] = "Tue, 05 Mar 2024 23:30:00 -0500"
    message.set_content(f"{body}\n")
    for name, data in files:
        if name.endswith(".eml"):
            message.add_attachment(message_from_bytes(data, policy=default), filename=name)
        else:
            message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def registered(inst: Installation, parser: ParserView, name: str, data: bytes, **more: Any) -> str:
    """Register a file with its origin, its folder and the like; return the document's id."""
    stored = inst.files.put_bytes(data)
    new = NewDocument(name, stored.sha256, stored.size, content_type(data), **more)
    with inst.catalog.transaction() as session:
        return register(session, inst.team_id, parser.id, [new], "test")[0]


def parser_for_mails(inst: Installation, **settings: Any) -> ParserView:
    """The tests' parser with these settings (``emailParsing`` …)."""
    parser = make_parser(inst)
    return set_up(inst, parser, **settings)


def set_up(inst: Installation, parser: ParserView, **settings: Any) -> ParserView:
    return update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=settings))


@dataclass(frozen=True)
class Known:
    """A document as the catalog has it."""

    id: str
    name: str
    status: str
    detail: dict[str, Any]


def known(inst: Installation) -> list[Known]:
    """All documents by name."""
    with inst.catalog.read_session() as session:
        rows = session.scalars(select(Document).order_by(Document.name, Document.id))
        return [Known(row.id, row.name, row.status, row.source_detail or {}) for row in rows]


def names(inst: Installation) -> list[tuple[str, str]]:
    """Name and status of all documents."""
    return [(one.name, one.status) for one in known(inst)]


def reasons(inst: Installation, document_id: str, event: str) -> list[str | None]:
    """Why this happened to the document, each time it did."""
    with inst.catalog.read_session() as session:
        statement = select(DocumentEvent.reason).where(
            DocumentEvent.document_id == document_id, DocumentEvent.event == event
        )
        return list(session.scalars(statement.order_by(DocumentEvent.at)))
