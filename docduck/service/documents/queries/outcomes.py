"""The outcomes of documents, for callers that wait for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, select

from docduck.catalog.models import Document, DocumentResult, Parser
from docduck.service.core.installation import Installation
from docduck.service.documents import values
from docduck.service.parsers.parser_fields import deleted_fields
from docduck.service.parsers.parsers import view
from docduck.statuses import FINAL, HAS_VALUES, Status


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """A document's status; ``data`` holds its values by field name if it has been processed."""

    name: str
    status: Status
    error: str | None
    page_count: int | None
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_final(self) -> bool:
        """Whether processing has ended, with or without success."""
        return self.status in FINAL

    @property
    def is_processed(self) -> bool:
        """Whether the document has values."""
        return self.status in HAS_VALUES


def outcomes(
    inst: Installation, team_id: str, document_ids: Sequence[str], *, with_parts: bool = False
) -> dict[str, DocumentOutcome]:
    """Return the outcomes by document id, without documents that no longer exist.

    ``with_parts`` adds the documents that came of the same upload.
    """
    named: ColumnElement[bool] = Document.id.in_(document_ids)
    if with_parts:
        named |= Document.container_id.in_(document_ids)
    with inst.catalog.read_session() as session:
        rows = session.execute(
            select(Document, DocumentResult.values, Parser)
            .outerjoin(DocumentResult, DocumentResult.document_id == Document.id)
            .outerjoin(Parser, Parser.id == Document.parser_id)
            .where(Document.team_id == team_id, named)
        )
        by_id = {}
        for document, stored, parser in rows:
            status = Status(document.status)
            data: Mapping[str, Any] = {}
            if status in HAS_VALUES and stored is not None and parser is not None:
                data = values.named(view(parser).fields, stored, deleted_fields(parser.fields))
            by_id[document.id] = DocumentOutcome(
                document.name, status, document.error, document.page_count, data
            )
        return by_id
