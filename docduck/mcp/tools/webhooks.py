"""Webhooks of a parser; no tool returns their secrets."""

from __future__ import annotations

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import ParserId
from docduck.api.routers import webhooks
from docduck.mcp.tool import DELETE, READ, Effect, Settings, rest_tool, tool
from docduck.mcp.views import LEAN
from docduck.service.schemas.webhooks import NewWebhook, WebhookView
from docduck.service.webhooks import webhook_changes as service


@tool(
    "create_webhook",
    "Create a webhook",
    "webhooks:write",
    Effect(open_world=True),
    LEAN,
    Settings("webhook", ("url", "events")),
)
def create_webhook(parserId: ParserId, body: NewWebhook, call: CurrentCall) -> WebhookView:
    """Create a webhook: events of a parser's documents are posted to its URL. A person reads the secret that
    signs them on the webhook's page.
    """
    made, _ = service.create_webhook(*call.team, parserId, body.sent_values(), call.actor)
    return made


TOOLS = (
    rest_tool(
        webhooks.list_,
        "list_webhooks",
        READ,
        "Return a parser's webhooks; their headers are masked.",
    ),
    create_webhook,
    rest_tool(
        webhooks.delete,
        "delete_webhook",
        DELETE,
        "Delete a webhook; pending deliveries are not sent.",
    ),
    rest_tool(
        webhooks.test,
        "test_webhook",
        Effect(open_world=True),
        "Send an event of a document that doesn't exist to a webhook, once, and return what the receiver "
        "answered.",
    ),
    rest_tool(
        webhooks.deliveries,
        "list_webhook_deliveries",
        READ,
        "Return a page of a webhook's deliveries with their attempts and errors, the newest first.",
    ),
    rest_tool(
        webhooks.retry,
        "retry_webhook_delivery",
        Effect(open_world=True),
        "Send a delivery again now, whatever its status; if that fails, the schedule goes on.",
    ),
)
