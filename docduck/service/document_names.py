"""Names of documents made from their values: the parser's setting ``documentNameTemplate`` (contract J)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document
from docduck.service.name_templates import document_name
from docduck.service.parsers import ParserView
from docduck.service.search import index


@dataclass(frozen=True, slots=True)
class Valued:
    """A document whose values are new: ``data`` by field name."""

    document_id: str
    parser: ParserView
    data: Mapping[str, Any]


def name_documents(session: Session, valued: Sequence[Valued]) -> None:
    """Name documents after their values where their parser says how.

    A document without one of the values is called by its file's name. Documents that a person named
    keep that name.
    """
    templates = {one.document_id: one.parser.settings.get("documentNameTemplate") for one in valued}
    ids = [document_id for document_id, template in templates.items() if template]
    if not ids:
        return
    data = {one.document_id: one.data for one in valued}
    rows = session.scalars(
        select(Document)
        .where(Document.id.in_(ids), Document.is_renamed.is_(False))
        .execution_options(populate_existing=True)
    )
    before: dict[str, index.Described] = {}
    after: dict[str, index.Described] = {}
    for row in rows:
        name = document_name(str(templates[row.id]), data[row.id]) or row.file_name
        if name != row.name:
            before[row.id] = index.described(row)
            row.name = name
            after[row.id] = index.described(row)
    session.flush()
    for document_id in after:
        index.redescribe(session, document_id, before[document_id], after[document_id])
