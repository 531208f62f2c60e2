"""The classifiers of this machine's installation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.classifiers.classifiers import (
    ClassifierChanges,
    ClassifierView,
    NewClassifier,
    create_classifier,
    delete_classifier,
    get_classifier,
    update_classifier,
)
from docduck.service.classifiers.manual_routing import route_document
from docduck.service.classifiers.routed_documents import (
    RoutedDocument,
    RoutedDocumentPage,
    RoutedDocumentQuery,
    list_routed_documents,
)
from docduck.service.core.installation import Installation
from docduck.service.sources.uploads import upload_to_classifier

_ACTOR = "cli"


class LocalClassifiers:
    """A ClassifierBackend over an open installation."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._team = inst.team_id

    def all(self) -> Sequence[ClassifierView]:
        return list_classifiers(self._inst, self._team)

    def get(self, ref: str) -> ClassifierView:
        return get_classifier(self._inst, self._team, ref)

    def create(self, new: NewClassifier) -> ClassifierView:
        return create_classifier(self._inst, self._team, new, _ACTOR)

    def update(self, ref: str, changes: ClassifierChanges) -> ClassifierView:
        return update_classifier(self._inst, self._team, ref, changes, _ACTOR)

    def delete(self, ref: str) -> str:
        return delete_classifier(self._inst, self._team, ref, _ACTOR)

    def documents(self, ref: str, query: RoutedDocumentQuery) -> RoutedDocumentPage:
        return list_routed_documents(self._inst, self._team, ref, query)

    def route(self, ref: str, document_id: str, parser_id: str) -> RoutedDocument:
        return route_document(self._inst, self._team, ref, document_id, parser_id, _ACTOR)

    def upload(self, ref: str, files: Sequence[Path]) -> Sequence[str]:
        return upload_to_classifier(self._inst, self._team, ref, files, actor=_ACTOR)
