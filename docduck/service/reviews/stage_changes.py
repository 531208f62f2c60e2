"""Creating, changing and deleting review stages. Changes apply to documents that are processed later."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentStage, Parser, ReviewStage
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.service.accounts.accounts import find_member
from docduck.service.conditions import parse_rules, refuse_code_rules
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.parsers.parsers import find
from docduck.service.parsers.parsers import view as parser_view
from docduck.service.reviews.review_stages import (
    StageSetup,
    current_of,
    get_stage,
    has_code_rules,
    require_stage,
    show_stage,
    stage_rows,
)
from docduck.service.schemas.review_stages import StageProperties, StageUpdate
from docduck.statuses import Status

MAX_REVIEW_STAGES = 20
"""Of a parser."""

NO_RULES = "Conditional stages need at least one rule"
CODE_RULES = "Stage contains code rules"


def create_stage(
    inst: Installation, team_id: str, parser_ref: str, new: Values, actor: str = "user"
) -> StageSetup:
    """Create a review stage, by default mandatory and the last one.

    Raise InputError, and NotFound for the parser or the reviewer.
    """
    if (earlier := earlier_effect()) is not None:
        return get_stage(inst, team_id, parser_ref, earlier["stage"])
    refuse_code_rules(new.get("rules"))
    properties = StageProperties.of_values(new).sent_values()
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        stages = _stages(session, parser)
        if len(stages) >= MAX_REVIEW_STAGES:
            raise InputError(f"A parser may have {MAX_REVIEW_STAGES} review stages", code="limit_reached")
        stage = ReviewStage(
            id=new_id(), team_id=parser.team_id, parser_id=parser.id, review_type="mandatory", rules=[]
        )
        _set(session, parser, stage, properties)
        _place(stages, stage, properties.get("position", len(stages) + 1))
        session.add(stage)
        session.flush()
        details = {"before": None, "after": StageProperties.facts(stage)}
        audit.record(session, team_id, actor, "review_stage.created", "review_stage", [(stage.id, details)])
        record_effect(session, stage=stage.id)
        return show_stage(session, parser, stage.id)


def update_stage(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    stage_id: str,
    changes: Values,
    actor: str = "user",
) -> StageSetup:
    """Change a review stage. Documents that are at it keep their assignee.

    Raise InputError, NotFound for the parser, the stage or the reviewer, and Conflict for new rules of a
    stage with code rules.
    """
    refuse_code_rules(changes.get("rules"))
    properties = StageUpdate.of_values(changes).sent_values()
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        stages = _stages(session, parser)
        stage = require_stage(stages, stage_id)
        before = StageProperties.facts(stage)
        _set(session, parser, stage, properties)
        if "position" in properties:
            stages.remove(stage)
            _place(stages, stage, properties["position"])
        details = audit.changes(before, StageProperties.facts(stage))
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
        stages = _stages(session, parser)
        stage = require_stage(stages, stage_id)
        waiting = session.scalar(
            select(func.count())
            .select_from(DocumentStage)
            .join(Document, Document.id == DocumentStage.document_id)
            .where(
                DocumentStage.stage_id == stage.id,
                DocumentStage.status.in_(("pending", "in_progress")),
                # The stages after the one that rejected a document stay pending.
                Document.status == Status.IN_REVIEW,
            )
        )
        if waiting:
            raise Conflict(
                f"Review stage is pending or in progress on {waiting} documents", code="stage_in_use"
            )
        details = {"before": StageProperties.facts(stage), "after": None}
        audit.record(session, team_id, actor, "review_stage.deleted", "review_stage", [(stage.id, details)])
        stage.deleted_at = clock.now()
        stages.remove(stage)
        _number(stages)
        return stage.id


def _stages(session: Session, parser: Parser) -> list[ReviewStage]:
    return [stage for stage, _ in stage_rows(session, current_of([parser.id]))]


def _set(session: Session, parser: Parser, stage: ReviewStage, properties: Values) -> None:
    """Store properties: all as they are, but for those that need care."""
    for name, value in properties.items():
        match name:
            case "position":
                pass
            case "reviewer_id":
                member = None if value is None else find_member(session, parser.team_id, value, "reviewerId")
                stage.reviewer_id = member.id if member else None
            case "rules":
                if has_code_rules(stage.rules):
                    raise Conflict(CODE_RULES, "rules", code="unsupported_rule")
                known = [rule["id"] for rule in stage.rules]
                rules = parse_rules(value, parser_view(parser).fields, known)
                stage.rules = [rule.stored() for rule in rules]
            case _:
                setattr(stage, name, value)
    if stage.review_type == "conditional" and not stage.rules:
        raise InputError(NO_RULES, "rules")


def _place(stages: list[ReviewStage], stage: ReviewStage, position: int) -> None:
    """Insert a stage among the others at ``position``, or as the last one if that is too large."""
    stages.insert(position - 1, stage)
    _number(stages)


def _number(stages: Sequence[ReviewStage]) -> None:
    for position, stage in enumerate(stages, start=1):
        if stage.position != position:
            stage.position = position
