"""Routing by people: a document moves to the right parser, and its classifier learns from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck.catalog.models import (
    Classifier,
    ClassifierRule,
    Document,
    DocumentResult,
    DocumentStage,
    Parser,
    PendingCorrection,
    StoredLayout,
)
from docduck.errors import InputError, NotFound
from docduck.ids import is_uuid
from docduck.service.classifiers.classifiers import find, view
from docduck.service.classifiers.examples import NewExample, add_example, kept_text
from docduck.service.classifiers.routed_documents import (
    ClassifiedDocumentView,
    routed_documents_in,
    routing_result,
)
from docduck.service.classifiers.routing_settings import FALLBACK
from docduck.service.core import audit, file_references, warehouse_outbox
from docduck.service.core.installation import Installation
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write
from docduck.service.documents.external_ids import free_external_id
from docduck.service.documents.reprocessing import requeued_columns
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions, next_status
from docduck.service.parsers.parsers import find as find_parser
from docduck.service.search import reindexing
from docduck.service.search.index import Properties
from docduck.service.search.reindexing import KnownDocuments, Relocation
from docduck.statuses import Status


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What a move needs, computed before the transaction; ``text`` is what is kept of the document's."""

    known: KnownDocuments
    relocation: Relocation
    text: str | None


def route_document(
    inst: Installation,
    team_id: str,
    classifier_ref: str,
    document_id: str,
    target_parser_ref: str,
    actor: str = "user",
) -> ClassifiedDocumentView:
    """Move a routed, skipped or failed document to one of its classifier's parsers, and queue it there.

    Its values are discarded. The classifier remembers the document as an example of the rule that leads to
    the parser, if there is exactly one. A document that is there already stays as it is, and is remembered.

    Raise NotFound for the classifier, document or parser, InputError if the classifier has no such target,
    and InvalidTransition ``Document is already being processed``.
    """
    if earlier_effect() is not None:
        with inst.catalog.read_session() as session:
            moved = _document(session, find(session, team_id, classifier_ref), document_id)
            return routed_documents_in(session, team_id, [moved.id])[moved.id]

    def prepare(session: Session) -> _Prepared:
        classifier = find(session, team_id, classifier_ref)
        document = _document(session, classifier, document_id)
        target = _target(session, classifier, target_parser_ref)
        name = document.name if document.is_renamed else document.file_name
        external_id = document.external_id
        if document.parser_id != target.id:
            external_id = free_external_id(session, target.id, external_id)
        after = Properties(target.id, name, external_id, document.custom)
        known = reindexing.known_documents(session, [document.id])
        return _Prepared(known, Relocation.to(after), kept_text(inst, session, document.id))

    def write(session: Session, prepared: _Prepared) -> ClassifiedDocumentView:
        # Rules must not change until the example is written.
        classifier = find(session, team_id, classifier_ref, lock=True)
        target = _target(session, classifier, target_parser_ref, lock=True)
        document = _document(session, classifier, document_id, lock=True)
        if prepared.known.changed(session, [document]) or prepared.relocation.after.parser_id != target.id:
            raise OutdatedPreparation
        rules = [rule for rule in classifier.rules if rule.target_parser_id == target.id]
        if document.parser_id != target.id:
            _audit(session, document, target, actor)
            _move(session, document, target, rules, prepared, actor)
        if len(rules) == 1:
            add_example(session, NewExample(rules[0], document.id, prepared.text))
        record_effect(session)
        session.expire_all()
        return routed_documents_in(session, team_id, [document_id.lower()])[document_id.lower()]

    def write_or_repeat(session: Session, prepared: _Prepared) -> ClassifiedDocumentView:
        try:
            return write(session, prepared)
        except IntegrityError as error:
            # Another document of the target parser has taken the external id.
            raise OutdatedPreparation from error

    return prepare_and_write(inst, prepare, write_or_repeat)


def _document(session: Session, classifier: Classifier, document_id: str, *, lock: bool = False) -> Document:
    """Return a document of the classifier; raise NotFound."""
    row = None
    if is_uuid(document_id):
        statement = (
            select(Document)
            .outerjoin(Parser, Parser.id == Document.parser_id)
            .where(Document.id == document_id.lower(), Document.classifier_id == classifier.id)
            .where(Document.team_id == classifier.team_id, Parser.deleted_at.is_(None))
        )
        row = session.scalar(statement.with_for_update(of=Document) if lock else statement)
    if row is None:
        raise NotFound("Document not found", "documentId", document_id)
    return row


def _target(session: Session, classifier: Classifier, ref: str, *, lock: bool = False) -> Parser:
    """Return a parser that the classifier routes to, locked against deletion if ``lock``."""
    parser = find_parser(session, classifier.team_id, ref, lock=lock)
    if parser.id not in view(classifier).target_ids:
        raise InputError(
            f"targetParserId: the classifier '{classifier.name}' has no rule or fallback with the parser "
            f"'{parser.name}'",
            "targetParserId",
        )
    return parser


def _audit(session: Session, document: Document, target: Parser, actor: str) -> None:
    details = {
        "before": {"parserId": document.parser_id, "routing": document.routing},
        "after": {"parserId": target.id},
    }
    audit.record(session, document.team_id, actor, "document.routed", "document", [(document.id, details)])


def _move(
    session: Session,
    document: Document,
    target: Parser,
    rules: list[ClassifierRule],
    prepared: _Prepared,
    actor: str,
) -> None:
    """Move a locked document to another parser and queue it there, without what its old parser read."""
    next_status(Status(document.status), Event.REPROCESSED)
    if document.parser_id is not None:
        warehouse_outbox.enqueue(session, [(document.id, document.team_id, document.parser_id)])
    _discard_values(session, document)
    after = prepared.relocation.after
    changes: dict[str, Any] = {
        **requeued_columns(document, is_reviewed=True),
        "parser_id": target.id,
        "folder_id": None,
        "name": after.name,
        "name_key": after.name.casefold(),
        "external_id": after.external_id,
        "processed_at": None,
        "confidence": None,
        "classification": None,
        "routing_status": "routed",
        "routing": routing_result(
            _category(rules), target, confidence=1.0, reasoning="A person chose this parser."
        ),
    }
    step = Transition(
        document.id,
        document.team_id,
        target.id,
        Status(document.status),
        document.attempt,
        f"routed to {target.name}",
        changes,
    )
    apply_transitions(session, Event.REPROCESSED, [step], actor)
    reindexing.relocate(session, prepared.known, {document.id: prepared.relocation})


def _category(rules: list[ClassifierRule]) -> str | None:
    """Return the label of the only rule with the target, or ``fallback``; None if several rules have it."""
    if not rules:
        return FALLBACK
    return rules[0].label if len(rules) == 1 else None


def _discard_values(session: Session, document: Document) -> None:
    """Delete what was read from the document, its review, and what was learned from it."""
    markdown = session.scalar(
        select(DocumentResult.markdown_sha256).where(DocumentResult.document_id == document.id)
    )
    if markdown is not None:
        file_references.release(session, Counter([markdown]))
    for table in (DocumentResult, DocumentStage, PendingCorrection, StoredLayout):
        session.execute(
            delete(table).where(table.document_id == document.id).execution_options(synchronize_session=False)
        )
