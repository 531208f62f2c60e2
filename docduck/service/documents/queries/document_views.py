"""Documents as shown to users, in lists or in full."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pydantic import Field as PydanticField
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentEvent, DocumentResult, Parser, PendingCorrection
from docduck.fields import Field
from docduck.service.accounts.audit_log import ActorView, actors_named
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, read_page
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.service.documents import values
from docduck.service.documents.doubts import unsure_below
from docduck.service.documents.file_passwords import is_closed
from docduck.service.documents.queries.document_lookup import find_document, get_team_document
from docduck.service.documents.queries.document_versions import version_of
from docduck.service.documents.queries.duplicates import earlier_copies, same_keys
from docduck.service.documents.queries.parts import parts_of
from docduck.service.documents.queries.review_progress import NO_REVIEW, Review, reviews_of
from docduck.service.documents.queries.waiting import Progress, Waiting, progress_of, waiting_of
from docduck.service.parsers.parser_fields import deleted_fields
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import ParserView
from docduck.service.parsers.parsers import view as parser_view
from docduck.service.parsers.settings_schema import UNSURE_BELOW
from docduck.statuses import HAS_VALUES, Status

# Built once: clients poll this, and building a statement takes longer than running it.
_RESULT_AND_PARSER = (
    select(DocumentResult, Parser)
    .select_from(Document)
    .outerjoin(DocumentResult, DocumentResult.document_id == Document.id)
    .outerjoin(Parser, Parser.id == Document.parser_id)
    .where(Document.id == bindparam("document_id"))
)
_EVENT_ORDER = (DocumentEvent.at, DocumentEvent.id)


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in a list; ``data`` is None in lists without values."""

    id: str
    parser_id: str | None
    name: str
    external_id: str | None
    status: Status
    source: str
    content_type: str
    page_count: int | None
    confidence: float | None
    error: str | None
    created_at: dt.datetime
    updated_at: dt.datetime
    processed_at: dt.datetime | None
    custom: Mapping[str, Any] | None = None
    folder_id: str | None = None
    review: Review = NO_REVIEW
    data: Mapping[str, Any] | None = None

    @property
    def is_processed(self) -> bool:
        """Whether the document has values."""
        return self.status in HAS_VALUES


class HistoryEntry(ViewPart):
    """One change of a document's status."""

    at: UtcTime
    event: str = PydanticField(examples=["extracted"])
    from_status: str | None
    to_status: str
    reason: str | None
    actor: str
    # Which values were corrected: ``value_changes``.
    changes: Mapping[str, Any] | None = PydanticField(exclude=True)


class DocumentUsage(ViewPart):
    """What all readings of a document used of a language model."""

    model: str = PydanticField(description="The model's name")
    requests: int = PydanticField(ge=0)
    input_tokens: int = PydanticField(ge=0)
    output_tokens: int = PydanticField(ge=0)
    cost: float = PydanticField(ge=0, description="In the currency of the prices")


@dataclass(frozen=True, slots=True)
class DocumentView(DocumentRow):
    """A document in full: values by field name, their evidence in the same shape, and its history.

    ``data`` is empty unless the document was processed. ``source_detail`` locates it in its source: a
    ``path``, or the document id of a ``mail`` and the attachment's ``part``. ``parser_revision`` is that of
    the last processing. ``has_markdown`` is set if the parser has markdown enabled and the document has some.
    ``status_reason`` says why it was skipped, or failed; with ``needs_password`` its file can be read with a
    password. ``waiting`` is set while it is queued, ``progress`` while a long document is read. ``parts`` are
    the ids of all documents that came of the same file. ``locating`` names the corrected values,
    ``Table.Column`` in tables, whose places are being looked for. ``version`` is what a change may be
    conditional on. ``model_usage`` is what was used of language models, by model.
    """

    data: Mapping[str, Any] = field(default_factory=dict)
    field_metadata: Mapping[str, Any] = field(default_factory=dict)
    locating: Sequence[str] = ()
    warnings: Sequence[str] = ()
    history: Sequence[HistoryEntry] = ()
    sha256: str = ""
    file_name: str = ""
    duplicate_of: Sequence[str] = ()
    source_detail: Mapping[str, Any] | None = None
    split: Mapping[str, Any] | None = None
    parts: Sequence[str] = ()
    parser_revision: int | None = None
    classification: Mapping[str, Any] | None = None
    classifier_id: str | None = None
    has_markdown: bool = False
    unsure_below: float = UNSURE_BELOW
    status_reason: str | None = None
    waiting: Waiting | None = None
    progress: Progress | None = None
    version: str = ""
    model_usage: Sequence[DocumentUsage] = ()

    @property
    def needs_password(self) -> bool:
        """Whether the document failed for want of a password that its file can be read with."""
        return is_closed(self.status, self.content_type, self.error)


def document_rows(
    session: Session, documents: Sequence[Document], *, with_data: bool = False
) -> list[DocumentRow]:
    """Return documents as shown in lists, with their reviews; their values only ``with_data``."""
    reviews = reviews_of(session, documents)
    data = _named_values(session, documents) if with_data else {}
    return [
        DocumentRow(
            **_facts(DocumentRow, row),
            review=reviews[row.id],
            data=data.get(row.id, {}) if with_data else None,
        )
        for row in documents
    ]


def _named_values(session: Session, documents: Sequence[Document]) -> dict[str, dict[str, Any]]:
    """Return the values by field name of those documents that have some."""
    valued = {row.id: row.parser_id for row in documents if row.status in HAS_VALUES}
    parsers = {
        parser.id: (parser_view(parser).fields, deleted_fields(parser.fields))
        for parser in session.scalars(select(Parser).where(Parser.id.in_({*valued.values()})))
    }
    rows = session.execute(
        select(DocumentResult.document_id, DocumentResult.values.label("values_")).where(
            DocumentResult.document_id.in_(valued)
        )
    )
    named: dict[str, dict[str, Any]] = {}
    for document_id, stored in rows:
        present, deleted = parsers.get(str(valued[document_id]), ((), ()))
        named[document_id] = values.named(present, stored, deleted)
    return named


def get_document(inst: Installation, team_id: str, document_id: str) -> DocumentView:
    """Return a document in full with its history; raise NotFound."""
    with inst.catalog.read_session() as session:
        document = get_team_document(session, team_id, document_id)
        mine = select(DocumentEvent).where(DocumentEvent.document_id == document.id).order_by(*_EVENT_ORDER)
        return replace(
            _whole(inst, session, document), history=list(map(HistoryEntry.of, session.scalars(mine)))
        )


def show_document(
    inst: Installation,
    team_id: str,
    parser_id: str | None,
    document_id: str | None = None,
    external_id: str | None = None,
) -> DocumentView:
    """Return a document in full, without its history: a parser's by id or external id, or the team's by id.

    Raise InputError unless exactly one is given or for a document of another parser; NotFound.
    """
    with inst.catalog.read_session() as session:
        document = find_document(session, team_id, parser_id, document_id, external_id)
        return _whole(inst, session, document)


def history_of(
    inst: Installation,
    team_id: str,
    parser_id: str | None,
    document_id: str,
    page: int = 1,
    limit: int = 50,
) -> Page[HistoryEntry]:
    """Return a page of a document's history, oldest first; raise NotFound."""
    with inst.catalog.read_session() as session:
        mine = DocumentEvent.document_id == find_document(session, team_id, parser_id, document_id).id
        return read_page(session, DocumentEvent, [mine], _EVENT_ORDER, page, limit).map(HistoryEntry.of)


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """An event with who caused it."""

    entry: HistoryEntry
    actor: ActorView


def named_history(inst: Installation, team_id: str, entries: Sequence[HistoryEntry]) -> list[NamedEntry]:
    """Return the events with their actors; those of deleted users and keys keep the name in the history."""
    with inst.catalog.read_session() as session:
        actors = actors_named(session, team_id, {entry.actor for entry in entries})
    return [NamedEntry(entry, actors[entry.actor]) for entry in entries]


def _whole(inst: Installation, session: Session, document: Document) -> DocumentView:
    result, parser = session.execute(_RESULT_AND_PARSER, {"document_id": document.id}).one()
    status = Status(document.status)
    visible = result if status in HAS_VALUES else None
    seen = parser_view(parser) if parser is not None else None
    present: Sequence[Field] = seen.fields if seen else ()
    data: dict[str, Any] = {}
    evidence: dict[str, Any] = {}
    locating: list[str] = []
    if visible is not None:
        deleted = deleted_fields(parser.fields) if parser is not None else ()
        data = values.named(present, visible.values, deleted)
        evidence = values.named_evidence(present, visible.values, visible.evidence, deleted)
        if visible.edited and session.get(PendingCorrection, document.id) is not None:
            locating = _unplaced(present, data, evidence)
    has_markdown = visible is not None and visible.markdown_sha256 is not None
    if has_markdown and seen is not None and seen.problem is None:
        has_markdown = read_settings(seen.settings).markdown_parsing.enabled
    return DocumentView(
        **_facts(DocumentView, document),
        review=reviews_of(session, [document])[document.id],
        data=data,
        field_metadata=evidence,
        locating=locating,
        warnings=visible.warnings if visible is not None else (),
        duplicate_of=_duplicates(session, document, seen, visible),
        parts=parts_of(session, document),
        has_markdown=has_markdown,
        unsure_below=unsure_below(seen.settings) if seen is not None else UNSURE_BELOW,
        status_reason=_status_reason(session, document),
        waiting=waiting_of(inst, session, document),
        progress=progress_of(document),
        version=version_of(document, result.updated_at if result is not None else None),
    )


def _status_reason(session: Session, document: Document) -> str | None:
    """Return why a document failed or was skipped."""
    if document.status != Status.SKIPPED:
        return document.error if document.status == Status.FAILED else None
    skipping = (DocumentEvent.document_id == document.id, DocumentEvent.to_status == Status.SKIPPED)
    newest = (column.desc() for column in _EVENT_ORDER)
    return session.scalar(select(DocumentEvent.reason).where(*skipping).order_by(*newest).limit(1))


def _unplaced(fields: Sequence[Field], data: Mapping[str, Any], evidence: Mapping[str, Any]) -> list[str]:
    """Return the names of the values that people set, and that have no place."""
    found = values.cells(fields, data, evidence)
    names = (
        cell.name
        for cell in found
        if cell.entry.get("edited") and not cell.entry.get("locations") and cell.value not in (None, "", [])
    )
    return list(dict.fromkeys(names))


def _duplicates(
    session: Session, document: Document, parser: ParserView | None, result: DocumentResult | None
) -> Sequence[str]:
    """Return the ids of earlier documents with the same content or key values, oldest first."""
    copies = earlier_copies(session, document)
    if parser is None or result is None:
        return copies
    alike = same_keys(session, parser, document.id, result.values)
    if not copies or not alike:
        return copies or alike
    ids = select(Document.id).where(Document.id.in_({*copies, *alike}))
    return session.scalars(ids.order_by(Document.created_at, Document.id)).all()


def _facts(kind: type[DocumentRow], row: Document) -> dict[str, Any]:
    """Return what a view shows of the columns of a document."""
    columns = Document.__table__.columns
    attributes = {each.name: getattr(row, each.name) for each in fields(kind) if each.name in columns}
    if "model_usage" in attributes:
        attributes["model_usage"] = [DocumentUsage(**entry) for entry in row.model_usage or ()]
    return attributes | {"status": Status(row.status)}
