"""The classifiers of a run, reloaded when they have changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Classifier, ClassifierExample
from docduck.extraction.triage.classify.labels import Label, with_instructions
from docduck.service.classifiers.examples import examples_of
from docduck.service.core.installation import Installation
from docduck.service.parsers.settings_schema import EmailParsing, SplitDocuments

_Version = tuple[dt.datetime, int, dt.datetime | None]


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
    routes: tuple[Route, ...]
    labels: tuple[Label, ...]
    instructions: str
    fallback_parser_id: str | None
    accepted_file_types: tuple[str, ...]
    model: str | None
    split_documents: SplitDocuments
    email_parsing: EmailParsing

    def route(self, label: str | None) -> Route | None:
        """Return the route of a label; None without a label."""
        return next((route for route in self.routes if route.label == label), None)


class LoadedClassifiers:
    """The classifiers of a run."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._loaded: dict[str, LoadedClassifier] = {}
        self._versions: dict[str, _Version] = {}

    def refresh(self, classifier_ids: Collection[str]) -> None:
        """Load classifiers that are new or have changed; drop deleted ones."""
        if not classifier_ids:
            return
        with self._inst.catalog.read_session() as session:
            versions = _versions(session, classifier_ids)
            changed = [
                classifier_id
                for classifier_id in versions
                if versions[classifier_id] != self._versions.get(classifier_id)
            ]
            self._loaded |= _load(session, changed)
        self._versions |= versions
        for deleted in set(classifier_ids) - versions.keys():
            self._loaded.pop(deleted, None)

    def get(self, classifier_id: str) -> LoadedClassifier | None:
        """Return the loaded classifier; None if it was deleted."""
        return self._loaded.get(classifier_id)


def live_classifiers(inst: Installation, ids: Collection[str]) -> set[str]:
    """Return those ids that are of classifiers."""
    with inst.catalog.read_session() as session:
        live = select(Classifier.id).where(Classifier.id.in_(ids), Classifier.deleted_at.is_(None))
        return set(session.scalars(live))


def _versions(session: Session, classifier_ids: Collection[str]) -> dict[str, _Version]:
    """Return the versions of the classifiers that exist: their last change, and that of their examples."""
    read = ClassifierExample.text.is_not(None)
    rows = session.execute(
        select(
            Classifier.id,
            Classifier.updated_at,
            func.count(ClassifierExample.id),
            func.max(ClassifierExample.created_at),
        )
        .outerjoin(ClassifierExample, and_(ClassifierExample.classifier_id == Classifier.id, read))
        .where(Classifier.id.in_(classifier_ids), Classifier.deleted_at.is_(None))
        .group_by(Classifier.id, Classifier.updated_at)
    )
    return {classifier_id: (changed, count, newest) for classifier_id, changed, count, newest in rows}


def _load(session: Session, classifier_ids: Collection[str]) -> dict[str, LoadedClassifier]:
    rows = session.scalars(select(Classifier).where(Classifier.id.in_(classifier_ids)))
    return {row.id: _loaded(row, examples_of(session, row.id)) for row in rows}


def _loaded(row: Classifier, examples: Mapping[str, Sequence[str]]) -> LoadedClassifier:
    return LoadedClassifier(
        row.id,
        tuple(Route(rule.label, rule.target_parser_id) for rule in row.rules),
        with_instructions(
            [Label(rule.label, "", tuple(examples.get(rule.id, ()))) for rule in row.rules], row.instructions
        ),
        row.instructions,
        row.fallback_parser_id if row.fallback_action == "route" else None,
        tuple(row.accepted_file_types or ()),
        row.model,
        SplitDocuments.model_validate(row.split_documents or {}),
        EmailParsing.model_validate(row.email_parsing or {}),
    )
