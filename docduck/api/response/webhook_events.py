"""What docduck sends to webhooks, as the OpenAPI document tells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema
from pydantic.json_schema import models_json_schema

from docduck.api.schemas.base import ResponseModel, Timestamp, omitted_if_none
from docduck.catalog.models.webhooks import (
    APPROVED,
    EXPORTED,
    FAILED,
    IN_REVIEW,
    PROCESSED,
    REJECTED,
    SKIPPED,
    TEST,
    UPDATED,
    WEBHOOK_EVENTS,
)
from docduck.service.documents.queries.review_progress import Person, Review
from docduck.statuses import Status

EVENTS: Mapping[str, str] = {
    EXPORTED: "The values are final: processed without review, or approved.",
    PROCESSED: "Values were extracted, before any review.",
    IN_REVIEW: "The review began or was reset.",
    APPROVED: "The last review stage approved the document.",
    REJECTED: "A review stage rejected the document.",
    FAILED: "The document can't be processed, and has no values.",
    SKIPPED: "The document was skipped, and has no values.",
    UPDATED: "Values were corrected or confirmed; changes of name, folder or custom data are no event.",
    TEST: "The webhook is tested; there is no such document.",
}
"""When each event is sent."""

EventName = Annotated[str, WithJsonSchema({"type": "string", "enum": [*WEBHOOK_EVENTS]})]


class WebhookMetadata(ResponseModel):
    """The event, and the document at that moment."""

    id: str = Field(description="The id of the document")
    name: str
    url: str = Field(description="The document's page; a path if the server's own address is not set")
    is_processed: bool
    assignee: Person | None
    event: EventName = Field(description="The event")
    team_id: str = Field(description="The id of the team")
    team_slug: str = Field(description="The slug of the team")
    parser_id: str
    workflow_id: str = Field(description="The id of the parser's pipeline, which never changes")
    external_id: str | None
    custom: dict[str, Any] | None
    status: Status
    source: str = Field(examples=["api"])
    folder_id: str | None
    page_count: int | None
    created_at: Timestamp
    updated_at: Timestamp
    error: str | None
    review: Review
    timestamp: Timestamp = Field(description="When the event happened, ISO 8601, in UTC")
    test: bool | None = omitted_if_none("True of a test")
    truncated: bool | None = omitted_if_none("True if the values are too large to be sent; get the document")


class WebhookPayload(ResponseModel):
    """What is posted to a webhook."""

    extracted_data: dict[str, Any] | None = Field(
        serialization_alias="extracted_data",
        description="The values by field name, all as text with `valueFormat: string`; empty of "
        "failed and skipped documents, null if they are too large",
        examples=[{"Number": "A-1", "Total": 12.5}],
    )
    metadata: WebhookMetadata = Field(description="The event, and the document at that moment")


_HEADERS = {
    "webhook-id": "The id of the delivery, which is the same in each attempt",
    "webhook-timestamp": "When it is sent, in seconds since 1970",
    "webhook-signature": "Signatures as Standard Webhooks has them, one for each valid secret",
}
_SCHEMAS = "#/components/schemas/"


def payload_schemas() -> dict[str, Any]:
    """Return the schemas of what is sent, by name."""
    _, schemas = models_json_schema(
        [(WebhookPayload, "serialization")], by_alias=True, ref_template=f"{_SCHEMAS}{{model}}"
    )
    return dict(schemas["$defs"])


def webhook_items() -> dict[str, Any]:
    """Return the requests that webhooks receive, by event."""
    return {event: {"post": _operation(event)} for event in WEBHOOK_EVENTS}


def _operation(event: str) -> dict[str, Any]:
    schema = {"$ref": f"{_SCHEMAS}{WebhookPayload.__name__}"}
    return {
        "tags": ["Webhooks"],
        "operationId": f"receive.{event}",
        "summary": event,
        "description": f"{EVENTS[event]} It is sent at least once, and again unless it is accepted.",
        "parameters": [
            {
                "name": name,
                "in": "header",
                "required": True,
                "description": f"{words}; also as `{name.replace('webhook', 'svix')}`",
                "schema": {"type": "string"},
            }
            for name, words in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {
            "2XX": {"description": "Accepted; the body is ignored"},
            "410": {"description": "No more of them, please: the webhook is disabled"},
        },
    }
