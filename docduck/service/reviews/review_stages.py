"""The configured review stages of a parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import ReviewStage, User
from docduck.fields import Field
from docduck.service.conditions import Rule, restore_rules
from docduck.service.documents.queries.review_progress import Person


@dataclass(frozen=True, slots=True)
class StageSetup:
    """A review stage; ``rules`` select its documents if ``review_type`` is conditional."""

    id: str
    name: str
    reviewer_instructions: str | None
    position: int
    review_type: str
    reviewer: Person | None
    rules: tuple[Rule, ...]


def stages_of(session: Session, parser_id: str, fields: Sequence[Field]) -> list[StageSetup]:
    """Return a parser's stages by position; ``fields`` provide the names in their rules."""
    rows = session.execute(
        select(ReviewStage, User)
        .outerjoin(User, User.id == ReviewStage.reviewer_id)
        .where(ReviewStage.parser_id == parser_id, ReviewStage.deleted_at.is_(None))
        .order_by(ReviewStage.position, ReviewStage.id)
    )
    return [
        StageSetup(
            id=stage.id,
            name=stage.name,
            reviewer_instructions=stage.reviewer_instructions,
            position=stage.position,
            review_type=stage.review_type,
            reviewer=Person(user.id, user.name, user.email) if user is not None else None,
            rules=restore_rules(stage.rules or [], fields),
        )
        for stage, user in rows
    ]
