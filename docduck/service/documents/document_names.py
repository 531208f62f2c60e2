"""Names of documents from their values, by the parser's setting ``documentNameTemplate``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document
from docduck.service.parsers.name_templates import document_name
from docduck.service.parsers.parsers import ParserView
from docduck.service.search import index
from docduck.service.search.index import PropertyUpdate


@dataclass(frozen=True, slots=True)
class NamedValues:
    """A document with new values; ``data`` is by field name."""

    document_id: str
    parser: ParserView
    data: Mapping[str, Any]


def name_of(document: Document, parser: ParserView, data: Mapping[str, Any]) -> str:
    """Return the name of a document with these values (by field name).

    Without values for the template it is the file's name. A name that a user set is kept.
    """
    template = parser.settings.get("documentNameTemplate")
    if not template or document.is_renamed:
        return document.name
    return document_name(str(template), data) or document.file_name


def take_file(session: Session, document: Document, name: str, sha256: str, size: int) -> dict[str, Any]:
    """Return the columns of a document that gets another file, and index it under the file's name."""
    before = index.properties_of(document)
    index.update_properties(session, document.id, PropertyUpdate.of(before, replace(before, name=name)))
    return {
        "name": name,
        "name_key": name.casefold(),
        "file_name": name,
        "is_renamed": False,
        "sha256": sha256,
        "size": size,
        "page_count": None,
    }


def name_documents(session: Session, valued: Sequence[NamedValues]) -> None:
    """Set the names of documents whose parsers have a template."""
    named = {
        document.document_id: document
        for document in valued
        if document.parser.settings.get("documentNameTemplate")
    }
    if not named:
        return
    rows = session.scalars(
        select(Document)
        .where(Document.id.in_(named), Document.is_renamed.is_(False))
        .execution_options(populate_existing=True)
    )
    changes: dict[str, PropertyUpdate] = {}
    for row in rows:
        name = name_of(row, named[row.id].parser, named[row.id].data)
        if name != row.name:
            before = index.properties_of(row)
            changes[row.id] = PropertyUpdate.of(before, replace(before, name=name))
            row.name = name
    session.flush()
    for document_id, change in changes.items():
        index.update_properties(session, document_id, change)
