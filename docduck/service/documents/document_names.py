"""Names of documents made from their values: the parser's setting ``documentNameTemplate`` (contract J)."""

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
from docduck.service.search.index import Redescription


@dataclass(frozen=True, slots=True)
class Valued:
    """A document whose values are new: ``data`` by field name."""

    document_id: str
    parser: ParserView
    data: Mapping[str, Any]


def name_of(document: Document, parser: ParserView, data: Mapping[str, Any]) -> str:
    """Return what a document with these values, by field name, is called.

    One without a value of the template is called by its file's name; what a person called it stays.
    """
    template = parser.settings.get("documentNameTemplate")
    if not template or document.is_renamed:
        return document.name
    return document_name(str(template), data) or document.file_name


def name_documents(session: Session, valued: Sequence[Valued]) -> None:
    """Name documents after their values where their parser says how (see ``name_of``)."""
    named = {one.document_id: one for one in valued if one.parser.settings.get("documentNameTemplate")}
    if not named:
        return
    rows = session.scalars(
        select(Document)
        .where(Document.id.in_(named), Document.is_renamed.is_(False))
        .execution_options(populate_existing=True)
    )
    changes: dict[str, Redescription] = {}
    for row in rows:
        name = name_of(row, named[row.id].parser, named[row.id].data)
        if name != row.name:
            before = index.described(row)
            changes[row.id] = Redescription.of(before, replace(before, name=name))
            row.name = name
    session.flush()
    for document_id, change in changes.items():
        index.redescribe(session, document_id, change)
