"""Storing the outcomes of claimed documents in the catalog."""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from docduck import clock, tracing
from docduck.catalog.json_text import Compressed, Encoded
from docduck.catalog.models import Document, DocumentEvent, DocumentResult, Folder
from docduck.documents.detection.content_types import SIGNED
from docduck.extraction.jobs.classify_step import GateDecision
from docduck.extraction.result import Extraction
from docduck.service.classifiers.examples import add_texts
from docduck.service.core import file_references
from docduck.service.core.folder_tree import lock_folders
from docduck.service.core.installation import Installation
from docduck.service.corrections.known_values import edited_results, with_kept_values
from docduck.service.documents import values
from docduck.service.documents.claim import NOT_CLAIMED, Claim
from docduck.service.documents.document_names import NamedValues, name_documents
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions
from docduck.service.folders.auto_assignment import (
    Choice,
    Extracted,
    changed_choices,
    choose_folders,
    file_documents,
)
from docduck.service.processing.attachments import register_attachments
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.model_spending import record_document_usage, record_usage
from docduck.service.processing.routing import (
    failed_routing,
    route_documents,
    skipped_routing,
)
from docduck.service.processing.splitting import split_files
from docduck.service.reviews.review_start import (
    PlannedReview,
    lock_stages,
    outdated_reviews,
    plan_reviews,
    start_reviews,
)
from docduck.service.search import index, long_texts
from docduck.service.search.entries import IndexSchema, index_schema
from docduck.service.search.index import KnownValues, NewValues, Replacement
from docduck.statuses import Status

_log = logging.getLogger(__name__)

_ENDS = (
    Event.EXTRACTED,
    Event.REVIEW_OWED,
    Event.EXTRACTION_FAILED,
    Event.GATE_REFUSED,
    Event.ATTACHMENTS_SPLIT,
    Event.SPLIT,
    Event.ROUTED,
    Event.ROUTING_SKIPPED,
)
"""The events of outcomes that are stored."""

_RAN_OUT = "The rules of its parser's folders took too long, so it was put in no folder"


@dataclass(frozen=True, slots=True)
class StoredOutcomes:
    """The outcomes that were stored, and those that must be stored again (``retry``).

    ``in_review`` are the ids of the stored documents that are in review. ``rule_seconds`` lists the time that
    rules took, by claim.
    """

    stored: Sequence[ExtractionOutcome] = ()
    retry: Sequence[ExtractionOutcome] = ()
    in_review: Set[str] = frozenset()
    rule_seconds: Sequence[tuple[Claim, float]] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What to write for outcomes, computed before the transaction."""

    outcomes: Sequence[ExtractionOutcome]
    rows: Mapping[str, Mapping[str, Any]]
    known: Mapping[str, KnownValues]
    replaced: Mapping[str, Replacement]
    choices: Mapping[str, Choice]
    reviews: Mapping[str, PlannedReview]


def store_outcomes(inst: Installation, outcomes: Sequence[ExtractionOutcome], owner: str) -> StoredOutcomes:
    """Store outcomes whose claims are still valid; ignore the others.

    Model usage is recorded for all of them. Outcomes are to be retried if what they were prepared from has
    changed, or if their parser's rules take long. Those that ``owner`` stored before, by a commit that the
    catalog didn't answer, are left as they are, and returned as stored.
    """
    began = clock.now()
    with inst.catalog.read_session() as session:
        prepared, later = _prepare(session, outcomes)
    with inst.catalog.transaction() as session:
        stored, outdated = _write(session, prepared, owner)
    if any(replacement.is_long for replacement in prepared.replaced.values()):
        long_texts.write_pending(inst, document_ids=list(prepared.replaced))
    spent = [(choice.claim, choice.seconds) for choice in prepared.choices.values()]
    spent += [(review.claim, review.seconds) for review in prepared.reviews.values() if review.seconds]
    ids = (outcome.claim.document_id for outcome in stored)
    in_review = frozenset(document_id for document_id in ids if _is_reviewed(prepared, document_id))
    for outcome in stored:
        _trace(outcome, began, outcome.claim.document_id in in_review)
    return StoredOutcomes(stored, [*outdated, *later], in_review, spent)


def _trace(outcome: ExtractionOutcome, began: dt.datetime, in_review: bool) -> None:
    if outcome.error is not None:
        status = Status.FAILED
    elif outcome.skipped is not None:
        status = Status.SKIPPED
    elif outcome.extraction is None:
        # It was split, or routed to a parser.
        status = Status.QUEUED
    else:
        status = Status.IN_REVIEW if in_review else Status.PROCESSED
    tracing.record(
        "store",
        outcome.claim.document_id,
        began,
        error=type(outcome.error).__name__ if outcome.error else None,
        team_id=outcome.claim.team_id,
        parser=outcome.parser.slug if outcome.parser else None,
        attempt=outcome.claim.attempt,
        status=status.value,
    )


def _prepare(
    session: Session, outcomes: Sequence[ExtractionOutcome]
) -> tuple[_Prepared, list[ExtractionOutcome]]:
    """Compute what to write; return it with the outcomes to prepare later."""
    rows: dict[str, dict[str, Any]] = {}
    new: dict[str, NewValues] = {}
    extracted: list[Extracted] = []
    schemas: dict[int, IndexSchema] = {}
    outcomes = _with_kept_values(session, outcomes)
    for outcome in outcomes:
        if outcome.extraction is None or outcome.parser is None:
            continue
        document_id = outcome.claim.document_id
        data, evidence = values.identified(
            outcome.parser.fields, outcome.extraction.data, outcome.extraction.field_metadata
        )
        rows[document_id] = _result_row(outcome, outcome.extraction, data, evidence)
        parser = outcome.parser
        if id(parser) not in schemas:
            schemas[id(parser)] = index_schema(parser.id, parser.fields)
        new[document_id] = NewValues.of(schemas[id(parser)], data)
        extracted.append(
            Extracted(outcome.claim, parser, outcome.extraction, new[document_id].entries, outcome.folder_id)
        )
    choices, later = choose_folders(session, extracted)
    reviews, unplanned = plan_reviews(
        session, [outcome for outcome in extracted if outcome.claim.document_id not in later]
    )
    later |= unplanned
    for document_id, review in reviews.items():
        ran_out = document_id in choices and choices[document_id].ran_out
        warnings = [*([_RAN_OUT] if ran_out else []), *review.warnings]
        rows[document_id]["warnings"] = [*rows[document_id]["warnings"], *warnings]
    now = [outcome for outcome in outcomes if outcome.claim.document_id not in later]
    known = index.known_values(session, [outcome.claim.document_id for outcome in now])
    prepared = _Prepared(
        now,
        {key: _encoded(row) for key, row in rows.items() if key not in later},
        known,
        index.replacements(known, {key: entries for key, entries in new.items() if key not in later}),
        choices,
        reviews,
    )
    return prepared, [outcome for outcome in outcomes if outcome.claim.document_id in later]


def _with_kept_values(session: Session, outcomes: Sequence[ExtractionOutcome]) -> list[ExtractionOutcome]:
    """Return the outcomes with the values that people set before in their documents."""
    edited = edited_results(
        session, [outcome.claim.document_id for outcome in outcomes if outcome.extraction]
    )
    extraction_outcomes = []
    for outcome in outcomes:
        result = edited.get(outcome.claim.document_id)
        # An outcome that is stored again has its kept values already.
        if result is not None and outcome.extraction and outcome.parser and outcome.read_data is None:
            merged = with_kept_values(outcome.extraction, outcome.parser.fields, result)
            if merged is not None:
                outcome = replace(outcome, extraction=merged, read_data=outcome.extraction.data)
        extraction_outcomes.append(outcome)
    return extraction_outcomes


def _write(
    session: Session, prepared: _Prepared, owner: str
) -> tuple[list[ExtractionOutcome], list[ExtractionOutcome]]:
    """Write what was prepared; return the stored outcomes, and those to prepare again."""
    outcomes = prepared.outcomes
    lock_stages(session, {review.claim.target_id for review in prepared.reviews.values()})
    if parted := [r.claim.document_id for r in outcomes if r.files or r.members]:
        # Their parts are put into the same folders.
        theirs = select(Document.folder_id).where(Document.id.in_(parted))
        lock_folders(session, Folder.id.in_(theirs))
    held = _still_claimed(session, outcomes, owner)
    ids = [outcome.claim.document_id for outcome in held]
    outdated = index.changed_values(session, ids, prepared.known)
    choices = [prepared.choices[document_id] for document_id in ids if document_id in prepared.choices]
    outdated |= changed_choices(session, choices)
    outdated |= outdated_reviews(
        session, [prepared.reviews[document_id] for document_id in ids if document_id in prepared.reviews]
    )
    before = _stored_before(session, [r for r in outcomes if r.claim.document_id not in ids], owner)
    uncounted = outdated | {outcome.claim.document_id for outcome in before}
    counted = (r for r in outcomes if r.claim.document_id not in uncounted)
    record_usage(session, ((r.claim.team_id, r.usage) for r in counted))
    again = [outcome for outcome in held if outcome.claim.document_id in outdated]
    held = [outcome for outcome in held if outcome.claim.document_id not in outdated]
    if not held:
        return before, again
    _replace_results(session, prepared, held)
    record_document_usage(session, held)
    moved = register_attachments(session, [outcome for outcome in held if outcome.files], owner)
    split_files(session, [outcome for outcome in held if outcome.members], owner)
    route_documents(session, held, owner)
    add_texts(session, [(r.claim.document_id, r.expansion.text) for r in held if r.expansion.text])
    extracted = [outcome for outcome in held if outcome.extraction is not None]
    reviewed = [outcome for outcome in extracted if _is_reviewed(prepared, outcome.claim.document_id)]
    start_reviews(session, [prepared.reviews[outcome.claim.document_id] for outcome in extracted])
    skipped = [outcome for outcome in held if outcome.skipped is not None]
    for event, ended in (
        (Event.EXTRACTED, [outcome for outcome in extracted if outcome not in reviewed]),
        (Event.REVIEW_OWED, reviewed),
        (Event.EXTRACTION_FAILED, [outcome for outcome in held if outcome.error is not None]),
        (Event.GATE_REFUSED, [outcome for outcome in skipped if outcome.expansion.gate is not None]),
        (Event.ATTACHMENTS_SPLIT, [outcome for outcome in skipped if outcome.expansion.gate is None]),
    ):
        steps = [_transition(prepared, outcome) for outcome in ended]
        apply_transitions(session, event, [_of_moved(step, moved) for step in steps], owner)
    valued = [
        NamedValues(r.claim.document_id, r.parser, r.extraction.data)
        for r in held
        if r.extraction and r.parser
    ]
    name_documents(session, valued)
    file_documents(session, [choice for choice in choices if choice.claim.document_id not in outdated])
    return [*before, *held], again


def _stored_before(
    session: Session, outcomes: Sequence[ExtractionOutcome], owner: str
) -> list[ExtractionOutcome]:
    """Return the outcomes whose attempts ``owner`` has ended already."""
    ids = [outcome.claim.document_id for outcome in outcomes]
    if not ids:
        return []
    ended = session.execute(
        select(DocumentEvent.document_id, DocumentEvent.attempt).where(
            DocumentEvent.document_id.in_(ids),
            DocumentEvent.actor == owner,
            DocumentEvent.from_status == Status.PROCESSING,
            DocumentEvent.event.in_(_ENDS),
        )
    )
    attempts = {(document_id, attempt) for document_id, attempt in ended}
    return [r for r in outcomes if (r.claim.document_id, r.claim.attempt) in attempts]


def _still_claimed(
    session: Session, outcomes: Sequence[ExtractionOutcome], owner: str
) -> list[ExtractionOutcome]:
    attempts = {
        document_id: attempt
        for document_id, attempt in session.execute(
            select(Document.id, Document.attempt)
            .where(
                Document.id.in_([outcome.claim.document_id for outcome in outcomes]),
                Document.status == Status.PROCESSING,
                Document.claimed_by == owner,
            )
            # Locked in the order in which all code locks documents.
            .order_by(Document.id)
            .with_for_update()
        )
    }
    return [r for r in outcomes if attempts.get(r.claim.document_id) == r.claim.attempt]


def _is_reviewed(prepared: _Prepared, document_id: str) -> bool:
    review = prepared.reviews.get(document_id)
    return review is not None and review.first is not None


def _transition(prepared: _Prepared, outcome: ExtractionOutcome) -> Transition:
    extraction = outcome.extraction
    review = prepared.reviews.get(outcome.claim.document_id)
    stage = review.first if review else None
    changes: dict[str, Any] = {
        **NOT_CLAIMED,
        "lost_leases": 0,
        "processed_at": None if outcome.skipped is not None else clock.now(),
        "error": outcome.message,
        "confidence": extraction.confidence if extraction else None,
        "parser_revision": outcome.parser.revision if outcome.parser else None,
        "slow": outcome.slow,
        "classification": _gate_decision(outcome.expansion.gate),
    }
    if outcome.classifier is not None:
        routing = failed_routing if outcome.error else skipped_routing
        changes |= routing(outcome.message or outcome.skipped)
    if extraction:
        changes["page_count"] = extraction.page_count or None
        # A signed file stays what it is, whatever it holds.
        is_signed = outcome.claim.content_type == SIGNED
        changes["content_type"] = SIGNED if is_signed else extraction.content_type
    if stage:
        changes["assignee_id"] = stage.reviewer_id
    return Transition(
        outcome.claim.document_id,
        outcome.claim.team_id,
        outcome.claim.parser_id,
        Status.PROCESSING,
        outcome.claim.attempt,
        reason=stage.label if stage else outcome.message or outcome.skipped,
        changes=changes,
    )


def _of_moved(step: Transition, moved: Mapping[str, str]) -> Transition:
    """Return the transition of the document that a mail has moved to, if it has."""
    if step.document_id not in moved:
        return step
    return replace(step, document_id=moved[step.document_id], attempt=1)


def _gate_decision(gate: GateDecision | None) -> dict[str, Any] | None:
    """Return what the document's metadata shows of its gate's decision."""
    if gate is None:
        return None
    classification = gate.classification
    return {
        "label": classification.label,
        "confidence": classification.confidence,
        "decision": gate.decision,
        "reasoning": classification.reasoning,
    }


def _replace_results(session: Session, prepared: _Prepared, held: Sequence[ExtractionOutcome]) -> None:
    # A document that can't be read again keeps what people set for the time when it can.
    unread = [outcome.claim.document_id for outcome in held if outcome.error or outcome.skipped]
    mine = DocumentResult.document_id.in_(unread), DocumentResult.edited
    present = set(session.scalars(select(DocumentResult.document_id).where(*mine)))
    ids = [outcome.claim.document_id for outcome in held if outcome.claim.document_id not in present]
    old = session.scalars(
        select(DocumentResult.markdown_sha256).where(
            DocumentResult.document_id.in_(ids), DocumentResult.markdown_sha256.is_not(None)
        )
    )
    file_references.release(session, Counter(sha256 for sha256 in old if sha256))
    session.execute(delete(DocumentResult).where(DocumentResult.document_id.in_(ids)))
    new = {r.markdown_sha256: r.markdown_size for r in held if r.markdown_sha256}
    file_references.acquire(session, Counter(r.markdown_sha256 for r in held if r.markdown_sha256), new)
    if rows := [prepared.rows[document_id] for document_id in ids if document_id in prepared.rows]:
        session.connection().execute(insert(DocumentResult), rows)
    index.replace_values(
        session,
        {
            document_id: prepared.replaced[document_id]
            for document_id in ids
            if document_id in prepared.replaced
        },
    )


def _result_row(
    outcome: ExtractionOutcome, extraction: Extraction, data: Mapping[str, Any], evidence: Mapping[str, Any]
) -> dict[str, Any]:
    moment = clock.now()
    read, _ = values.identified(outcome.parser.fields if outcome.parser else (), outcome.read_data or {}, {})
    return {
        "document_id": outcome.claim.document_id,
        "team_id": outcome.claim.team_id,
        "attempt": outcome.claim.attempt,
        "mode": outcome.mode,
        "values": data,
        "read_values": None if outcome.read_data is None else read,
        "evidence": evidence,
        "extras": extraction.extras.as_json(),
        "warnings": extraction.warnings,
        "pages": [
            {"number": p.number, "width": p.width, "height": p.height, "source": p.source, "turn": p.turn}
            for p in extraction.pages
        ],
        "markdown_sha256": outcome.markdown_sha256,
        "edited": outcome.read_data is not None,
        "seconds": outcome.seconds,
        "created_at": moment,
        "updated_at": moment,
    }


def _encoded(row: Mapping[str, Any]) -> Mapping[str, Any]:
    large = [name for name in ("values", "read_values", "evidence") if row[name] is not None]
    return {
        **row,
        **{name: Compressed.of(row[name]) for name in large},
        **{name: Encoded.of(row[name]) for name in ("warnings", "pages")},
    }
