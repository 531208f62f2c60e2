"""Webhooks of all parsers of a team, and their deliveries; not for keys that are limited to parsers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.params import DeliveryId, Limit, NoBody, PageNumber, WebhookId
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter, needs
from docduck.api.schemas.base import Done, PageResponse, Success
from docduck.api.schemas.webhooks import (
    CreatedWebhook,
    EventsToReplay,
    RotatedSecret,
    WebhookList,
    WebhookSecret,
    WebhookTrial,
)
from docduck.catalog.models.webhooks import DELIVERY_STATUSES
from docduck.errors import Forbidden, InputError
from docduck.service.core.installation import Installation
from docduck.service.schemas.webhooks import NewWebhook, WebhookUpdate, WebhookView
from docduck.service.webhooks.delivery_log import DeliveryView, list_deliveries, retry_delivery
from docduck.service.webhooks.replay import EventRange, Replayed
from docduck.service.webhooks.replay import replay as replay_events
from docduck.service.webhooks.secrets import get_secret, rotate_secret
from docduck.service.webhooks.trial import TrialView, send_trial, trial_message
from docduck.service.webhooks.webhook_changes import create_webhook, update_webhook
from docduck.service.webhooks.webhooks import delete_webhook, get_webhook, list_webhooks

router = ResourceRouter("/webhooks", "Webhooks", read="webhooks:read", write="webhooks:write")


@router.get("", summary="List the team's webhooks", operation_id="webhooks.list_of_team")
def list_(call: CurrentCall) -> WebhookList:
    """Return the webhooks of all parsers, the oldest first."""
    return WebhookList.of_all(list_webhooks(*_owner(call)))


@router.post(
    "", summary="Create a webhook of the team", status_code=201, operation_id="webhooks.create_of_team"
)
def create(body: NewWebhook, call: CurrentCall) -> CreatedWebhook:
    """Create a webhook of all parsers, present and future; the response has its secret."""
    made, secret = create_webhook(*_owner(call), body.sent_values(), call.actor)
    return CreatedWebhook.of(made, secret=secret)


@router.get("/{webhookId}", summary="Get a webhook of the team", operation_id="webhooks.get_of_team")
def get(webhookId: WebhookId, call: CurrentCall) -> WebhookView:
    """Return a webhook of all parsers."""
    return get_webhook(*_owner(call), webhookId)


@router.patch(
    "/{webhookId}",
    summary="Change a webhook of the team",
    operation_id="webhooks.update_of_team",
    responses=error_responses(409),
)
def update(webhookId: WebhookId, body: WebhookUpdate, call: CurrentCall) -> WebhookView:
    """Change a webhook: `headers` are replaced, and `isActive` true also activates one that was disabled."""
    return update_webhook(*_owner(call), webhookId, body.sent_values(), call.actor)


@router.delete("/{webhookId}", summary="Delete a webhook of the team", operation_id="webhooks.delete_of_team")
def delete(webhookId: WebhookId, call: CurrentCall) -> Done:
    """Delete a webhook and its deliveries; those that are pending are not sent."""
    return Done(success=True, id=delete_webhook(*_owner(call), webhookId, call.actor))


@router.get(
    "/{webhookId}/secret",
    summary="Get the secret of a webhook of the team",
    operation_id="webhooks.secret_of_team",
    openapi_extra=needs("webhooks:write"),
)
def secret(webhookId: WebhookId, call: CurrentCall) -> WebhookSecret:
    """Return the secret that signs the webhook's deliveries."""
    return WebhookSecret(secret=get_secret(*_owner(call), webhookId))


@router.post(
    "/{webhookId}/secret/rotate",
    summary="Rotate the secret of a webhook of the team",
    operation_id="webhooks.rotate_secret_of_team",
)
def rotate(webhookId: WebhookId, call: CurrentCall, body: NoBody = None) -> RotatedSecret:
    """Make a new secret; for 24 hours, deliveries are signed with the previous one as well."""
    new, expires_at = rotate_secret(*_owner(call), webhookId, call.actor)
    return RotatedSecret.model_validate({"secret": new, "previous_secret_expires_at": expires_at})


@router.post("/{webhookId}/test", summary="Test a webhook of the team", operation_id="webhooks.test_of_team")
async def test(webhookId: WebhookId, call: CurrentCall, body: WebhookTrial | None = None) -> TrialView:
    """Send an event of a document and parser that don't exist, by default `webhook.test`, and return the
    result.

    It is sent once, and is in no log.
    """
    event = (body or WebhookTrial()).event
    message = await run_in_threadpool(trial_message, *_owner(call), webhookId, event, call.base_url)
    return await send_trial(message)


@router.get(
    "/{webhookId}/deliveries",
    summary="List the deliveries of a webhook of the team",
    operation_id="webhooks.deliveries_of_team",
)
def deliveries(
    webhookId: WebhookId,
    call: CurrentCall,
    status: Annotated[
        str | None,
        Query(description="Only in this status", json_schema_extra={"enum": [*DELIVERY_STATUSES]}),
    ] = None,
    page: PageNumber = 1,
    limit: Limit = 50,
) -> PageResponse[DeliveryView]:
    """Return the deliveries with their attempts, the newest first."""
    delivery_page = list_deliveries(*_owner(call), webhookId, status, page, limit)
    return PageResponse[DeliveryView].of_page(delivery_page)


@router.post(
    "/{webhookId}/deliveries/{deliveryId}/retry",
    summary="Send a delivery of a webhook of the team again",
    operation_id="webhooks.retry_of_team",
)
def retry(webhookId: WebhookId, deliveryId: DeliveryId, call: CurrentCall, body: NoBody = None) -> Success:
    """Send a delivery now, whatever its status; if that fails, the schedule goes on."""
    retry_delivery(*_owner(call), webhookId, deliveryId, call.actor)
    return Success(success=True)


@router.post("/{webhookId}/replay", summary="Send events to a webhook again")
def replay(webhookId: WebhookId, body: EventsToReplay, call: CurrentCall) -> Replayed:
    """Send one event of the last 30 days, or all of a range to which the webhook subscribes.

    The webhook may be one of a parser or of all of them. It gets each event under one message id, however
    often it is sent; an event that waits to be sent already is not sent twice. An event to which no webhook
    subscribed when it happened describes its document as it is now.
    """
    if (body.event_id is None) == (body.created_from is None):
        raise InputError("Provide exactly one of eventId or createdFrom", "eventId")
    if body.event_id is not None and body.created_to is not None:
        raise InputError("createdTo goes with createdFrom", "createdTo")
    which = EventRange(**body.sent_values())
    return replay_events(*call.team, webhookId, which, call.actor, only=call.caller.parser_ids)


def _owner(call: Call) -> tuple[Installation, str, None]:
    """Return what use cases begin with; raise Forbidden for a key that may not see all parsers."""
    if call.caller.parser_ids is not None:
        raise Forbidden
    return call.inst, call.team_id, None
