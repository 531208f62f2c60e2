"""Webhooks of a parser, and their deliveries."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import DeliveryId, DocumentId, Limit, NoBody, PageNumber, ParserId, WebhookId
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter, needs
from docduck.api.schemas.base import Done, PageResponse, Success
from docduck.api.schemas.webhooks import (
    CreatedWebhook,
    RotatedSecret,
    WebhookList,
    WebhookSecret,
    WebhookTrial,
)
from docduck.catalog.models.webhooks import DELIVERY_STATUSES
from docduck.service.schemas.webhooks import NewWebhook, WebhookUpdate, WebhookView
from docduck.service.webhooks.delivery_log import DeliveryView, list_deliveries, resend_export, retry_delivery
from docduck.service.webhooks.secrets import get_secret, rotate_secret
from docduck.service.webhooks.trial import TrialView, send_trial, trial_message
from docduck.service.webhooks.webhook_changes import create_webhook, update_webhook
from docduck.service.webhooks.webhooks import delete_webhook, get_webhook, list_webhooks

router = ResourceRouter("/parsers/{parserId}", "Webhooks", read="webhooks:read", write="webhooks:write")


@router.get("/webhooks", summary="List webhooks")
def list_(parserId: ParserId, call: CurrentCall) -> WebhookList:
    """Return the parser's webhooks, the oldest first."""
    return WebhookList.of_all(list_webhooks(*call.team, parserId))


@router.post("/webhooks", summary="Create a webhook", status_code=201)
def create(parserId: ParserId, body: NewWebhook, call: CurrentCall) -> CreatedWebhook:
    """Create a webhook, by default for `document.exported`; the response has its secret."""
    made, secret = create_webhook(*call.team, parserId, body.sent_values(), call.actor)
    return CreatedWebhook.of(made, secret=secret)


@router.get("/webhooks/{webhookId}", summary="Get a webhook")
def get(parserId: ParserId, webhookId: WebhookId, call: CurrentCall) -> WebhookView:
    """Return a webhook."""
    return get_webhook(*call.team, parserId, webhookId)


@router.patch("/webhooks/{webhookId}", summary="Change a webhook", responses=error_responses(409))
def update(parserId: ParserId, webhookId: WebhookId, body: WebhookUpdate, call: CurrentCall) -> WebhookView:
    """Change a webhook: `headers` are replaced, and `isActive` true also activates one that was disabled."""
    return update_webhook(*call.team, parserId, webhookId, body.sent_values(), call.actor)


@router.delete("/webhooks/{webhookId}", summary="Delete a webhook")
def delete(parserId: ParserId, webhookId: WebhookId, call: CurrentCall) -> Done:
    """Delete a webhook and its deliveries; those that are pending are not sent."""
    return Done(success=True, id=delete_webhook(*call.team, parserId, webhookId, call.actor))


@router.get(
    "/webhooks/{webhookId}/secret", summary="Get a webhook's secret", openapi_extra=needs("webhooks:write")
)
def secret(parserId: ParserId, webhookId: WebhookId, call: CurrentCall) -> WebhookSecret:
    """Return the secret that signs the webhook's deliveries."""
    return WebhookSecret(secret=get_secret(*call.team, parserId, webhookId))


@router.post(
    "/webhooks/{webhookId}/secret/rotate",
    summary="Rotate a webhook's secret",
    operation_id="webhooks.rotate_secret",
)
def rotate(parserId: ParserId, webhookId: WebhookId, call: CurrentCall, body: NoBody = None) -> RotatedSecret:
    """Make a new secret; for 24 hours, deliveries are signed with the previous one as well."""
    new, expires_at = rotate_secret(*call.team, parserId, webhookId, call.actor)
    return RotatedSecret.model_validate({"secret": new, "previous_secret_expires_at": expires_at})


@router.post("/webhooks/{webhookId}/test", summary="Test a webhook")
async def test(
    parserId: ParserId, webhookId: WebhookId, call: CurrentCall, body: WebhookTrial | None = None
) -> TrialView:
    """Send an event of a document that doesn't exist, by default `webhook.test`, and return the result.

    It is sent once, and is in no log.
    """
    event = (body or WebhookTrial()).event
    message = await run_in_threadpool(trial_message, *call.team, parserId, webhookId, event, call.base_url)
    return await send_trial(message)


@router.get("/webhooks/{webhookId}/deliveries", summary="List a webhook's deliveries")
def deliveries(
    parserId: ParserId,
    webhookId: WebhookId,
    call: CurrentCall,
    status: Annotated[str | None, Query(json_schema_extra={"enum": [*DELIVERY_STATUSES]})] = None,
    page: PageNumber = 1,
    limit: Limit = 50,
) -> PageResponse[DeliveryView]:
    """Return the deliveries with their attempts, the newest first."""
    delivery_page = list_deliveries(*call.team, parserId, webhookId, status, page, limit)
    return PageResponse[DeliveryView].of_page(delivery_page)


@router.post("/webhooks/{webhookId}/deliveries/{deliveryId}/retry", summary="Send a delivery again")
def retry(
    parserId: ParserId, webhookId: WebhookId, deliveryId: DeliveryId, call: CurrentCall, body: NoBody = None
) -> Success:
    """Send a delivery now, whatever its status; if that fails, the schedule goes on."""
    retry_delivery(*call.team, parserId, webhookId, deliveryId, call.actor)
    return Success(success=True)


@router.post(
    "/documents/{documentId}/export",
    summary="Send a document's export again",
    operation_id="webhooks.resend_export",
)
def export(parserId: ParserId, documentId: DocumentId, call: CurrentCall, body: NoBody = None) -> Success:
    """Send `document.exported` with the present values to the webhooks that subscribe to it."""
    resend_export(*call.team, parserId, documentId, call.actor)
    return Success(success=True)
