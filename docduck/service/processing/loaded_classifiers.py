"""The classifiers of a run, reloaded when they have changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Classifier
from docduck.extraction.triage.classify.labels import Label, with_instructions
from docduck.service.classifiers.examples import examples_of
from docduck.service.core.installation import Installation
from docduck.service.parsers.settings_schema import EmailParsing, SplitDocuments


@dataclass(frozen=True, slots=True)
class Route:
    """A label and the parser for its documents."""

    label: str
    target_parser_id: str


@dataclass(frozen=True, slots=True)
class LoadedClassifier:
    """A classifier with all that workers need.

    ``fallback_parser_id`` is the parser for documents that no label fits; None if they are skipped.
    """

    id: str
    team_id: str
    name: str
    routes: tuple[Route, ...]
    labels: tuple[Label, ...]
    instructions: str
    fallback_parser_id: str | None
    accepted_file_types: tuple[str, ...]
    split_documents: SplitDocuments
    email_parsing: EmailParsing
    updated_at: dt.datetime

    def route(self, label: str | None) -> Route | None:
        """Return the route of a label; None without a label."""
        return next((one for one in self.routes if one.label == label), None)


class LoadedClassifiers:
    """The classifiers of a run."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._loaded: dict[str, LoadedClassifier] = {}

    def refresh(self, classifier_ids: Collection[str]) -> None:
        """Load classifiers that are new or have changed; drop deleted ones."""
        if not classifier_ids:
            return
        with self._inst.catalog.read_session() as session:
            loaded = load_classifiers(session, classifier_ids)
        for one in classifier_ids:
            self._loaded.pop(one, None)
        self._loaded |= loaded

    def get(self, classifier_id: str) -> LoadedClassifier | None:
        """Return the loaded classifier; None if it was deleted."""
        return self._loaded.get(classifier_id)


def live_classifiers(inst: Installation, ids: Collection[str]) -> set[str]:
    """Return those ids that are of classifiers."""
    with inst.catalog.read_session() as session:
        live = select(Classifier.id).where(Classifier.id.in_(ids), Classifier.deleted_at.is_(None))
        return set(session.scalars(live))


def load_classifiers(session: Session, classifier_ids: Collection[str]) -> dict[str, LoadedClassifier]:
    """Return the classifiers that exist, by id."""
    rows = session.scalars(
        select(Classifier).where(Classifier.id.in_(classifier_ids), Classifier.deleted_at.is_(None))
    )
    return {row.id: _loaded(row, examples_of(session, row.id)) for row in rows}


def _loaded(row: Classifier, examples: Mapping[str, Sequence[str]]) -> LoadedClassifier:
    return LoadedClassifier(
        row.id,
        row.team_id,
        row.name,
        tuple(Route(rule.label, rule.target_parser_id) for rule in row.rules),
        with_instructions(
            [Label(rule.label, "", tuple(examples.get(rule.id, ()))) for rule in row.rules], row.instructions
        ),
        row.instructions,
        row.fallback_parser_id if row.fallback_action == "route" else None,
        tuple(row.accepted_file_types or ()),
        SplitDocuments.model_validate(row.split_documents or {}),
        EmailParsing.model_validate(row.email_parsing or {}),
        row.updated_at,
    )
