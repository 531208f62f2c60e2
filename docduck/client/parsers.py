"""``client.parsers``: parsers and their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from docduck.client.transport.encoding import UNSET, Unset, path, present, set_values
from docduck.client.transport.endpoint import M, Resource, endpoint, listing
from docduck.client.transport.steps import Steps
from docduck.client.types import EvaluatedParser, FieldInput, Page, Parser, ParserDetails


class ParserSettings(TypedDict, total=False):
    """A parser's settings."""

    is_active: bool | Unset
    accepted_file_types: Sequence[str] | Unset
    confidence_scores: Mapping[str, Any] | Unset
    markdown_parsing: Mapping[str, Any] | Unset
    advanced_table_extraction: str | Unset
    data_extraction_mode: str | Unset
    split_documents: Mapping[str, Any] | Unset
    classification_gate: Mapping[str, Any] | Unset
    email_parsing: Mapping[str, Any] | Unset
    parse_pages: str | Unset | None
    reading_locale: Mapping[str, Any] | Unset
    document_name_template: str | Unset | None
    duplicate_keys: Sequence[str] | Unset
    retention_days: int | Unset | None


class Parsers(Resource[M]):
    """Parsers of the key's team."""

    @endpoint
    def create(
        self,
        name: str,
        *,
        description: str | None = None,
        fields: Sequence[FieldInput | Mapping[str, Any]] | None = None,
        template_key: str | None = None,
        idempotency_key: str | None = None,
        **settings: Unpack[ParserSettings],
    ) -> Steps[ParserDetails]:
        """Create a parser with these fields and settings, or from a template (``invoice``, ``receipt`` …)."""
        own = present(name=name, description=description, fields=fields, template_key=template_key)
        body = {**own, **set_values(**settings)}
        return self.call("POST", "/parsers", body=body, idempotency_key=idempotency_key)

    @endpoint
    def page(
        self,
        *,
        q: str | None = None,
        is_active: bool | None = None,
        type: str | None = None,
        sort: str | None = None,
        page: int = 1,
        limit: int = 50,
    ) -> Steps[Page[Parser]]:
        """Return a page of the parsers; ``q`` is part of the name."""
        params = present(q=q, is_active=is_active, type=type, sort=sort, page=page, limit=limit)
        return self.call("GET", "/parsers", params=params)

    list = listing(page)

    @endpoint
    def get(self, parser_id: str) -> Steps[ParserDetails]:
        """Return a parser with its fields."""
        return self.call("GET", path("parsers", parser_id))

    @endpoint
    def update(
        self,
        parser_id: str,
        *,
        name: str | Unset = UNSET,
        description: str | Unset = UNSET,
        **settings: Unpack[ParserSettings],
    ) -> Steps[ParserDetails]:
        """Change what is set; objects are merged key by key."""
        body = set_values(name=name, description=description, **settings)
        return self.call("PATCH", path("parsers", parser_id), body=body)

    @endpoint
    def duplicate(
        self,
        parser_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[ParserDetails]:
        """Copy a parser's setup, without its documents."""
        return self.call(
            "POST",
            path("parsers", parser_id, "duplicate"),
            body=present(name=name, description=description),
            idempotency_key=idempotency_key,
        )

    @endpoint
    def evaluate(self, parser_id: str, document_ids: Sequence[str] | None = None) -> Steps[EvaluatedParser]:
        """Read known-good documents again, and return the accuracy of each field before and now.

        They are the newest approved and corrected ones, unless they are named.
        """
        where, body = path("parsers", parser_id, "evaluations"), present(document_ids=document_ids)
        return self.call("POST", where, body=body, read_only=True, held_seconds=60)

    @endpoint
    def delete(self, parser_id: str) -> Steps[None]:
        """Delete a parser; its documents are hidden with it."""
        yield from self.call("DELETE", path("parsers", parser_id))
