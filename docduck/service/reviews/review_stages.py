"""The configured review stages of a parser, and a parser with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field as PydanticField
from pydantic import PlainSerializer
from sqlalchemy import ColumnElement, Row, and_, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Membership, Parser, ReviewStage, User
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
        return stages_of(session, parser.id, view(parser).fields)


def get_stage(inst: Installation, team_id: str, parser_ref: str, stage_id: str) -> StageSetup:
    """Return a review stage of a parser; raise NotFound for either."""
    with inst.catalog.read_session() as session:
        return show_stage(session, find(session, team_id, parser_ref), stage_id)


def reviewers(inst: Installation, team_id: str, parser_ref: str) -> Sequence[Member]:
    """Return the members of the team, who can all be reviewers, by name; raise NotFound for the parser."""
    return members(inst, get_parser(inst, team_id, parser_ref).team_id)


def stages_of(session: Session, parser_id: str, fields: Sequence[Field]) -> list[StageSetup]:
    """Return a parser's stages by position; ``fields`` provide the names in their rules."""
    return [_setup(stage, user, fields) for stage, user in stage_rows(session, current_of([parser_id]))]


def show_stage(session: Session, parser: Parser, stage_id: str) -> StageSetup:
    """Return a review stage of ``parser``; raise NotFound."""
    rows = {stage: user for stage, user in stage_rows(session, current_of([parser.id]))}
    stage = require_stage(rows, stage_id)
    return _setup(stage, rows[stage], view(parser).fields)


def stage_rows(session: Session, which: ColumnElement[bool]) -> Sequence[Row[ReviewStage, User | None]]:
    """Return stages by position, each with its reviewer if there is one who is still in the team."""
    return session.execute(
        select(ReviewStage, User)
        .outerjoin(
            Membership,
            and_(Membership.team_id == ReviewStage.team_id, Membership.user_id == ReviewStage.reviewer_id),
        )
        .outerjoin(User, User.id == Membership.user_id)
        .where(which)
        .order_by(ReviewStage.position, ReviewStage.id)
        .execution_options(populate_existing=True)
    ).all()


def current_of(parser_ids: Collection[str]) -> ColumnElement[bool]:
    """Return the condition of the stages that parsers have now."""
    return and_(ReviewStage.parser_id.in_(parser_ids), ReviewStage.deleted_at.is_(None))


def require_stage(stages: Iterable[ReviewStage], stage_id: str) -> ReviewStage:
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
