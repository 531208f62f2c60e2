"""Webhooks of a parser or of all of them; no tool returns their secrets."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from docduck.api.request.current_caller import CurrentCall
from docduck.api.routers import events
from docduck.api.routers.webhooks import team_webhooks, webhooks
from docduck.mcp.tool import DELETE, READ, Effect, Settings, rest_tool, tool
from docduck.mcp.views import LEAN
from docduck.service.schemas.webhooks import NewWebhook, WebhookView
from docduck.service.webhooks import webhook_changes as service

OptionalParserId = Annotated[str | None, Path(description="The parser's id or slug")]


@tool(
    "create_webhook",
    "Create a webhook",
    "webhooks:write",
    Effect(open_world=True),
    LEAN,
    Settings("webhook", ("url", "events")),
)
def create_webhook(body: NewWebhook, call: CurrentCall, parserId: OptionalParserId = None) -> WebhookView:
    """Create a webhook: events of a parser's documents, or without parserId of all parsers' documents, are
    posted to its URL. A person reads the secret that signs them: for a parser's webhook on its page, for
    others with `docduck webhooks secret`.
    """
    made, _ = service.create_webhook(*call.team, parserId, body.sent_values(), call.actor)
    return made


TOOLS = (
    rest_tool(
        webhooks.list_,
        "list_webhooks",
        READ,
        "Return a parser's webhooks, or without parserId those of all parsers; their headers are masked.",
        of_team=team_webhooks.list_,
    ),
    create_webhook,
    rest_tool(
        webhooks.delete,
        "delete_webhook",
        DELETE,
        "Delete a webhook; pending deliveries are not sent.",
        of_team=team_webhooks.delete,
    ),
    rest_tool(
        webhooks.test,
        "test_webhook",
        Effect(open_world=True),
        "Send an event of a document that doesn't exist to a webhook, once, and return what the receiver "
        "answered.",
        of_team=team_webhooks.test,
    ),
    rest_tool(
        webhooks.deliveries,
        "list_webhook_deliveries",
        READ,
        "Return a page of a webhook's deliveries with their attempts and errors, the newest first.",
        of_team=team_webhooks.deliveries,
    ),
    rest_tool(
        webhooks.retry,
        "retry_webhook_delivery",
        Effect(open_world=True),
        "Send a delivery again now, whatever its status; if that fails, the schedule goes on.",
        of_team=team_webhooks.retry,
    ),
    rest_tool(
        events.list_,
        "list_events",
        READ,
        "Return what happened to documents in the last 30 days, the oldest first; its nextCursor goes on.",
    ),
    rest_tool(
        team_webhooks.replay,
        "replay_events",
        Effect(open_world=True),
        "Send an event of list_events, or all of a range, to a webhook again.",
    ),
)
