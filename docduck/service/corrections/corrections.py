"""Corrections: set or confirm values of a document, or undo that; the parser learns their positions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Protocol

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.json_text import Compressed
from docduck.catalog.models import Document, DocumentResult, FormerResult, Parser
from docduck.errors import Conflict, Forbidden
from docduck.extraction.confidence import mean_confidence
from docduck.extraction.result import Location, ValueKey
from docduck.service.accounts.accounts import find_member
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write
from docduck.service.corrections.former_results import drop_former, former_result, keep_former
from docduck.service.corrections.learning import unlearn
from docduck.service.corrections.marked_values import NO_PLACES, Confirmation, Entry, marked_values
from docduck.service.corrections.pending_corrections import enqueue
from docduck.service.corrections.value_changes import value_changes
from docduck.service.documents import values
from docduck.service.documents.document_changes import ONLY_ASSIGNED
from docduck.service.documents.document_names import NamedValues, name_documents
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.documents.queries.document_versions import require_version
from docduck.service.documents.queries.document_views import DocumentView, show_document
from docduck.service.documents.status_transitions import Remark, Transition, record
from docduck.service.parsers.parsers import ParserView, view
from docduck.service.search import index, long_texts
from docduck.service.search.entries import index_schema
from docduck.service.search.index import KnownValues, NewValues, Replacement
from docduck.statuses import HAS_VALUES, IN_PROGRESS, Status


class ChangedMeanwhile(Conflict):
    """A document was changed after it was looked at; what decided on it is worth repeating."""

    code = "changed_meanwhile"


def set_values(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    data: Mapping[str, Any],
    *,
    replace: bool = False,
    reviewer_id: str | None = None,
    actor: str = "user",
    places: Mapping[ValueKey, Sequence[Location]] = NO_PLACES,
    below: float | None = None,
    seen: dt.datetime | None = None,
    versions: Set[str] | None = None,
) -> DocumentView:
    """Set values of a parser's document by field name or id; the learning is left to ``process_pending``.

    None clears a value, a table is replaced as a whole. ``replace``, ``places`` and ``below`` are those of an
    ``Entry``. ``reviewer_id`` is the member of the team on whose behalf it is done: while the document is in
    review, its assignee. Raise NotFound, Forbidden for another member, InputError listing all unknown fields
    and wrong types, and Conflict while the document is being processed or after its approval. Raise
    ChangedMeanwhile if ``seen`` is not when the document was last changed, and PreconditionFailed unless it
    has one of ``versions``, if they are given.
    """
    find = finder_of(team_id, parser_id, document_id, reviewer_id, seen, versions)
    change_values(inst, find, Entry(data, places, replace, below), reviewer_id or actor)
    return show_document(inst, team_id, parser_id, document_id)


def confirm_values(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    *,
    only: Collection[ValueKey] | None = None,
    reviewer_id: str | None = None,
    actor: str = "user",
    seen: dt.datetime | None = None,
) -> DocumentView:
    """Confirm that values of a document are right, ``only`` these or all, also those that are empty.

    They are marked as edited, at their places, and are learned from like corrections; those that somebody
    corrected or confirmed before stay as they are. Fields that the document was read without are left for its
    next reading, unless they are named. Raise the same errors as ``set_values``, and InputError for values
    that don't fit the present types of their fields, or are not there any more.
    """
    find = finder_of(team_id, parser_id, document_id, reviewer_id, seen)
    change_values(inst, find, Confirmation(only), reviewer_id or actor)
    return show_document(inst, team_id, parser_id, document_id)


def undo_change(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    *,
    reviewer_id: str,
    actor: str = "user",
    seen: dt.datetime | None = None,
) -> DocumentView:
    """Undo the last correction or confirmation of a document's values, which must be one of the reviewer.

    What it was before is as it was, also how sure it was. Raise the same errors as ``set_values``, and
    Conflict if there is nothing to undo.
    """
    find = finder_of(team_id, parser_id, document_id, reviewer_id, seen)
    change_values(inst, find, Undoing(), reviewer_id)
    return show_document(inst, team_id, parser_id, document_id)


@dataclass(frozen=True, slots=True)
class Undoing:
    """The last change, undone."""


class Find(Protocol):
    """Find a parser's document, locked if need be."""

    def __call__(self, session: Session, *, lock: bool) -> Document: ...


def finder_of(
    team_id: str,
    parser_id: str,
    document_id: str,
    reviewer_id: str | None,
    seen: dt.datetime | None,
    versions: Set[str] | None = None,
) -> Find:
    """Return how to find a parser's document that the reviewer may change, as it was ``seen``."""

    def find(session: Session, *, lock: bool) -> Document:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=lock)
        if seen not in (None, document.updated_at):
            raise ChangedMeanwhile("Somebody else has changed this document meanwhile; load the page again")
        require_version(session, document, versions)
        if reviewer_id is not None:
            reviewer = find_member(session, team_id, reviewer_id, "reviewerId")
            if document.status == Status.IN_REVIEW and reviewer.id != document.assignee_id:
                raise Forbidden(ONLY_ASSIGNED, code="not_assigned")
        return document

    return find


@dataclass(frozen=True, slots=True)
class _Change:
    """New values of a document, to be written unless its parser has changed since."""

    valued: NamedValues
    confidence: float | None
    known: Mapping[str, KnownValues]
    new: Replacement
    columns: Mapping[str, Any]
    details: Mapping[str, Any]
    changes: Mapping[str, Any] | None
    event: Remark
    former: FormerResult | None = None


def change_values(inst: Installation, find: Find, change: Entry | Confirmation | Undoing, actor: str) -> None:
    """Change the values of a document, or undo that; raise the errors of ``set_values``."""

    def prepare(session: Session) -> _Change | None:
        return _prepared(session, find(session, lock=False), change, actor)

    def write(session: Session, prepared: _Change | None) -> _Change | None:
        if prepared is not None:
            _write(session, find(session, lock=True), prepared, actor)
        return prepared

    written = prepare_and_write(inst, prepare, write)
    if written is not None and written.new.is_long:
        long_texts.write_pending(inst, document_ids=[written.valued.document_id])


def mark_of(actor: str) -> Mapping[str, Any]:
    """Return what is said of a value that somebody sets now."""
    return {
        "confidence": 1.0,
        "source": "user",
        "edited": True,
        "editedBy": actor,
        "editedAt": clock.iso(clock.now()),
    }


def _prepared(
    session: Session, document: Document, change: Entry | Confirmation | Undoing, actor: str
) -> _Change | None:
    """Return what to write; None for nothing."""
    status = _check(document)
    row = session.get(Parser, document.parser_id)
    if row is None:
        raise Conflict("Document has no parser any more; its values can't be changed")
    parser = view(row)
    result = session.get(DocumentResult, document.id)
    if result is None or status not in HAS_VALUES:
        raise Conflict("Document has no values; process it first", code="no_values")
    if isinstance(change, Undoing):
        return _undone(session, parser, result, former_result(session, document.id, actor))
    marked = marked_values(parser.fields, result, change, mark_of(actor))
    changes, before = marked.changes, marked.evidence_before
    if not changes:
        return None
    rejudged = {name: entry for name, entry in marked.evidence.items() if entry is not before[name]}
    data, evidence = values.identified(parser.fields, changes, rejudged)
    changing = frozenset(data)
    replaced = isinstance(change, Entry) and change.replace
    if not replaced:
        data, evidence = {**result.values, **data}, {**result.evidence, **evidence}
    columns: dict[str, Any] = {"edited": True}
    if result.read_values is None:
        columns["read_values"] = Compressed.of(result.values)
    event = Remark.CORRECTED if isinstance(change, Entry) else Remark.CONFIRMED
    return _to_write(session, parser, result, data, evidence, columns, changing, event, replaced=replaced)


def _undone(
    session: Session, parser: ParserView, result: DocumentResult, former: FormerResult | None
) -> _Change:
    if former is None:
        raise Conflict("There is nothing that you can undo; somebody may have changed it since")
    session.expunge(former)
    columns = {
        "edited": former.edited,
        "read_values": former.read_values and Compressed.of(former.read_values),
    }
    data, evidence = former.values, former.evidence
    changed = {
        key
        for key in data.keys() | result.values.keys()
        if data.get(key) != result.values.get(key) or evidence.get(key) != result.evidence.get(key)
    }
    undone = _to_write(session, parser, result, data, evidence, columns, changed, Remark.UNDONE)
    return replace(undone, former=former)


def _to_write(
    session: Session,
    parser: ParserView,
    result: DocumentResult,
    data: Mapping[str, Any],
    evidence: Mapping[str, Any],
    columns: Mapping[str, Any],
    changing: Collection[str],
    event: Remark,
    *,
    replaced: bool = False,
) -> _Change:
    """Return how the values and evidence by field id replace those of ``result``.

    ``changing`` are the ids of the fields that are set, ``columns`` what else is written.
    """
    document_id = result.document_id
    schema = index_schema(parser.id, parser.fields)
    known = index.known_values(session, [document_id], changing, schema)
    new = NewValues.of(schema, data, known.get(document_id))
    before, after = values.named(parser.fields, result.values), values.named(parser.fields, data)
    names = {field.name for field in parser.fields if str(field.id) in changing}
    was, now = ({name: of[name] for name in names} for of in (before, after))
    return _Change(
        NamedValues(document_id, parser, after),
        mean_confidence(after, values.named_evidence(parser.fields, data, evidence)),
        known,
        index.replacements(known, {document_id: new})[document_id],
        {
            **columns,
            "values": Compressed.of(data),
            "evidence": Compressed.of(evidence),
            # Always later than before, even if the clock is not: it identifies a version of the values.
            "updated_at": max(clock.now(), result.updated_at + dt.timedelta(microseconds=1)),
        },
        {"fields": sorted(names), "replaced": replaced, **audit.changes(was, now)},
        value_changes(parser.fields, before, now),
        event,
    )


def _check(document: Document) -> Status:
    """Raise Conflict if the document's status forbids changes; return it."""
    status = Status(document.status)
    if status in IN_PROGRESS:
        raise Conflict(
            "Document is already being processed; change its values when that is done",
            code="already_processing",
        )
    if status is Status.APPROVED:
        raise Conflict("Document is approved; reset its review first", code="document_approved")
    return status


def _write(session: Session, document: Document, change: _Change, actor: str) -> None:
    _check(document)
    revision = session.scalar(select(Parser.revision).where(Parser.id == document.parser_id))
    if revision != change.valued.parser.revision or index.changed_values(
        session, [document.id], change.known
    ):
        raise OutdatedPreparation
    enqueue(session, document)
    if change.former is None:
        keep_former(session, document.id, actor, change.columns["updated_at"])
    else:
        drop_former(session, change.former, change.columns["updated_at"])
        if not change.former.edited:
            unlearn(session, document.id)
    session.execute(
        update(DocumentResult)
        .where(DocumentResult.document_id == document.id)
        .values(change.columns)
        .execution_options(synchronize_session=False)
    )
    index.replace_values(session, {document.id: change.new})
    if document.confidence is not None:
        document.confidence = change.confidence
    name_documents(session, [change.valued])
    action = f"document.{change.event}"
    audit.record(session, document.team_id, actor, action, "document", [(document.id, change.details)])
    record(session, change.event, [Transition.of(document)], actor, change.changes)
    # Last, so that whoever has seen this version has seen its entries of the log.
    document.updated_at = clock.now()
