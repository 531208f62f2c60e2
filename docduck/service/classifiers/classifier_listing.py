"""Lists of classifiers with counts of their documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from pydantic import Field
from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Classifier, ClassifierRule, Document, Parser
from docduck.service.classifiers.classifiers import ClassifierView, view
from docduck.service.core.installation import Installation
from docduck.service.core.named_rows import NamedQuery, all_named, named_page
from docduck.service.core.pages import Page
from docduck.service.core.schema import ViewPart


class ClassifierCounts(ViewPart):
    """The classifier's counts; documents that wait to be routed are in the total alone."""

    documents: int = Field(serialization_alias="totalDocuments")
    routed: int
    skipped: int
    failed: int


def find_classifiers(
    inst: Installation,
    team_id: str,
    *,
    only: frozenset[str] | None = None,
    **query: Unpack[NamedQuery],
) -> Page[tuple[ClassifierView, ClassifierCounts]]:
    """Return a page of the team's classifiers; with ``only``, of those that route to no other parsers.

    Raise InputError for an unknown sort.
    """
    further: list[ColumnElement[bool]] = []
    if only is not None:
        others = select(ClassifierRule.classifier_id).where(ClassifierRule.target_parser_id.not_in(only))
        fallback = Classifier.fallback_parser_id
        further = [Classifier.id.not_in(others), or_(fallback.is_(None), fallback.in_(only))]
    with inst.catalog.read_session() as session:
        rows = named_page(session, Classifier, team_id, further, **query)
        counts = classifier_counts(session, [row.id for row in rows.rows])
        return rows.map(lambda row: (view(row), counts[row.id]))


def list_classifiers(inst: Installation, team_id: str) -> list[ClassifierView]:
    """Return the team's classifiers, oldest first."""
    with inst.catalog.read_session() as session:
        return [view(row) for row in all_named(session, Classifier, team_id)]


def every_classifier(inst: Installation) -> list[ClassifierView]:
    """Return the classifiers of all teams, oldest first."""
    with inst.catalog.read_session() as session:
        return [view(row) for row in all_named(session, Classifier, None)]


def classifier_versions(inst: Installation) -> list[tuple[str, str]]:
    """Return the ids of all teams' classifiers with the times of their last changes."""
    with inst.catalog.read_session() as session:
        live = select(Classifier.id, Classifier.updated_at).where(Classifier.deleted_at.is_(None))
        return [(classifier_id, changed.isoformat()) for classifier_id, changed in session.execute(live)]


def counts_of(inst: Installation, classifier_id: str) -> ClassifierCounts:
    """Return the counts of a classifier."""
    with inst.catalog.read_session() as session:
        return classifier_counts(session, [classifier_id])[classifier_id]


def classifier_counts(session: Session, classifier_ids: Sequence[str]) -> dict[str, ClassifierCounts]:
    """Return the counts of these classifiers' documents, without those in deleted parsers."""
    counts_by_status: dict[str, dict[str, int]] = {classifier_id: {} for classifier_id in classifier_ids}
    # Grouped by parser, this reads an index alone.
    groups = (
        select(
            Document.classifier_id, Document.routing_status, Document.parser_id, func.count().label("many")
        )
        .where(Document.classifier_id.in_(classifier_ids))
        .group_by(Document.classifier_id, Document.routing_status, Document.parser_id)
        .subquery()
    )
    rows = session.execute(
        select(groups.c.classifier_id, groups.c.routing_status, func.sum(groups.c.many))
        .outerjoin(Parser, Parser.id == groups.c.parser_id)
        .where(Parser.deleted_at.is_(None))
        .group_by(groups.c.classifier_id, groups.c.routing_status)
    )
    for classifier_id, status, many in rows:
        counts_by_status[classifier_id][status or ""] = int(many)
    return {
        classifier_id: ClassifierCounts(
            documents=sum(by_status.values()),
            **{name: by_status.get(name, 0) for name in ("routed", "skipped", "failed")},
        )
        for classifier_id, by_status in counts_by_status.items()
    }
