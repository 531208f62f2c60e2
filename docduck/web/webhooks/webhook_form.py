"""What the form of a webhook holds, and shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from docduck.api.schemas.webhooks import NewWebhook
from docduck.catalog.models.webhooks import EXPORTED
from docduck.errors import InputError
from docduck.service.webhooks.webhook_changes import WebhookChanges
from docduck.service.webhooks.webhooks import WebhookView
from docduck.web.rest_bodies import checked_body
from docduck.web.visit import Form, form_value


@dataclass(frozen=True, slots=True)
class ShownWebhook:
    """A webhook in its form: a header on each line; ``is_active`` while events are recorded for it."""

    url: str = ""
    name: str = ""
    description: str = ""
    events: tuple[str, ...] = (EXPORTED,)
    headers: str = ""
    value_format: str = "typed"
    is_active: bool = True


def stored(webhook: WebhookView) -> ShownWebhook:
    """Return the form of a webhook as it is; the values of its headers are masked."""
    headers = "\n".join(f"{name}: {value}" for name, value in webhook.headers.items())
    return ShownWebhook(
        webhook.url,
        webhook.name,
        webhook.description,
        tuple(webhook.events),
        headers,
        webhook.value_format,
        webhook.is_active,
    )


def typed(given: Form) -> ShownWebhook:
    """Return the form as it was typed."""
    return ShownWebhook(
        form_value(given, "url").strip(),
        form_value(given, "name").strip(),
        form_value(given, "description").strip(),
        tuple(given.get("event", [])),
        form_value(given, "headers"),
        form_value(given, "value_format"),
        form_value(given, "is_active") == "yes",
    )


def changes(shown: ShownWebhook, before: ShownWebhook | None = None) -> WebhookChanges:
    """Return what a form changes, or all of a new webhook; raise InputError."""
    body: dict[str, Any] = {
        "url": shown.url,
        "name": shown.name,
        "description": shown.description,
        "events": list(shown.events),
        "headers": _headers(shown.headers),
        "valueFormat": shown.value_format,
        "isActive": shown.is_active,
    }
    given = checked_body(NewWebhook, body).given()
    if before is not None:
        if before.headers.splitlines() == shown.headers.splitlines():
            del given["headers"]
        if before.is_active == shown.is_active:
            del given["is_active"]
    return cast(WebhookChanges, given)


def _headers(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not value.strip():
            raise InputError("A header is written as in Authorization: Bearer my-token", "headers")
        found[name.strip()] = value.strip()
    return found
