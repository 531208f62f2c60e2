"""The payload of a delivery, composed of what ``service.documents.webhook_outbox`` stored with the event."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from docduck import clock
from docduck.catalog.json_text import json_text
from docduck.catalog.models import Parser, Team, WebhookSnapshot
from docduck.catalog.models.webhooks import TEST
from docduck.ids import new_id
from docduck.service.documents import values
from docduck.service.documents.queries.review_progress import NO_REVIEW
from docduck.service.documents.webhook_outbox import restored_fields
from docduck.service.parsers.parsers import view
from docduck.statuses import Status

MAX_BYTES = 5 * 1024 * 1024
"""A larger payload is sent without values."""

_TEST_STATUSES = {
    "document.in_review": Status.IN_REVIEW,
    "document.approved": Status.APPROVED,
    "document.rejected": Status.REJECTED,
    "document.failed": Status.FAILED,
    "document.skipped": Status.SKIPPED,
}


def snapshot_payload(snapshot: WebhookSnapshot, event: str, value_format: str, base_url: str | None) -> bytes:
    """Return the payload of an event: the document as it was then."""
    data: dict[str, Any] | None = {}
    if snapshot.facts["isProcessed"]:
        data = None
        if snapshot.values is not None:
            fields = restored_fields(snapshot.fields["live"])
            data = values.named(fields, snapshot.values, restored_fields(snapshot.fields["deleted"]))
    return _payload(snapshot.facts, data, event, snapshot.created_at, value_format, base_url)


def sample_payload(
    team: Team, parser: Parser | None, event: str, value_format: str, base_url: str | None
) -> bytes:
    """Return the payload of a test: a document that doesn't exist, without values.

    Without a parser, that doesn't exist either.
    """
    status = _TEST_STATUSES.get(event, Status.PROCESSED)
    moment = clock.now()
    has_values = status not in (Status.FAILED, Status.SKIPPED)
    facts = {
        "id": new_id(),
        "name": "Test",
        "isProcessed": has_values,
        "assignee": None,
        "teamId": team.id,
        "teamSlug": team.slug,
        "parserId": parser.id if parser else new_id(),
        "workflowId": parser.workflow_id if parser else new_id(),
        "externalId": None,
        "custom": None,
        "status": status,
        "source": "api",
        "folderId": None,
        "pageCount": 1,
        "createdAt": clock.iso(moment),
        "updatedAt": clock.iso(moment),
        "error": "File is damaged or not readable" if status is Status.FAILED else None,
        "review": NO_REVIEW.as_json(),
    }
    data = values.named(view(parser).fields, {}) if has_values and parser else {}
    return _payload(facts, data, event or TEST, moment, value_format, base_url, test=True)


def as_strings(value: Any) -> Any:
    """Return values with all scalars as text, and null as the empty text."""
    if isinstance(value, Mapping):
        return {name: as_strings(item) for name, item in value.items()}
    if isinstance(value, list):
        return [as_strings(item) for item in value]
    if value is None:
        return ""
    return value if isinstance(value, str) else json_text(value)


def _payload(
    facts: Mapping[str, Any],
    data: Mapping[str, Any] | None,
    event: str,
    at: dt.datetime,
    value_format: str,
    base_url: str | None,
    **more: Any,
) -> bytes:
    """Return the JSON; without values if ``data`` is None or makes it too large."""
    metadata = {
        "id": facts["id"],
        "name": facts["name"],
        "url": f"{(base_url or '').rstrip('/')}/documents/{facts['id']}",
        "isProcessed": facts["isProcessed"],
        "assignee": facts["assignee"],
        "event": event,
        **facts,
        "timestamp": clock.iso(at),
        **more,
    }
    if data is not None:
        content = as_strings(data) if value_format == "string" else data
        body = json_text({"extracted_data": content, "metadata": metadata}).encode()
        if len(body) <= MAX_BYTES:
            return body
    return json_text({"extracted_data": None, "metadata": {**metadata, "truncated": True}}).encode()
