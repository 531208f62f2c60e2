"""Putting extracted documents into review.

``plan_reviews`` evaluates the rules before the transaction that stores the documents. In it,
``outdated_reviews`` finds the plans that are to be made again, and ``start_reviews`` writes the others.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import DocumentStage, Parser
from docduck.ids import new_id
from docduck.service.conditions import Condition
from docduck.service.conditions.work_limits import RULE_SECONDS
from docduck.service.documents.claim import Claim
from docduck.service.documents.queries.duplicates import is_any_duplicate
from docduck.service.folders.auto_assignment import Extracted
from docduck.service.reviews.stage_rules import StageRules, StoredStage, conditions_of, current_stages
from docduck.service.search.entries import Entries


@dataclass(frozen=True, slots=True)
class PlannedReview:
    """A document's review: the parser's ``stages``, and those of them that apply, by id.

    ``missed`` are values that no other document had; ``slow`` are the names of stages whose rules took too
    long; ``seconds`` is the time that the rules took.
    """

    claim: Claim
    stages: tuple[StoredStage, ...] = ()
    applicable: frozenset[str] = frozenset()
    missed: Collection[tuple[int, frozenset[str]]] = ()
    slow: Sequence[str] = ()
    seconds: float = 0.0

    @property
    def first(self) -> StoredStage | None:
        """The stage that the review starts at; None if no stage applies."""
        return next((stage for stage in self.stages if stage.id in self.applicable), None)

    @property
    def warnings(self) -> list[str]:
        return [f"The rules of review stage '{name}' took too long, so it applies" for name in self.slow]


def plan_reviews(
    session: Session, extracted: Sequence[Extracted]
) -> tuple[dict[str, PlannedReview], set[str]]:
    """Evaluate the stages of extracted documents; return the plans and the documents to plan later.

    The rules for a document may take ``RULE_SECONDS``; after that time, the parser's other documents are
    planned later.
    """
    stages = current_stages(session, {extraction.parser.id for extraction in extracted})
    plans: dict[str, PlannedReview] = {}
    later: set[str] = set()
    entries = {extraction.claim.document_id: extraction.entries for extraction in extracted}
    by_revision: dict[tuple[str, int], list[Extracted]] = {}
    for extraction in extracted:
        by_revision.setdefault((extraction.parser.id, extraction.parser.revision), []).append(extraction)
    for (parser_id, _), mine in by_revision.items():
        later |= _plan(session, stages.get(parser_id, ()), mine, entries, plans)
    return plans, later


def _plan(
    session: Session,
    stages: tuple[StoredStage, ...],
    extracted: Sequence[Extracted],
    entries: Mapping[str, Entries],
    plans: dict[str, PlannedReview],
) -> set[str]:
    fields = extracted[0].parser.fields
    conditions = {stage.id: conditions_of(stage, fields) for stage in stages}
    later: set[str] = set()
    end = time.monotonic() + RULE_SECONDS
    for turn, extraction in enumerate(extracted):
        if turn and any(conditions.values()) and time.monotonic() > end:
            later.add(extraction.claim.document_id)
            continue
        plans[extraction.claim.document_id] = _plan_one(session, stages, conditions, extraction, entries)
    return later


def _plan_one(
    session: Session,
    stages: tuple[StoredStage, ...],
    conditions: Mapping[str, Sequence[Condition]],
    extracted: Extracted,
    entries: Mapping[str, Entries],
) -> PlannedReview:
    if not any(conditions.values()):
        return PlannedReview(extracted.claim, stages, frozenset(stage.id for stage in stages))
    begin = time.monotonic()
    claim, extraction = extracted.claim, extracted.extraction
    rules = StageRules(
        session, extracted.parser, claim.document_id, extraction.data, extraction.field_metadata, entries
    )
    applicable = frozenset(stage.id for stage in stages if rules.match(stage.name, conditions[stage.id]))
    seconds = time.monotonic() - begin
    return PlannedReview(claim, stages, applicable, rules.missed, tuple(rules.slow), seconds)


def lock_stages(session: Session, parser_ids: Collection[str]) -> None:
    """Prevent changes of parsers' review stages until the transaction ends.

    Parsers are locked before folders and documents, to avoid deadlocks.
    """
    parsers = select(Parser.id).where(Parser.id.in_(parser_ids)).order_by(Parser.id)
    session.execute(parsers.with_for_update(read=True, key_share=True))


def outdated_reviews(session: Session, plans: Collection[PlannedReview]) -> set[str]:
    """Return the documents whose stages, or the data for their rules, have changed since."""
    stages = current_stages(session, {plan.claim.target_id for plan in plans})
    return {
        plan.claim.document_id
        for plan in plans
        if stages.get(plan.claim.target_id, ()) != plan.stages
        or is_any_duplicate(session, plan.claim.document_id, plan.missed)
    }


def start_reviews(session: Session, plans: Collection[PlannedReview]) -> None:
    """Store the review stages of documents; the caller changes their status and assignee."""
    moment = clock.now()
    rows = [
        {
            "id": new_id(),
            "team_id": plan.claim.team_id,
            "document_id": plan.claim.document_id,
            "stage_id": stage.id,
            "position": stage.position,
            "status": _status(plan, stage),
            "assignee_id": stage.reviewer_id,
            "started_at": moment if stage is plan.first else None,
        }
        for plan in plans
        for stage in plan.stages
    ]
    if rows:
        session.connection().execute(insert(DocumentStage), rows)


def _status(plan: PlannedReview, stage: StoredStage) -> str:
    if stage.id not in plan.applicable:
        return "skipped"
    return "in_progress" if stage is plan.first else "pending"
