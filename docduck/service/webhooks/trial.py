"""A trial of a webhook: one message, sent at once, that is in no log."""

from __future__ import annotations

import time
from dataclasses import dataclass

from docduck.catalog.models import Parser, Team
from docduck.catalog.models.webhooks import TEST, WEBHOOK_EVENTS
from docduck.errors import InputError
from docduck.ids import new_id
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.post import post
from docduck.service.core.installation import Installation
from docduck.service.core.schema import ViewPart
from docduck.service.webhooks.delivery_queue import failure
from docduck.service.webhooks.messages import Endpoint
from docduck.service.webhooks.payload import sample_payload
from docduck.service.webhooks.webhooks import find_webhook


@dataclass(frozen=True, slots=True)
class TrialMessage:
    """A message about a document that doesn't exist."""

    endpoint: Endpoint
    policy: OutboundPolicy
    body: bytes


class TrialView(ViewPart):
    """The result of a test."""

    success: bool
    status_code: int | None
    duration_ms: int
    error: str | None


def trial_message(
    inst: Installation,
    team_id: str,
    parser_ref: str | None,
    webhook_id: str,
    event: str = TEST,
    base_url: str | None = None,
) -> TrialMessage:
    """Return the message that tests a webhook, whatever its status and the events that it subscribes to.

    ``base_url`` is what its links begin with, by default that of the settings.

    Raise NotFound, SealBroken, and InputError for an unknown event.
    """
    if event not in WEBHOOK_EVENTS:
        raise InputError(f"Unknown event: {event}. Known: {', '.join(WEBHOOK_EVENTS)}", "event")
    with inst.catalog.read_session() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        team = session.get_one(Team, team_id)
        parser = None if webhook.parser_id is None else session.get_one(Parser, webhook.parser_id)
        body = sample_payload(
            team,
            parser,
            event,
            webhook.value_format,
            base_url or inst.settings.base_url,
        )
        policy = OutboundPolicy.for_webhooks(inst.settings)
        return TrialMessage(Endpoint.of(inst.settings, webhook), policy, body)


async def send_trial(message: TrialMessage) -> TrialView:
    """Send the message and return the result."""
    began = time.monotonic()
    endpoint = message.endpoint
    headers = endpoint.headers(f"msg_{new_id()}", int(time.time()), message.body)
    result = await post(endpoint.url, message.body, headers, message.policy)
    success = result.status is not None and 200 <= result.status < 300
    return TrialView(
        success=success,
        status_code=result.status,
        duration_ms=round((time.monotonic() - began) * 1000),
        error=None if success else failure(result.status, result.error),
    )
