"""Approving, undoing that, rejecting, and resetting the review of a document.

Each locks the document, which serialises all changes of its review.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck import clock, tracing
from docduck.catalog.models import Document, DocumentResult, DocumentStage, Parser, ReviewStage
from docduck.errors import Conflict, Forbidden, InputError, NotFound
from docduck.service.accounts.accounts import Member, find_member
from docduck.service.accounts.permissions import MANAGERS
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write
from docduck.service.corrections import pending_corrections
from docduck.service.corrections.learning import unlearn
from docduck.service.documents import values
from docduck.service.documents.document_changes import ONLY_ASSIGNED
from docduck.service.documents.doubts import failed_checks
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.documents.queries.document_views import DocumentView, show_document
from docduck.service.documents.status_transitions import (
    Event,
    Remark,
    Transition,
    apply_transitions,
    next_status,
    record,
)
from docduck.service.parsers.parsers import view
from docduck.service.reviews.next_stage import NextStage, find_next, refuse_outdated
from docduck.service.reviews.takers import taken_by
from docduck.service.reviews.user_rights import last_approved
from docduck.statuses import Status

P = TypeVar("P")

LONGEST_REASON = 1000
_MOST_NAMED = 5
NOT_IN_REVIEW = "Document is not in review"
_NOTHING_TO_UNDO = "There is no approval that can be undone."
_RESET_INSTEAD = "'Review again' starts the review of an approved document from its first stage"
_CHANGED = "This review has gone on meanwhile; look at the document again"


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision on the stage ``stage_id``, after which the review goes on with ``following``.

    ``version`` is that of the values that were checked for it.
    """

    stage_id: str | None
    following: NextStage
    version: dt.datetime | None = None


def approve(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    reviewer_id: str,
    actor: str = "user",
    stage_id: str | None = None,
    *,
    looked: Collection[str] = (),
) -> DocumentView:
    """Approve the stage in progress; the next one starts, or the document is approved after the last one.

    ``looked`` are the ids of the fields whose values the reviewer looked at. The parser learns from approved
    documents (``pending_corrections.process_pending``). Raise NotFound,
    InputError for a document of another parser, Forbidden unless the reviewer is the assigned one, and
    Conflict if the document is not in review, another decision was first, the stage in progress is not
    ``stage_id``, if that is given, or it blocks documents with failed checks.
    """

    def prepare(session: Session) -> _Decision:
        document = get_parser_document(session, team_id, parser_id, document_id)
        rows = _rows(session, document)
        stage = _current(document, rows)
        if stage_id not in (None, stage.stage_id):
            raise Conflict(_CHANGED, code="changed_meanwhile")
        _require_assigned(session, team_id, stage, reviewer_id)
        version = _checked_version(session, document, stage)
        return _Decision(stage.stage_id, find_next(session, document, _after(rows, stage)), version)

    def write(session: Session, decision: _Decision) -> None:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        rows = _rows(session, document)
        stage = _current(document, rows)
        if stage.stage_id != decision.stage_id:
            raise Conflict(_CHANGED, code="changed_meanwhile")
        reviewer = _require_assigned(session, team_id, stage, reviewer_id)
        refuse_outdated(session, document, _after(rows, stage), decision.following)
        if decision.version not in (None, _version(session, document)):
            raise OutdatedPreparation
        step = _Step(session, document, rows, reviewer, actor)
        _note_looked(session, document, looked)
        stage.status = "approved"
        stage.approved_at = clock.now()
        if decision.following.chosen is None:
            step.pass_over(decision.following)
            changes = {"approved_at": stage.approved_at, "assignee_id": None}
            step.change_status(Event.APPROVED, step.name_of(stage), changes)
            pending_corrections.enqueue(session, document)
        else:
            step.record(Remark.STAGE_APPROVED, step.name_of(stage))
            step.pass_over(decision.following)
            step.start(decision.following)
        step.audit("review.approved", stage)

    _decide(inst, prepare, write)
    return show_document(inst, team_id, parser_id, document_id)


def undo_approval(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    reviewer_id: str,
    actor: str = "user",
    stage_id: str | None = None,
) -> DocumentView:
    """Undo the last approval: its stage is in progress again, with the same reviewer and the same values.

    It is possible until somebody acts on the next stage, and, if the document was approved by it, for as long
    as no export and no webhook has taken the document. What it taught is forgotten. Raise NotFound,
    InputError for a document of another parser, Forbidden unless the reviewer made the approval, and Conflict
    if it can't be undone any more, or is not that of ``stage_id``, if that is given.
    """

    def write(session: Session, _: None) -> None:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        rows = _rows(session, document)
        last = last_approved(document.status, rows)
        if last is None or stage_id not in (None, last.stage_id):
            raise Conflict(f"{_NOTHING_TO_UNDO} {_RESET_INSTEAD}")
        reviewer = _require_assigned(session, team_id, last, reviewer_id)
        if document.status == Status.APPROVED:
            taker = taken_by(session, document, inst.settings.keep_deliveries_days)
            if taker is not None:
                raise Conflict(f"The approval can't be undone any more: {taker}. {_RESET_INSTEAD}")
        step = _Step(session, document, rows, reviewer, actor)
        for stage in _after(rows, last):
            if stage.status == "in_progress":
                stage.status = "pending"
            stage.started_at = stage.held_at = stage.hold_note = None
        stage = last
        stage.status = "in_progress"
        stage.approved_at = None
        if document.status == Status.APPROVED:
            changes = {"approved_at": None, "assignee_id": stage.assignee_id}
            step.change_status(Event.APPROVAL_UNDONE, step.name_of(stage), changes)
        else:
            document.assignee_id, document.updated_at = stage.assignee_id, clock.now()
            session.flush()
            step.record(Remark.STAGE_UNDONE, step.name_of(stage))
        if not session.get_one(DocumentResult, document.id).edited:
            unlearn(session, document.id)
        step.audit("review.approval_undone", stage)

    _decide(inst, lambda session: None, write)
    return show_document(inst, team_id, parser_id, document_id)


def reject(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    reviewer_id: str,
    reason: str | None = None,
    actor: str = "user",
) -> DocumentView:
    """Reject the document at the stage in progress; ``reason`` becomes the stage's comment.

    Raise the same errors as ``approve``, and InputError if the reason is too long.
    """
    if reason is not None and len(reason) > LONGEST_REASON:
        raise InputError(f"reason may have {LONGEST_REASON} characters", "reason")

    def write(session: Session, _: None) -> None:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        rows = _rows(session, document)
        stage = _current(document, rows)
        reviewer = _require_assigned(session, team_id, stage, reviewer_id)
        step = _Step(session, document, rows, reviewer, actor)
        stage.status = "rejected"
        stage.rejected_at = clock.now()
        stage.comment = reason or None
        name = step.name_of(stage)
        step.change_status(Event.REJECTED, f"{name}: {reason}" if reason else name, {"assignee_id": None})
        step.audit("review.rejected", stage)

    _decide(inst, lambda session: None, write)
    return show_document(inst, team_id, parser_id, document_id)


def reset(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    reviewer_id: str,
    actor: str = "user",
) -> DocumentView:
    """Start the review of an approved or rejected document again; its values are kept.

    The review starts at the first stage that applies to the present values, or, if none does any more, at the
    first that was not skipped. Raise NotFound, InputError for a document of another parser, Forbidden unless
    the reviewer acted last or manages the team, and Conflict for a document in another status.
    """

    def prepare(session: Session) -> _Decision:
        document = get_parser_document(session, team_id, parser_id, document_id)
        rows = _rows(session, document)
        _require_last(session, team_id, document, rows, reviewer_id)
        return _Decision(None, find_next(session, document, rows))

    def write(session: Session, decision: _Decision) -> None:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        rows = _rows(session, document)
        reviewer = _require_last(session, team_id, document, rows, reviewer_id)
        refuse_outdated(session, document, rows, decision.following)
        step = _Step(session, document, rows, reviewer, actor)
        was = {row.stage_id: row.status for row in rows}
        for stage in rows:
            if stage.status != "skipped":
                stage.status = "pending"
            stage.approved_at = stage.rejected_at = stage.started_at = stage.comment = None
            stage.held_at = stage.hold_note = None
        following = decision.following
        step.change_status(Event.REVIEW_RESET, None, {"approved_at": None, "assignee_id": None})
        if following.chosen is None:
            first = next(
                candidate.stage for candidate in following.candidates if was[candidate.stage.id] != "skipped"
            )
            following = NextStage(following.candidates, chosen=first)
        else:
            step.pass_over(following)
        step.start(following)
        step.audit("review.reset", None)

    _decide(inst, prepare, write)
    return show_document(inst, team_id, parser_id, document_id)


def _decide(inst: Installation, prepare: Callable[[Session], P], write: Callable[[Session, P], None]) -> None:
    """Make a decision once, also if its request comes again."""

    def write_once(session: Session, prepared: P) -> None:
        write(session, prepared)
        record_effect(session)

    if earlier_effect() is None:
        prepare_and_write(inst, prepare, write_once)


class _Step:
    """One decision on a locked document: its changes, history and audit entry."""

    def __init__(
        self,
        session: Session,
        document: Document,
        rows: Sequence[DocumentStage],
        reviewer: Member,
        actor: str,
    ) -> None:
        self._session = session
        self._document = document
        self._rows = {row.stage_id: row for row in rows}
        self._reviewer = reviewer
        self._actor = actor
        self._before = self._facts()
        names = select(ReviewStage.id, ReviewStage.name).where(ReviewStage.id.in_(self._rows))
        self._names = {stage_id: name for stage_id, name in session.execute(names)}

    def name_of(self, row: DocumentStage) -> str:
        return self._names[row.stage_id]

    def change_status(self, event: Event, reason: str | None, changes: dict[str, Any]) -> None:
        self._session.flush()
        step = Transition.of(self._document, reason, changes)
        apply_transitions(self._session, event, [step], self._reviewer.id)
        self._session.refresh(self._document)

    def record(self, remark: Remark, reason: str) -> None:
        record(self._session, remark, [Transition.of(self._document, reason)], self._reviewer.id)

    def pass_over(self, following: NextStage) -> None:
        """Skip the stages before the next one, whose rules don't match any more."""
        for stage_id in following.passed:
            stage = self._rows[stage_id]
            if stage.status != "skipped":
                stage.status = "skipped"
                self.record(Remark.STAGE_SKIPPED, self._names[stage_id])

    def start(self, following: NextStage) -> None:
        chosen = following.chosen
        assert chosen is not None
        stage = self._rows[chosen.id]
        stage.status = "in_progress"
        stage.started_at = clock.now()
        stage.assignee_id = self._document.assignee_id = chosen.reviewer_id
        self._document.updated_at = stage.started_at
        self._session.flush()
        self.record(Remark.STAGE_STARTED, following.label)

    def audit(self, action: str, stage: DocumentStage | None) -> None:
        details = {
            "reviewer": self._reviewer.id,
            "through": self._actor,
            "stage": stage.stage_id if stage else None,
            "before": self._before,
            "after": self._facts(),
        }
        document = self._document
        entry = (document.id, details)
        audit.record(self._session, document.team_id, self._reviewer.id, action, "document", [entry])
        if stage is not None and stage.started_at is not None:
            tracing.record(
                "review",
                document.id,
                stage.started_at,
                session=self._session,
                team_id=document.team_id,
                status=document.status,
                decision=stage.status,
            )

    def _facts(self) -> dict[str, Any]:
        return {
            "status": self._document.status,
            "assigneeId": self._document.assignee_id,
            "stages": {stage_id: row.status for stage_id, row in self._rows.items()},
        }


def _rows(session: Session, document: Document) -> Sequence[DocumentStage]:
    """Return the document's stages in their order."""
    return session.scalars(
        select(DocumentStage)
        .where(DocumentStage.document_id == document.id)
        .order_by(DocumentStage.position, DocumentStage.id)
        .execution_options(populate_existing=True)
    ).all()


def _current(document: Document, rows: Sequence[DocumentStage]) -> DocumentStage:
    """Return the stage in progress; raise Conflict if the document is not in review."""
    stage = next((row for row in rows if row.status == "in_progress"), None)
    if document.status != Status.IN_REVIEW or stage is None:
        raise Conflict(NOT_IN_REVIEW, code="not_in_review")
    return stage


def current_stage(session: Session, document: Document, reviewer_id: str) -> DocumentStage:
    """Return the stage in progress; raise Conflict without one, Forbidden for others than its assignee."""
    stage = _current(document, _rows(session, document))
    _require_assigned(session, document.team_id, stage, reviewer_id)
    return stage


def _checked_version(session: Session, document: Document, at: DocumentStage) -> dt.datetime | None:
    """Return the version of the values if the stage wants all checks to hold; raise Conflict if one fails."""
    if session.get_one(ReviewStage, at.stage_id).on_failed_checks != "block":
        return None
    version = _version(session, document)
    result = session.get_one(DocumentResult, document.id)
    fields = view(session.get_one(Parser, document.parser_id)).fields
    data = values.named(fields, result.values)
    failed = failed_checks(fields, data, values.named_evidence(fields, result.values, result.evidence))
    if failed:
        more = f" and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else ""
        raise Conflict(
            f"Checks fail, so this stage can't approve: {'; '.join(failed[:_MOST_NAMED])}{more}",
            code="checks_failed",
        )
    return version


def _version(session: Session, document: Document) -> dt.datetime | None:
    mine = DocumentResult.document_id == document.id
    return session.scalar(select(DocumentResult.updated_at).where(mine))


def _note_looked(session: Session, document: Document, looked: Collection[str]) -> None:
    """Record which fields' values a reviewer looked at; the version of the values stays."""
    result = session.get_one(DocumentResult, document.id)
    session.execute(
        update(DocumentResult)
        .where(DocumentResult.document_id == document.id)
        .values(looked=sorted({*(result.looked or ()), *looked}), updated_at=DocumentResult.updated_at)
        .execution_options(synchronize_session=False)
    )


def _after(rows: Sequence[DocumentStage], stage: DocumentStage) -> Sequence[DocumentStage]:
    return rows[rows.index(stage) + 1 :]


def _require_assigned(session: Session, team_id: str, stage: DocumentStage, reviewer_id: str) -> Member:
    """Return the reviewer; raise Forbidden unless they are the member that the stage is assigned to."""
    return _require(session, team_id, reviewer_id, lambda person: person.id == stage.assignee_id)


def _require_last(
    session: Session, team_id: str, document: Document, rows: Sequence[DocumentStage], reviewer_id: str
) -> Member:
    """Return the reviewer; raise Conflict for a status that can't be reset, Forbidden unless they acted last
    or manage the team.
    """
    next_status(Status(document.status), Event.REVIEW_RESET)
    acted = [(moment, row) for row in rows if (moment := row.rejected_at or row.approved_at)]
    last = max(acted, key=lambda pair: (pair[0], pair[1].position))[1] if acted else None

    def may(person: Member) -> bool:
        return person.role in MANAGERS or (last is not None and person.id == last.assignee_id)

    return _require(session, team_id, reviewer_id, may)


def _require(session: Session, team_id: str, reviewer_id: str, may: Callable[[Member], bool]) -> Member:
    try:
        person = find_member(session, team_id, reviewer_id, "reviewerId")
    except NotFound as error:
        raise Forbidden(ONLY_ASSIGNED, code="not_assigned") from error
    if not may(person):
        raise Forbidden(ONLY_ASSIGNED, code="not_assigned")
    return person
