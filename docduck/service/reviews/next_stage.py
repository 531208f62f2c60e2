"""Choice of the stage that a review goes on with.

The rules of conditional stages are evaluated again when they are reached, as values may have been corrected.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentResult, DocumentStage, Parser
from docduck.service.core.transactions import OutdatedPreparation
from docduck.service.documents.queries.duplicates import is_any_duplicate
from docduck.service.parsers.parsers import view
from docduck.service.reviews.stage_rules import StageRules, StoredStage, conditions_of, stages_by_id


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stage of a document's review that may be next."""

    status: str
    stage: StoredStage


@dataclass(frozen=True, slots=True)
class NextStage:
    """The chosen stage among ``candidates``, None if none applies, and the ids of stages passed over.

    ``version``, ``revision`` and ``missed`` identify the data of the rules: the document's values, the
    parser's fields, and values that no other document had. ``slow`` is set if the chosen stage's rules took
    too long.
    """

    candidates: Sequence[Candidate]
    version: dt.datetime | None = None
    revision: int | None = None
    missed: Collection[tuple[int, frozenset[str]]] = ()
    chosen: StoredStage | None = None
    passed: frozenset[str] = frozenset()
    slow: bool = False

    @property
    def label(self) -> str:
        """The chosen stage as shown in the history."""
        assert self.chosen is not None
        return self.chosen.label + ("; its rules took too long" if self.slow else "")


def find_next(session: Session, document: Document, rows: Sequence[DocumentStage]) -> NextStage:
    """Return the first of the document's stages ``rows`` that applies.

    Rules that take too long count as matching. A deleted stage that was skipped stays so.
    """
    candidates = _candidates(session, rows)
    parser = session.get_one(Parser, document.parser_id)
    seen = view(parser)
    conditions = {candidate.stage.id: conditions_of(candidate.stage, seen.fields) for candidate in candidates}
    if not any(conditions.values()):
        first = candidates[0].stage if candidates else None
        return NextStage(candidates, revision=seen.revision, chosen=first)
    result = session.get_one(DocumentResult, document.id)
    rules = StageRules(session, seen, document.id, result.values, result.evidence)
    stages = [candidate.stage for candidate in candidates]
    chosen = next((stage for stage in stages if rules.match(stage.name, conditions[stage.id])), None)
    passed = stages[: stages.index(chosen)] if chosen else stages
    return NextStage(
        candidates,
        result.updated_at,
        seen.revision,
        rules.missed,
        chosen,
        frozenset(stage.id for stage in passed),
        bool(rules.slow),
    )


def refuse_outdated(
    session: Session, document: Document, rows: Sequence[DocumentStage], next_stage: NextStage
) -> None:
    """Raise OutdatedPreparation if anything that ``next_stage`` is based on has changed."""
    revision = session.scalar(select(Parser.revision).where(Parser.id == document.parser_id))
    if revision != next_stage.revision or _candidates(session, rows) != next_stage.candidates:
        raise OutdatedPreparation
    if next_stage.version is not None:
        version = select(DocumentResult.updated_at).where(DocumentResult.document_id == document.id)
        if session.scalar(version) != next_stage.version or is_any_duplicate(
            session, document.id, next_stage.missed
        ):
            raise OutdatedPreparation


def _candidates(session: Session, rows: Sequence[DocumentStage]) -> list[Candidate]:
    stages = stages_by_id(session, [row.stage_id for row in rows]) if rows else {}
    candidates = [Candidate(row.status, stages[row.stage_id]) for row in rows]
    return [
        candidate
        for candidate in candidates
        if not (candidate.status == "skipped" and candidate.stage.is_deleted)
    ]
