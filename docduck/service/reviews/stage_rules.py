"""Evaluation of the rules that select the documents of review stages."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from docduck.catalog.models import ReviewStage, User
from docduck.fields import Field
from docduck.service.conditions import (
    Condition,
    DocumentFacts,
    Effort,
    OutOfTime,
    all_hold,
    restore_rules,
)
from docduck.service.conditions.work_limits import RULE_SECONDS
from docduck.service.documents.queries.duplicates import DuplicateLookup
from docduck.service.parsers.parser_settings import date_order_of
from docduck.service.parsers.parsers import ParserView
from docduck.service.reviews.review_stages import current_of, stage_rows
from docduck.service.search.entries import Entries

_log = logging.getLogger(__name__)


class StoredStage(NamedTuple):
    """A review stage as stored; ``reviewer_id`` is None if the reviewer is not in the team any more."""

    id: str
    name: str
    position: int
    review_type: str
    reviewer_id: str | None
    reviewer: str | None
    rules: Any
    is_deleted: bool

    @classmethod
    def of(cls, stage: ReviewStage, user: User | None) -> StoredStage:
        """Return a stage and its reviewer as stored."""
        return cls(
            stage.id,
            stage.name,
            stage.position,
            stage.review_type,
            user.id if user else None,
            user.name if user else None,
            stage.rules,
            stage.deleted_at is not None,
        )

    @property
    def label(self) -> str:
        """The stage and its reviewer, as shown in histories."""
        return f"{self.name}, assigned to {self.reviewer or 'nobody'}"


def current_stages(session: Session, parser_ids: Collection[str]) -> dict[str, tuple[StoredStage, ...]]:
    """Return the stages of parsers by position."""
    by_parser: dict[str, tuple[StoredStage, ...]] = {}
    for stage, user in stage_rows(session, current_of(parser_ids)) if parser_ids else ():
        by_parser[stage.parser_id] = (*by_parser.get(stage.parser_id, ()), StoredStage.of(stage, user))
    return by_parser


def stages_by_id(session: Session, stage_ids: Collection[str]) -> Mapping[str, StoredStage]:
    """Return stages by id, deleted ones as well."""
    rows = stage_rows(session, ReviewStage.id.in_(stage_ids))
    return {stage.id: StoredStage.of(stage, user) for stage, user in rows}


def conditions_of(stage: StoredStage, fields: Sequence[Field]) -> tuple[Condition, ...]:
    """Return the conditions of a stage, all of which must hold; none for a mandatory stage.

    Rules that can't be evaluated are left out: too many documents are reviewed rather than too few.
    """
    if stage.review_type != "conditional":
        return ()
    try:
        return tuple(rule.condition for rule in restore_rules(stage.rules or [], fields))
    except (KeyError, TypeError, ValueError):
        _log.exception("the rules of review stage %s can't be used", stage.id)
        return ()


class StageRules:
    """Evaluate the rules of stages on one document, within ``RULE_SECONDS`` for all of them.

    When time runs out, this stage and all later ones count as matching, so that a person looks at the
    document; ``slow`` lists their names. ``missed`` are values that no other document has; ``others`` are the
    future index entries of documents not yet indexed, by document id.
    """

    def __init__(
        self,
        session: Session,
        parser: ParserView,
        document_id: str,
        values: Mapping[str, Any],
        evidence: Mapping[str, Any],
        others: Mapping[str, Entries] | None = None,
    ) -> None:
        lookup = DuplicateLookup(session, parser.id, document_id, others)
        order = date_order_of(parser.settings)
        self._document_id = document_id
        self._facts = DocumentFacts(values, evidence, duplicates=lookup, date_order=order)
        self._effort = Effort(RULE_SECONDS)
        self.missed = lookup.missed
        self.slow: list[str] = []

    def match(self, name: str, conditions: Sequence[Condition]) -> bool:
        """Return whether the stage called ``name`` applies to the document."""
        if not conditions:
            return True
        try:
            return all_hold(conditions, self._facts, self._effort)
        except OutOfTime:
            if not self.slow:
                _log.warning(
                    "the rules of review stage %s took too long for document %s", name, self._document_id
                )
            self.slow.append(name)
            return True
