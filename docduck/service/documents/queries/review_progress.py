"""Progress of documents through review stages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field
from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentStage, ReviewStage, User
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.statuses import IN_PROGRESS, Status

ReviewStatus = Literal["not_required", "pending", "in_progress", "approved", "rejected"]

_STATUSES: Mapping[Status, ReviewStatus] = {
    Status.IN_REVIEW: "in_progress",
    Status.APPROVED: "approved",
    Status.REJECTED: "rejected",
}

_STAGES = (
    select(DocumentStage, ReviewStage, User)
    .join(ReviewStage, ReviewStage.id == DocumentStage.stage_id)
    .outerjoin(User, User.id == DocumentStage.assignee_id)
    .where(DocumentStage.document_id.in_(bindparam("ids", expanding=True)))
    .order_by(DocumentStage.position, DocumentStage.id)
)


@dataclass(frozen=True, slots=True)
class Person:
    """A member of the team."""

    id: str
    name: str
    email: str


class CurrentStage(ViewPart):
    """The stage that a review is at."""

    id: str
    name: str
    reviewer_instructions: str | None
    position: int
    on_failed_checks: str = Field(exclude=True)
    held_at: dt.datetime | None = Field(exclude=True)
    """When the assignee set the document aside."""
    hold_note: str | None = Field(exclude=True)


class Stage(CurrentStage):
    """A document at one stage of its review."""

    status: Literal["pending", "in_progress", "approved", "rejected", "skipped"]
    assignee: Person | None
    approved_at: UtcTime | None
    rejected_at: UtcTime | None
    comment: str | None = Field(description="What the reviewer said when rejecting")


class Review(ViewPart):
    """The progress of a document's review."""

    is_required: bool
    status: ReviewStatus
    assignee: Person | None
    current_stage: CurrentStage | None
    stages: Sequence[Stage]


NO_REVIEW = Review(is_required=False, status="not_required", assignee=None, current_stage=None, stages=())


def reviews_of(session: Session, documents: Collection[Document]) -> dict[str, Review]:
    """Return the reviews by document id, using at most three queries."""
    stages = _stages(session, [document.id for document in documents])
    unread = [
        document for document in documents if document.status in IN_PROGRESS and document.id not in stages
    ]
    reviewing = _reviewing(
        session, {document.parser_id for document in unread if document.parser_id is not None}
    )
    owed = {document.id for document in unread if document.parser_id in reviewing}
    loose = {d.assignee_id for d in documents if d.assignee_id is not None}
    people = _people(session, loose) if loose else {}
    return {
        document.id: _review(
            document,
            stages.get(document.id, ()),
            people.get(document.assignee_id or ""),
            is_owed=document.id in owed,
        )
        for document in documents
    }


def _review(document: Document, stages: Sequence[Stage], assignee: Person | None, *, is_owed: bool) -> Review:
    current = next((stage for stage in stages if stage.status == "in_progress"), None)
    status: ReviewStatus = "not_required"
    if is_owed:
        # It begins when the document is extracted, as its parser has a mandatory stage.
        status = "pending"
    elif any(stage.status != "skipped" for stage in stages):
        status = _STATUSES.get(Status(document.status), "pending")
    elif not stages and assignee is None:
        return NO_REVIEW
    return Review.model_construct(
        is_required=status != "not_required",
        status=status,
        assignee=assignee,
        current_stage=current,
        stages=stages,
    )


def _reviewing(session: Session, parser_ids: Collection[str]) -> set[str]:
    """Return those of the parsers that have a mandatory stage, and so review every document."""
    if not parser_ids:
        return set()
    mandatory = select(ReviewStage.parser_id).where(
        ReviewStage.parser_id.in_(parser_ids),
        ReviewStage.review_type == "mandatory",
        ReviewStage.deleted_at.is_(None),
    )
    return set(session.scalars(mandatory.distinct()))


def _stages(session: Session, ids: Sequence[str]) -> Mapping[str, list[Stage]]:
    if not ids:
        return {}
    rows = session.execute(_STAGES, {"ids": list(ids)})
    stages: dict[str, list[Stage]] = {}
    for row in rows:
        stages.setdefault(row[0].document_id, []).append(_stage(row))
    return stages


def _stage(row: Row[DocumentStage, ReviewStage, User]) -> Stage:
    at, stage, reviewer = row
    return Stage.of(
        at,
        id=at.stage_id,
        name=stage.name,
        reviewer_instructions=stage.reviewer_instructions,
        on_failed_checks=stage.on_failed_checks,
        assignee=person_of(reviewer) if reviewer else None,
    )


def _people(session: Session, ids: Collection[str]) -> dict[str, Person]:
    users = session.scalars(select(User).where(User.id.in_(ids)))
    return {user.id: person_of(user) for user in users}


def person_of(user: User) -> Person:
    """Return a user as shown."""
    return Person(user.id, user.name, user.email)
