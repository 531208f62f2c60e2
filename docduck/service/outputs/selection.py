"""The documents of an export: chosen ones or all that are done; of an incremental one, only what is new."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, ExportedDocument, Parser
from docduck.errors import InputError
from docduck.service.conditions import Effort
from docduck.service.documents.queries.document_lookup import get_parser_documents
from docduck.service.documents.queries.finding import filter_query, matching_ids
from docduck.statuses import HAS_VALUES, Status

_DONE = (Status.PROCESSED, Status.APPROVED)
_EXPORTABLE = tuple(status for status in HAS_VALUES if status is not Status.REJECTED)


@dataclass(frozen=True, slots=True)
class Selection:
    """Documents with one of the ids or external ids, or if neither is given, those that are done.

    They must match all ``filters``. Done are processed and approved documents.
    """

    document_ids: Sequence[str] | None = None
    external_ids: Sequence[str] | None = None
    filters: Sequence[Any] | None = None


ALL_DONE = Selection()


@dataclass(frozen=True, slots=True)
class Selected:
    """The ids of documents to export, oldest first, and of those given that can't be exported."""

    ids: Sequence[str]
    skipped: Sequence[str] = ()


def select_ids(
    session: Session,
    parser: Parser,
    selection: Selection,
    *,
    increment: str | None = None,
    effort: Effort | None = None,
) -> Selected:
    """Return the documents that ``selection`` has, without those that the incremental export had before.

    Rejected documents and those without values are skipped. Raise NotFound listing all unknown ids, and
    InputError for invalid filters, for ids of another parser, and if ``effort`` is exceeded.
    """
    effort = effort or Effort(math.inf)
    query = filter_query(parser, selection.filters) if selection.filters else None
    skipped: list[str] = []
    if selection.document_ids is None and selection.external_ids is None:
        ids = _done(session, parser)
    else:
        ids, skipped = _named(session, parser, selection)
    if query is not None:
        matching = matching_ids(session, parser, query, effort)
        ids = [document_id for document_id in ids if document_id in matching]
    if increment is not None:
        known = set(
            session.scalars(
                select(ExportedDocument.document_id).where(
                    ExportedDocument.parser_id == parser.id, ExportedDocument.name == increment
                )
            )
        )
        ids = [document_id for document_id in ids if document_id not in known]
    return Selected(ids, skipped)


def _done(session: Session, parser: Parser) -> list[str]:
    return list(
        session.scalars(
            select(Document.id)
            .where(
                Document.team_id == parser.team_id,
                Document.parser_id == parser.id,
                Document.status.in_(_DONE),
            )
            .order_by(Document.created_at, Document.id)
        )
    )


def _named(session: Session, parser: Parser, selection: Selection) -> tuple[list[str], list[str]]:
    """Return the ids of the documents that were given: those to export, and those to skip."""
    for name, ids in (("documentIds", selection.document_ids), ("externalIds", selection.external_ids)):
        if ids is not None and not ids:
            raise InputError(f"{name} must not be empty; leave it out for all documents", name)
    rows = get_parser_documents(
        session,
        parser.team_id,
        parser.id,
        selection.document_ids or (),
        selection.external_ids or (),
        lock=False,
    )
    rows.sort(key=lambda row: (row.created_at, row.id))
    session.expunge_all()
    return (
        [row.id for row in rows if row.status in _EXPORTABLE],
        [row.id for row in rows if row.status not in _EXPORTABLE],
    )
