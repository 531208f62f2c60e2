"""Progress of documents through review stages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, bindparam, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentStage, ReviewStage, User
from docduck.statuses import IN_PROGRESS, Status

_STATUSES = {
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

    def as_json(self) -> dict[str, Any]:
        """Return the API's object."""
        return {"id": self.id, "name": self.name, "email": self.email}


@dataclass(frozen=True, slots=True)
class StageView:
    """A document at a review stage; ``comment`` is the reviewer's.

    ``held_at`` is when the assignee set it aside.
    """

    id: str
    name: str
    reviewer_instructions: str | None
    position: int
    status: str
    assignee: Person | None
    approved_at: dt.datetime | None
    rejected_at: dt.datetime | None
    comment: str | None
    on_failed_checks: str = "ask"
    held_at: dt.datetime | None = None
    hold_note: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the API's object."""
        return {
            **self.summary(),
            "status": self.status,
            "assignee": self.assignee.as_json() if self.assignee else None,
            "approvedAt": clock.iso(self.approved_at),
            "rejectedAt": clock.iso(self.rejected_at),
            "comment": self.comment,
        }

    def summary(self) -> dict[str, Any]:
        """Return the API's object of a current stage."""
        return {
            "id": self.id,
            "name": self.name,
            "reviewerInstructions": self.reviewer_instructions,
            "position": self.position,
        }


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A document's review; ``not_required`` if no stage applies.

    It is ``pending``, without stages, until a document is extracted whose parser has a mandatory stage.
    """

    is_required: bool = False
    status: str = "not_required"
    assignee: Person | None = None
    current_stage: StageView | None = None
    stages: Sequence[StageView] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the API's object."""
        return {
            "isRequired": self.is_required,
            "status": self.status,
            "assignee": self.assignee.as_json() if self.assignee else None,
            "currentStage": self.current_stage.summary() if self.current_stage else None,
            "stages": [stage.as_json() for stage in self.stages],
        }


NO_REVIEW = ReviewView()


def reviews_of(session: Session, documents: Collection[Document]) -> dict[str, ReviewView]:
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


def _review(
    document: Document, stages: Sequence[StageView], assignee: Person | None, *, is_owed: bool
) -> ReviewView:
    if is_owed:
        return ReviewView(True, "pending", assignee)
    if not stages:
        return NO_REVIEW if assignee is None else ReviewView(assignee=assignee)
    current = next((stage for stage in stages if stage.status == "in_progress"), None)
    required = any(stage.status != "skipped" for stage in stages)
    status = _STATUSES.get(Status(document.status), "pending") if required else "not_required"
    return ReviewView(required, status, assignee, current, stages)


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


def _stages(session: Session, ids: Sequence[str]) -> Mapping[str, list[StageView]]:
    if not ids:
        return {}
    rows = session.execute(_STAGES, {"ids": list(ids)})
    stages: dict[str, list[StageView]] = {}
    for row in rows:
        stages.setdefault(row[0].document_id, []).append(_stage(row))
    return stages


def _stage(row: Row[DocumentStage, ReviewStage, User]) -> StageView:
    at, stage, reviewer = row
    return StageView(
        id=at.stage_id,
        name=stage.name,
        reviewer_instructions=stage.reviewer_instructions,
        position=at.position,
        status=at.status,
        assignee=_person(reviewer),
        approved_at=at.approved_at,
        rejected_at=at.rejected_at,
        comment=at.comment,
        on_failed_checks=stage.on_failed_checks,
        held_at=at.held_at,
        hold_note=at.hold_note,
    )


def _people(session: Session, ids: Collection[str]) -> dict[str, Person]:
    users = session.scalars(select(User).where(User.id.in_(ids)))
    return {user.id: Person(user.id, user.name, user.email) for user in users}


def _person(user: User | None) -> Person | None:
    return None if user is None else Person(user.id, user.name, user.email)
