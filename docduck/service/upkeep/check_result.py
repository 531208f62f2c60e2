"""What a check of a parser's data looks at, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import select

from docduck.catalog.models import Document, DocumentResult
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView
from docduck.statuses import Status
from docduck.warehouse.names import DOCUMENTS

LOOKED_AT = 1000

Result = tuple[str, dict[str, Any], dict[str, Any]]
"""A document's name, values and evidence."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check of a table; ``metadata`` holds plain numbers and texts."""

    name: str
    passed: bool
    severity: Literal["WARN", "ERROR"]
    description: str
    metadata: dict[str, Any] = field(default_factory=dict)
    table: str = DOCUMENTS


def latest_results(inst: Installation, parser: ParserView) -> list[Result]:
    """Return the results of the parser's latest thousand documents."""
    with inst.catalog.read_session() as session:
        statement = (
            select(Document.name, DocumentResult.values, DocumentResult.evidence)
            .join(DocumentResult, DocumentResult.document_id == Document.id)
            .where(Document.team_id == parser.team_id, Document.parser_id == parser.id)
            .where(Document.status.not_in((Status.FAILED, Status.SKIPPED)))
            .order_by(Document.created_at.desc(), Document.id.desc())
            .limit(LOOKED_AT)
        )
        return [(name, values, evidence) for name, values, evidence in session.execute(statement)]
