"""``client.classifiers``: classifiers, and the documents that they route to parsers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from docduck.client.transport.encoding import UNSET, Unset, path, present, set_values, timestamp
from docduck.client.transport.endpoint import M, Resource, endpoint, listing
from docduck.client.transport.steps import Steps
from docduck.client.types import ClassifiedDocument, Classifier, Page


class ClassifierSettings(TypedDict, total=False):
    """A classifier's settings."""

    is_active: bool | Unset
    accepted_file_types: Sequence[str] | Unset
    split_documents: Mapping[str, Any] | Unset
    email_parsing: Mapping[str, Any] | Unset


class Classifiers(Resource[M]):
    """Classifiers of the key's team; ``client.process.files_to_classifier`` uploads documents."""

    @endpoint
    def create(
        self,
        name: str,
        routing: Mapping[str, Any],
        *,
        description: str | None = None,
        idempotency_key: str | None = None,
        **settings: Unpack[ClassifierSettings],
    ) -> Steps[Classifier]:
        """Create a classifier.

        ``routing`` is ``{"rules": [{"label": "Invoice", "targetParserId": "…"}]}``, with ``fallback`` and
        ``instructions`` if wanted.
        """
        body = {**present(name=name, routing=routing, description=description), **set_values(**settings)}
        return self.call("POST", "/classifiers", body=body, idempotency_key=idempotency_key)

    @endpoint
    def page(
        self,
        *,
        q: str | None = None,
        is_active: bool | None = None,
        sort: str | None = None,
        page: int = 1,
        limit: int = 50,
    ) -> Steps[Page[Classifier]]:
        """Return a page of the classifiers; ``q`` is part of the name."""
        params = present(q=q, is_active=is_active, sort=sort, page=page, limit=limit)
        return self.call("GET", "/classifiers", params=params)

    list = listing(page)

    @endpoint
    def get(self, classifier_id: str) -> Steps[Classifier]:
        """Return a classifier."""
        return self.call("GET", path("classifiers", classifier_id))

    @endpoint
    def update(
        self,
        classifier_id: str,
        *,
        name: str | Unset = UNSET,
        description: str | Unset = UNSET,
        routing: Mapping[str, Any] | Unset = UNSET,
        **settings: Unpack[ClassifierSettings],
    ) -> Steps[Classifier]:
        """Change what is set; objects are merged key by key, rules are replaced."""
        body = set_values(name=name, description=description, routing=routing, **settings)
        return self.call("PATCH", path("classifiers", classifier_id), body=body)

    @endpoint
    def delete(self, classifier_id: str) -> Steps[None]:
        """Delete a classifier and its documents that are in no parser."""
        yield from self.call("DELETE", path("classifiers", classifier_id))

    @endpoint
    def documents_page(
        self,
        classifier_id: str,
        *,
        q: str | None = None,
        status: str | None = None,
        target_parser_id: str | None = None,
        external_id: str | None = None,
        created_from: str | dt.datetime | None = None,
        created_to: str | dt.datetime | None = None,
        sort: str | None = None,
        page: int = 1,
        limit: int = 50,
    ) -> Steps[Page[ClassifiedDocument]]:
        """Return a page of a classifier's documents; ``status`` is that of the routing."""
        params = present(
            q=q,
            status=status,
            target_parser_id=target_parser_id,
            external_id=external_id,
            created_from=timestamp(created_from),
            created_to=timestamp(created_to),
            sort=sort,
            page=page,
            limit=limit,
        )
        return self.call("GET", path("classifiers", classifier_id, "documents"), params=params)

    documents = listing(documents_page)

    @endpoint
    def route(
        self,
        classifier_id: str,
        document_id: str,
        target_parser_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Steps[ClassifiedDocument]:
        """Move a routed, skipped or failed document to the right parser; the classifier learns from it."""
        return self.call(
            "POST",
            path("classifiers", classifier_id, "documents", document_id, "route"),
            body={"targetParserId": target_parser_id},
            idempotency_key=idempotency_key,
        )
