"""Stages and decisions for the tests of reviews."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from docduck.catalog.models import AuditEntry
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.parsers.parsers import ParserView
from docduck.service.reviews.decisions import approve, reject, reset
from docduck.service.reviews.review_stages import StageSetup
from docduck.service.reviews.stage_changes import create_stage
from tests.service.core.documents import add, complete


def rule(field: str, operator: str | None, value: Any, condition: str = "extracted_value") -> dict[str, Any]:
    return {"field": field, "condition": condition, "operator": operator, "value": value}


def stage(
    inst: Installation, parser: ParserView, name: str, reviewer: str | None, *rules: dict[str, Any]
) -> StageSetup:
    new: Any = {"name": name, "reviewer_id": reviewer}
    if rules:
        new |= {"review_type": "conditional", "rules": list(rules)}
    return create_stage(inst, parser.team_id, parser.id, new)


def read_one(inst: Installation, parser: ParserView, prefix: str = "doc", **values: Any) -> str:
    (document_id,) = add(inst, parser, prefix=prefix)
    complete(inst, parser, **values)
    return document_id


def approved(inst: Installation, parser: ParserView, document_id: str, reviewer: str) -> DocumentView:
    return approve(inst, parser.team_id, parser.id, document_id, reviewer, "key x")


def rejected(
    inst: Installation, parser: ParserView, document_id: str, reviewer: str, reason: str | None = None
) -> DocumentView:
    return reject(inst, parser.team_id, parser.id, document_id, reviewer, reason, "key x")


def restarted(inst: Installation, parser: ParserView, document_id: str, reviewer: str) -> DocumentView:
    return reset(inst, parser.team_id, parser.id, document_id, reviewer, "key x")


def stages_at(inst: Installation, document_id: str) -> dict[str, str]:
    """The statuses of a document's stages by name."""
    review = get_document(inst, inst.team_id, document_id).review
    return {one.name: one.status for one in review.stages}


def events(inst: Installation, document_id: str) -> list[tuple[str, str | None, str]]:
    """What happened to a document after its upload and claim."""
    history = get_document(inst, inst.team_id, document_id).history
    return [(one.event, one.reason, one.actor) for one in history if one.event not in ("stored", "claimed")]


def audited(inst: Installation, resource_id: str) -> list[tuple[str, Any]]:
    with inst.catalog.read_session() as session:
        mine = select(AuditEntry).where(AuditEntry.resource_id == resource_id)
        rows = session.scalars(mine.order_by(AuditEntry.at, AuditEntry.id))
        return [(row.action, row.details) for row in rows]
