"""``client.reviews``: decisions on documents in review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docduck.client.transport.encoding import path, present
from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.types import DocumentDetails


class Reviews(Resource[M]):
    """Reviews of a parser's documents."""

    @endpoint
    def approve(
        self, parser_id: str, document_id: str, reviewer_id: str, *, idempotency_key: str | None = None
    ) -> Steps[DocumentDetails]:
        """Approve the stage in progress, as its assignee."""
        body = {"reviewerId": reviewer_id}
        return self._act(parser_id, document_id, "approve", body, idempotency_key)

    @endpoint
    def reject(
        self,
        parser_id: str,
        document_id: str,
        reviewer_id: str,
        reason: str | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Steps[DocumentDetails]:
        """Reject the document at the stage in progress, as its assignee."""
        body = present(reviewer_id=reviewer_id, reason=reason)
        return self._act(parser_id, document_id, "reject", body, idempotency_key)

    @endpoint
    def reset(
        self, parser_id: str, document_id: str, reviewer_id: str, *, idempotency_key: str | None = None
    ) -> Steps[DocumentDetails]:
        """Start the review of an approved or rejected document again."""
        body = {"reviewerId": reviewer_id}
        return self._act(parser_id, document_id, "reset", body, idempotency_key)

    @endpoint
    def assign(
        self,
        parser_id: str,
        document_id: str,
        assignee_id: str | None,
        *,
        idempotency_key: str | None = None,
    ) -> Steps[DocumentDetails]:
        """Assign the document, and its stage in progress, to another person."""
        body = {"assigneeId": assignee_id}
        return self._act(parser_id, document_id, "assign", body, idempotency_key)

    def _act(
        self,
        parser_id: str,
        document_id: str,
        action: str,
        body: Mapping[str, Any],
        idempotency_key: str | None,
    ) -> Steps[DocumentDetails]:
        place = path("parsers", parser_id, "documents", document_id, "review", action)
        return self.call("POST", place, body=body, idempotency_key=idempotency_key)
