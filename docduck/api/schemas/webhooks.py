"""Webhooks: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from docduck.api.schemas.base import ResponseModel, Timestamp
from docduck.catalog.models.webhooks import EXPORTED, TEST, WEBHOOK_EVENTS
from docduck.service.core.schema import Schema
from docduck.service.schemas.webhooks import WebhookView

Event = Annotated[str, WithJsonSchema({"type": "string", "enum": list(WEBHOOK_EVENTS)})]


class CreatedWebhook(WebhookView):
    """A new webhook with the secret that signs its deliveries."""

    secret: str = Field(examples=["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"])


class WebhookList(ResponseModel):
    """A parser's webhooks, the oldest first."""

    data: list[WebhookView]


class WebhookSecret(ResponseModel):
    """The secret that signs deliveries."""

    secret: str


class RotatedSecret(ResponseModel):
    """The new secret; until then, the previous one signs as well."""

    secret: str
    previous_secret_expires_at: Timestamp


class WebhookTrial(Schema):
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
