"""The configured review stages of a parser, and a parser with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field as PydanticField
from pydantic import PlainSerializer
from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Parser, ReviewStage, User
from docduck.errors import NotFound
from docduck.fields import Field
from docduck.ids import is_uuid
from docduck.service.accounts.accounts import Member, members
from docduck.service.conditions import Rule, restore_rules
from docduck.service.core.installation import Installation
from docduck.service.core.schema import View
from docduck.service.documents.queries.review_progress import Person, person_of
from docduck.service.parsers.parser_listing import ParserCounts, parser_counts
from docduck.service.parsers.parsers import ParserView, find, get_parser, view
from docduck.service.parsers.parsers import view as parser_view
from docduck.service.schemas.review_stages import StageProperties

ShownRule = Annotated[Any, PlainSerializer(Rule.shown)]
"""A ``Rule``, whose parts are none of the API's schemas."""


class StageSetup(StageProperties, View):
    """The setup of a review stage."""

    position: int = PydanticField(ge=1)
    reviewer_id: str | None = PydanticField(exclude=True)
    reviewer: Person | None
    rules: list[ShownRule]


def list_stages(inst: Installation, team_id: str, parser_ref: str) -> list[StageSetup]:
    """Return a parser's review stages by position; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser = find(session, team_id, parser_ref)
        return stages_of(session, parser.id, parser_view(parser).fields)


def get_stage(inst: Installation, team_id: str, parser_ref: str, stage_id: str) -> StageSetup:
    """Return a review stage of a parser; raise NotFound for either."""
    with inst.catalog.read_session() as session:
        return show_stage(session, find(session, team_id, parser_ref), stage_id)


def reviewers(inst: Installation, team_id: str, parser_ref: str) -> Sequence[Member]:
    """Return the members of the team, who can all be reviewers, by name; raise NotFound for the parser."""
    return members(inst, get_parser(inst, team_id, parser_ref).team_id)


def stages_of(session: Session, parser_id: str, fields: Sequence[Field]) -> list[StageSetup]:
    """Return a parser's stages by position; ``fields`` provide the names in their rules."""
    rows = session.execute(
        select(ReviewStage, User)
        .outerjoin(User, User.id == ReviewStage.reviewer_id)
        .where(ReviewStage.parser_id == parser_id, ReviewStage.deleted_at.is_(None))
        .order_by(ReviewStage.position, ReviewStage.id)
    )
    return [_setup(stage, user, fields) for stage, user in rows]


def show_stage(session: Session, parser: Parser, stage_id: str) -> StageSetup:
    """Return a review stage of ``parser``; raise NotFound."""
    stage = require_stage(parser_stages(session, parser.id), stage_id)
    user = session.get(User, stage.reviewer_id) if stage.reviewer_id else None
    return _setup(stage, user, parser_view(parser).fields)


def parser_stages(session: Session, parser_id: str) -> Sequence[ReviewStage]:
    """Return the rows of a parser's stages by position."""
    return session.scalars(
        select(ReviewStage)
        .where(ReviewStage.parser_id == parser_id, ReviewStage.deleted_at.is_(None))
        .order_by(ReviewStage.position, ReviewStage.id)
    ).all()


def require_stage(stages: Sequence[ReviewStage], stage_id: str) -> ReviewStage:
    """Return the stage with this id; raise NotFound."""
    id_ = stage_id.lower() if is_uuid(stage_id) else stage_id
    for stage in stages:
        if stage.id == id_:
            return stage
    raise NotFound("Review stage not found", "stageId", stage_id)


def has_code_rules(rules: Any) -> bool:
    """Return whether stored rules include rules that aren't simple; they can't be changed or evaluated."""
    return any(rule.get("type") != "simple" for rule in rules or ())


def _setup(stage: ReviewStage, user: User | None, fields: Sequence[Field]) -> StageSetup:
    return StageSetup.of(
        stage,
        reviewer_id=user.id if user is not None else None,
        reviewer=person_of(user) if user is not None else None,
        rules=[*restore_rules(stage.rules or [], fields)],
    )


@dataclass(frozen=True, slots=True)
class ParserDetails:
    """A parser, its counts and its review stages."""

    parser: ParserView
    counts: ParserCounts
    stages: Sequence[StageSetup]


def parser_details(inst: Installation, team_id: str, parser_id: str) -> ParserDetails:
    """Return the team's parser with its details; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser = view(find(session, team_id, parser_id))
        counts = parser_counts(session, [parser.id])[parser.id]
        return ParserDetails(parser, counts, stages_of(session, parser.id, parser.fields))
