"""The classifiers of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.alias_generators import to_snake

from docduck.client import UNSET, Client
from docduck.client.types import ClassifiedDocument, Classifier
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.classifiers.classifiers import ClassifierChanges, ClassifierView, NewClassifier
from docduck.service.classifiers.routed_documents import (
    RoutedDocument,
    RoutedDocumentPage,
    RoutedDocumentQuery,
)
from docduck.statuses import Status


class RemoteClassifiers:
    """A ClassifierBackend over a client."""

    def __init__(self, client: Client, batches: Callable[[Sequence[Path]], Iterable[Sequence[Path]]]) -> None:
        self._client = client
        self._batches = batches

    def all(self) -> Sequence[ClassifierView]:
        return [_view(one) for one in self._client.classifiers.list(sort="createdAt.asc", limit=100)]

    def get(self, ref: str) -> ClassifierView:
        return _view(self._client.classifiers.get(self._id(ref)))

    def create(self, new: NewClassifier) -> ClassifierView:
        return _view(
            self._client.classifiers.create(
                new.name,
                new.routing,
                description=new.description,
                is_active=new.is_active,
                **_settings(new.settings),
            )
        )

    def update(self, ref: str, changes: ClassifierChanges) -> ClassifierView:
        given = {
            name: UNSET if value is None else value
            for name in ("name", "description", "is_active", "routing")
            for value in [getattr(changes, name)]
        }
        changed = self._client.classifiers.update(self._id(ref), **given, **_settings(changes.settings or {}))
        return _view(changed)

    def delete(self, ref: str) -> str:
        classifier_id = self._id(ref)
        self._client.classifiers.delete(classifier_id)
        return classifier_id

    def documents(self, ref: str, query: RoutedDocumentQuery) -> RoutedDocumentPage:
        classifier_id = self._id(ref)
        found = self._client.classifiers.documents_page(
            classifier_id,
            q=query.q,
            status=query.status,
            sort=query.sort,
            page=query.page,
            limit=query.limit,
        )
        rows = [_document(classifier_id, one) for one in found["data"]]
        return RoutedDocumentPage(rows, query.page, query.limit, found["pagination"]["total"])

    def route(self, ref: str, document_id: str, parser_id: str) -> RoutedDocument:
        classifier_id = self._id(ref)
        moved = self._client.classifiers.route(classifier_id, document_id, parser_id)
        return _document(classifier_id, moved)

    def upload(self, ref: str, files: Sequence[Path]) -> Sequence[str]:
        classifier_id = self._id(ref)
        made: list[str] = []
        for batch in self._batches(files):
            items = self._client.process.files_to_classifier(classifier_id, *batch)
            made += [item["documentId"] for item in items]
        return made

    def _id(self, ref: str) -> str:
        """Return the id of the classifier with this id, slug or name; raise NotFound."""
        if is_uuid(ref):
            return ref.lower()
        mine = [
            one
            for one in self._client.classifiers.list(sort="createdAt.asc", limit=100)
            if ref in (one["slug"], one["name"])
        ]
        if not mine:
            raise NotFound("Classifier not found", "classifierId", ref)
        return next((one for one in mine if one["slug"] == ref), mine[0])["id"]


def _settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {to_snake(key): value for key, value in settings.items()}


def _snake_case(value: Mapping[str, Any]) -> dict[str, Any]:
    return {to_snake(key): item for key, item in value.items()}


def _view(shown: Classifier) -> ClassifierView:
    settings = shown["settings"]
    routing = settings["routing"]
    known = _snake_case(shown) | {
        "team_id": "",
        "rules": [_snake_case(rule) for rule in routing["rules"]],
        "fallback_action": routing["fallback"]["action"],
        "fallback_parser_id": routing["fallback"]["targetParserId"],
        "instructions": routing["instructions"],
        "settings": {
            "acceptedFileTypes": [one["mimeType"] for one in shown["acceptedFileTypes"]],
            "splitDocuments": settings["splitDocuments"],
            "emailParsing": settings["emailParsing"],
        },
    }
    return TypeAdapter(ClassifierView).validate_python(known)


def _document(classifier_id: str, shown: ClassifiedDocument) -> RoutedDocument:
    routing = shown["routing"]
    is_routed = routing["targetDocumentId"] is not None
    known = _snake_case(shown) | {
        "classifier_id": classifier_id,
        "parser_id": routing["targetParserId"] if is_routed else None,
        "error": routing["error"],
        "routing": _snake_case(routing),
        # A newer server may have statuses that this program doesn't know.
        "status": shown["status"] if shown["status"] in set(Status) else Status.UPLOADING,
    }
    return TypeAdapter(RoutedDocument).validate_python(known)
