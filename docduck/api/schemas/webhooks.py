"""Webhooks: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from docduck.api.schemas.base import RequestBody, ResponseModel, Timestamp
from docduck.catalog.models.webhooks import ANY_EVENT, EXPORTED, TEST, WEBHOOK_EVENTS
from docduck.service.core.names import LONGEST_NAME
from docduck.service.webhooks.checks import (
    LONGEST_DESCRIPTION,
    LONGEST_HEADER_VALUE,
    MOST_HEADERS,
)

Event = Annotated[str, WithJsonSchema({"type": "string", "enum": list(WEBHOOK_EVENTS)})]
Subscription = Annotated[str, WithJsonSchema({"type": "string", "enum": [*WEBHOOK_EVENTS, ANY_EVENT]})]
HeaderValue = Annotated[str, Field(min_length=1, max_length=LONGEST_HEADER_VALUE)]


class WebhookUpdate(RequestBody):
    """The properties to change."""

    url: Annotated[str, Field(min_length=1, max_length=8192, examples=["https://example.org/hook"])] = ""
    events: Annotated[list[Subscription], Field(min_length=1, max_length=50)] = Field(
        [EXPORTED], description="The events that are sent; `*` for all"
    )
    name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    description: Annotated[str, Field(max_length=LONGEST_DESCRIPTION)] = ""
    headers: Annotated[dict[str, HeaderValue], Field(max_length=MOST_HEADERS)] = Field(
        {},
        description="Further headers of each request, all of them; the value `***` keeps a header's present "
        "value",
        examples=[{"Authorization": "Bearer my-token"}],
    )
    is_active: bool = Field(True, description="While false, no events are recorded for the webhook")
    value_format: Literal["typed", "string"] = Field(
        "typed", description="Values as in Get Document Data, or all scalars as text and null as empty text"
    )


class NewWebhook(WebhookUpdate):
    """A webhook to create."""

    url: Annotated[str, Field(min_length=1, max_length=8192, examples=["https://example.org/hook"])]


class WebhookResponse(ResponseModel):
    """A webhook."""

    id: str
    parser_id: str
    url: str
    name: str
    description: str
    events: list[str] = Field(examples=[[EXPORTED]])
    headers: dict[str, str] = Field(
        description="Their values are masked", examples=[{"Authorization": "***"}]
    )
    is_active: bool
    value_format: Literal["typed", "string"]
    status: Literal["active", "paused", "disabled"] = Field(
        description="Disabled when the receiver answered 410, or has failed for days"
    )
    last_delivery_at: Timestamp | None
    last_status_code: int | None
    created_at: Timestamp
    updated_at: Timestamp


class CreatedWebhook(WebhookResponse):
    """A new webhook with the secret that signs its deliveries."""

    secret: str = Field(examples=["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"])


class WebhookList(ResponseModel):
    """A parser's webhooks, the oldest first."""

    data: list[WebhookResponse]


class WebhookSecret(ResponseModel):
    """The secret that signs deliveries."""

    secret: str


class RotatedSecret(ResponseModel):
    """The new secret; until then, the previous one signs as well."""

    secret: str
    previous_secret_expires_at: Timestamp


class WebhookTrial(RequestBody):
    """The event to send."""

    event: Event = TEST


class TrialResponse(ResponseModel):
    """The result of a test."""

    success: bool
    status_code: int | None
    duration_ms: int
    error: str | None


class AttemptResponse(ResponseModel):
    """An attempt to deliver an event."""

    at: str
    status_code: int | None = Field(description="The receiver's status; null without a response")
    duration_ms: int
    error: str | None


class DeliveryResponse(ResponseModel):
    """A delivery of an event to a webhook."""

    id: str
    event: str = Field(examples=[EXPORTED])
    document_id: str
    status: Literal["pending", "succeeded", "failed", "cancelled"]
    attempts: list[AttemptResponse]
    next_attempt_at: Timestamp | None = Field(
        description="Null when it has ended, and while the webhook is paused"
    )
    created_at: Timestamp
