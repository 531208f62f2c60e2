"""Webhooks: bodies and responses."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, WithJsonSchema

from docduck.api.schemas.base import ResponseModel, Timestamp, WholeList
from docduck.catalog.models.webhooks import TEST, WEBHOOK_EVENTS
from docduck.service.core.property_types import INCLUSIVE_END, LowerBound, UpperBound, Uuid
from docduck.service.core.schema import Schema
from docduck.service.schemas.webhooks import WebhookView

Event = Annotated[str, WithJsonSchema({"type": "string", "enum": list(WEBHOOK_EVENTS)})]


class CreatedWebhook(WebhookView):
    """A new webhook with the secret that signs its deliveries."""

    secret: str = Field(examples=["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"])


class WebhookList(WholeList[WebhookView]):
    """Webhooks, the oldest first."""


class WebhookSecret(ResponseModel):
    """The secret that signs deliveries."""

    secret: str


class RotatedSecret(ResponseModel):
    """The new secret; until then, the previous one signs as well."""

    secret: str
    previous_secret_expires_at: Timestamp


class EventsToReplay(Schema):
    """One event, or a range of them."""

    event_id: Uuid | None = Field(None, description="The event, whether the webhook subscribes to it or not")
    created_from: LowerBound | None = Field(
        None, description="All events from this moment on to which the webhook subscribes"
    )
    created_to: UpperBound | None = Field(None, description=f"Not those after it. {INCLUSIVE_END}")


class WebhookTrial(Schema):
    """The event to send."""

    event: Event = TEST
