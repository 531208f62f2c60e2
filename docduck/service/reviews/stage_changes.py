"""Creating, changing and deleting review stages. Changes apply to documents that are processed later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from pydantic.alias_generators import to_camel
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import DocumentStage, Parser, ReviewStage
from docduck.catalog.models.reviews import REVIEW_TYPES
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.service.accounts.accounts import find_member
from docduck.service.conditions import parse_rules, refuse_code_rules
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.names import checked_name
from docduck.service.parsers.parsers import find
from docduck.service.parsers.parsers import view as parser_view
from docduck.service.reviews.review_stages import (
    StageSetup,
    has_code_rules,
    parser_stages,
    require_stage,
    show_stage,
)

LONGEST_INSTRUCTIONS = 500
NO_RULES = "Conditional stages need at least one rule"
CODE_RULES = "Stage contains code rules"


class StageChanges(TypedDict, total=False):
    """Properties of a review stage; a missing key leaves the value as it is.

    ``rules`` are condition objects; they count while ``review_type`` is ``conditional``. ``position`` starts
    at 1; later stages move on.
    """

    name: str
    reviewer_instructions: str | None
    position: int
    review_type: str
    reviewer_id: str | None
    rules: Sequence[Mapping[str, Any]]


def create_stage(
    inst: Installation, team_id: str, parser_ref: str, new: StageChanges, actor: str = "user"
) -> StageSetup:
    """Create a review stage, by default mandatory and the last one.

    Raise InputError, and NotFound for the parser or the reviewer.
    """
    refuse_code_rules(new.get("rules"))
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        stages = list(parser_stages(session, parser.id))
        if len(stages) >= inst.settings.max_review_stages:
            raise InputError(f"A parser may have {inst.settings.max_review_stages} review stages")
        stage = ReviewStage(
            id=new_id(), team_id=parser.team_id, parser_id=parser.id, review_type="mandatory", rules=[]
        )
        _set(session, parser, stage, {**new, "name": new.get("name", "")})
        _place(stages, stage, new.get("position", len(stages) + 1))
        session.add(stage)
        session.flush()
        details = {"before": None, "after": _facts(stage)}
        audit.record(session, team_id, actor, "review_stage.created", "review_stage", [(stage.id, details)])
        return show_stage(session, parser, stage.id)


def update_stage(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    stage_id: str,
    changes: StageChanges,
    actor: str = "user",
) -> StageSetup:
    """Change a review stage. Documents that are at it keep their assignee.

    Raise InputError, NotFound for the parser, the stage or the reviewer, and Conflict for new rules of a
    stage with code rules.
    """
    refuse_code_rules(changes.get("rules"))
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        stages = list(parser_stages(session, parser.id))
        stage = require_stage(stages, stage_id)
        before = _facts(stage)
        _set(session, parser, stage, changes)
        if "position" in changes:
            stages.remove(stage)
            _place(stages, stage, changes["position"])
        details = audit.changes(before, _facts(stage))
        if details["changed"]:
            entry = (stage.id, details)
            audit.record(session, team_id, actor, "review_stage.updated", "review_stage", [entry])
        session.flush()
        return show_stage(session, parser, stage.id)


def delete_stage(
    inst: Installation, team_id: str, parser_ref: str, stage_id: str, actor: str = "user"
) -> str:
    """Delete a review stage; reviews that have passed it keep it. Return its id.

    Raise NotFound, and Conflict while documents are at the stage or before it.
    """
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        stages = list(parser_stages(session, parser.id))
        stage = require_stage(stages, stage_id)
        waiting = session.scalar(
            select(func.count()).where(
                DocumentStage.stage_id == stage.id, DocumentStage.status.in_(("pending", "in_progress"))
            )
        )
        if waiting:
            raise Conflict(f"Review stage is pending or in progress on {waiting} documents")
        details = {"before": _facts(stage), "after": None}
        audit.record(session, team_id, actor, "review_stage.deleted", "review_stage", [(stage.id, details)])
        stage.deleted_at = clock.now()
        stages.remove(stage)
        _number(stages)
        return stage.id


def _set(session: Session, parser: Parser, stage: ReviewStage, changes: StageChanges) -> None:
    if "name" in changes:
        stage.name = checked_name(changes["name"])
    if "reviewer_instructions" in changes:
        stage.reviewer_instructions = _instructions(changes["reviewer_instructions"])
    if "review_type" in changes:
        if changes["review_type"] not in REVIEW_TYPES:
            raise InputError(f"reviewType must be one of {', '.join(REVIEW_TYPES)}", "reviewType")
        stage.review_type = changes["review_type"]
    if "reviewer_id" in changes:
        given = changes["reviewer_id"]
        member = None if given is None else find_member(session, parser.team_id, given, "reviewerId")
        stage.reviewer_id = member.id if member else None
    if "rules" in changes:
        if has_code_rules(stage.rules):
            raise Conflict(CODE_RULES, "rules")
        known = [rule["id"] for rule in stage.rules]
        rules = parse_rules(changes["rules"], parser_view(parser).fields, known)
        stage.rules = [rule.stored() for rule in rules]
    if stage.review_type == "conditional" and not stage.rules:
        raise InputError(NO_RULES, "rules")


def _place(stages: list[ReviewStage], stage: ReviewStage, position: int) -> None:
    """Insert a stage among the others at ``position``, or as the last one if that is too large."""
    if position < 1:
        raise InputError("position must be at least 1", "position")
    stages.insert(position - 1, stage)
    _number(stages)


def _number(stages: Sequence[ReviewStage]) -> None:
    for position, stage in enumerate(stages, start=1):
        if stage.position != position:
            stage.position = position


def _facts(stage: ReviewStage) -> dict[str, Any]:
    return {to_camel(name): getattr(stage, name) for name in StageChanges.__annotations__}


def _instructions(given: str | None) -> str | None:
    if given is not None and len(given) > LONGEST_INSTRUCTIONS:
        raise InputError(
            f"reviewerInstructions may have {LONGEST_INSTRUCTIONS} characters", "reviewerInstructions"
        )
    return given or None
