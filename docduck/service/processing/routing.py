"""Routing: a classified document moves to its target parser and is queued there, is skipped, or fails.

It happens in the transaction in which the document leaves ``processing``. A routed document never
returns to a classifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, Parser
from docduck.extraction.triage.classify.labels import Classification
from docduck.service.classifiers.routed_documents import routing_result
from docduck.service.classifiers.routing_settings import FALLBACK
from docduck.service.documents.claim import NOT_CLAIMED
from docduck.service.documents.external_ids import free_external_id
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.loaded_classifiers import LoadedClassifier
from docduck.service.search import index, reindexing
from docduck.service.search.reindexing import Relocation

TARGET_NOT_FOUND, TARGET_INACTIVE = "Target parser not found", "Parser is inactive"


@dataclass(frozen=True, slots=True)
class _Decision:
    """Where a document goes: to the parser with ``target_id``, or nowhere."""

    category: str | None
    target_id: str | None
    confidence: float
    reasoning: str


def route_documents(session: Session, outcomes: Sequence[ExtractionOutcome], actor: str) -> None:
    """Move classified documents to their parsers, or skip or fail them. The caller holds their claims."""
    decisions = {
        outcome.claim.document_id: _decide(outcome.classifier, outcome.expansion.classification)
        for outcome in outcomes
        if outcome.classifier is not None and outcome.expansion.classification is not None
    }
    if not decisions:
        return
    targets = {decision.target_id for decision in decisions.values() if decision.target_id}
    parsers = {row.id: row for row in session.scalars(select(Parser).where(Parser.id.in_(targets)))}
    rows = {row.id: row for row in session.scalars(select(Document).where(Document.id.in_(decisions)))}
    known = reindexing.known_documents(session, list(decisions))
    moved: dict[str, Relocation] = {}
    by_event: dict[Event, list[Transition]] = {}
    reserved: set[tuple[str, str]] = set()
    for document_id, decision in decisions.items():
        parser = parsers.get(decision.target_id) if decision.target_id else None
        event, step = _step(session, rows[document_id], decision, parser, reserved)
        by_event.setdefault(event, []).append(step)
        if event is Event.ROUTED:
            after = replace(index.properties_of(rows[document_id]), parser_id=step.parser_id)
            moved[document_id] = Relocation.to(replace(after, external_id=step.changes["external_id"]))
    for event, steps in by_event.items():
        apply_transitions(session, event, steps, actor)
    reindexing.relocate(session, known, moved)


def failed_routing(message: str | None) -> dict[str, Any]:
    """Return the columns of a document that could not be classified."""
    return {"routing_status": "failed", "routing": routing_result(None, None, error=message)}


def skipped_routing(reason: str | None) -> dict[str, Any]:
    """Return the columns of a document that is not to be routed, such as a mail of which only the attachments
    are.
    """
    return {"routing_status": "skipped", "routing": routing_result(None, None, reasoning=reason)}


def _decide(classifier: LoadedClassifier, classification: Classification) -> _Decision:
    route = classifier.route(classification.label)
    target_id = route.target_parser_id if route is not None else classifier.fallback_parser_id
    category = route.label if route is not None else FALLBACK if target_id else None
    reasoning = classification.reasoning
    return _Decision(category, target_id, classification.confidence, reasoning)


def _step(
    session: Session,
    row: Document,
    decision: _Decision,
    parser: Parser | None,
    reserved: set[tuple[str, str]],
) -> tuple[Event, Transition]:
    step = Transition.of(row)
    why: Any = {"confidence": decision.confidence, "reasoning": decision.reasoning}
    ended = {**NOT_CLAIMED, "lost_leases": 0, "processed_at": clock.now()}
    if decision.target_id is None:
        routing = routing_result(None, None, **why)
        changes = {**ended, "processed_at": None, "routing_status": "skipped", "routing": routing}
        return Event.ROUTING_SKIPPED, replace(step, reason=decision.reasoning, changes=changes)
    is_lost = parser is None or parser.deleted_at is not None or parser.team_id != row.team_id
    if is_lost or parser is None or not parser.is_active:
        error = TARGET_NOT_FOUND if is_lost else TARGET_INACTIVE
        routing = routing_result(decision.category, parser, error=error, **why)
        changes = {**ended, "error": error, "routing_status": "failed", "routing": routing}
        return Event.EXTRACTION_FAILED, replace(step, reason=error, changes=changes)
    others = {external_id for parser_id, external_id in reserved if parser_id == parser.id}
    external_id = free_external_id(session, parser.id, row.external_id, others)
    if external_id is not None:
        reserved.add((parser.id, external_id))
    changes = {
        **NOT_CLAIMED,
        "parser_id": parser.id,
        "external_id": external_id,
        "queued_at": clock.now(),
        "lost_leases": 0,
        "routing_status": "routed",
        "routing": routing_result(decision.category, parser, **why),
    }
    return Event.ROUTED, replace(step, parser_id=parser.id, reason=f"to {parser.name}", changes=changes)
