"""Creating and changing webhooks. Header values and secrets are stored sealed, and in no audit entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from pydantic.alias_generators import to_camel
from sqlalchemy import update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Webhook, WebhookDelivery
from docduck.catalog.models.webhooks import EXPORTED
from docduck.catalog.notifications import DELIVERIES, notify
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.sealing import seal
from docduck.service.parsers.parsers import find
from docduck.service.webhooks.checks import (
    check_description,
    check_events,
    check_headers,
    check_name,
    check_value_format,
    check_webhook_url,
)
from docduck.service.webhooks.signing import new_secret, secret_key
from docduck.service.webhooks.webhooks import MASK, WebhookView, find_webhook, parser_webhooks, view
from docduck.settings import Settings

_AUDITED = ("url", "name", "description", "events", "value_format", "status")


class WebhookChanges(TypedDict, total=False):
    """Properties of a webhook; a missing key leaves the value as it is.

    ``headers`` replaces all headers; a value that is the mask keeps the header's present value.
    """

    url: str
    name: str
    description: str
    events: Sequence[str]
    headers: Mapping[str, str]
    value_format: str
    is_active: bool


def create_webhook(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    new: WebhookChanges,
    actor: str = "user",
    *,
    secret: str | None = None,
) -> tuple[WebhookView, str]:
    """Create a webhook, and return it with its secret, which is random unless given.

    Raise NotFound for the parser, InputError, and Conflict for the URL and events of another webhook.
    """
    secret = secret or new_secret()
    secret_key(secret)
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        if len(parser_webhooks(session, parser.id)) >= inst.settings.max_webhooks:
            raise InputError(f"A parser may have {inst.settings.max_webhooks} webhooks")
        webhook = Webhook(
            id=new_id(),
            team_id=team_id,
            parser_id=parser.id,
            name="",
            description="",
            events=[EXPORTED],
            headers={},
            value_format="typed",
            status="active",
        )
        webhook.sealed_secret = seal(inst.settings, secret.encode(), webhook.id)
        _set(inst.settings, webhook, {**new, "url": new.get("url", "")})
        _refuse_twin(session, webhook)
        session.add(webhook)
        session.flush()
        entry = (webhook.id, {"parser": parser.id, "before": None, "after": _facts(webhook)})
        audit.record(session, team_id, actor, "webhook.created", "webhook", [entry])
        return view(webhook), secret


def update_webhook(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    webhook_id: str,
    changes: WebhookChanges,
    actor: str = "user",
) -> WebhookView:
    """Change a webhook. While it is paused, no events are written for it, and pending deliveries wait.

    Raise the errors of ``create_webhook``, and NotFound for the webhook.
    """
    with inst.catalog.transaction() as session:
        find(session, team_id, parser_ref, lock=True)
        webhook = find_webhook(session, team_id, parser_ref, webhook_id, lock=True)
        before, headers = _facts(webhook), webhook.headers
        _set(inst.settings, webhook, changes)
        _refuse_twin(session, webhook)
        session.flush()
        if webhook.status != before["status"]:
            _move_pending(session, webhook)
        details = audit.changes(before, _facts(webhook))
        if webhook.headers != headers and "headers" not in details["changed"]:
            details["changed"].append("headers")
        if details["changed"]:
            audit.record(session, team_id, actor, "webhook.updated", "webhook", [(webhook.id, details)])
        return view(webhook)


def _set(settings: Settings, webhook: Webhook, changes: WebhookChanges) -> None:
    if "url" in changes:
        webhook.url = check_webhook_url(settings, changes["url"])
    if "name" in changes:
        webhook.name = check_name(changes["name"])
    if "description" in changes:
        webhook.description = check_description(changes["description"])
    if "events" in changes:
        webhook.events = check_events(changes["events"])
    if "value_format" in changes:
        webhook.value_format = check_value_format(changes["value_format"])
    if "headers" in changes:
        webhook.headers = _sealed_headers(settings, webhook, check_headers(changes["headers"]))
    if "is_active" in changes and changes["is_active"] != (webhook.status == "active"):
        webhook.status = "active" if changes["is_active"] else "paused"
        webhook.failing_since = None


def _sealed_headers(settings: Settings, webhook: Webhook, headers: Mapping[str, str]) -> dict[str, str]:
    present = {name.lower(): sealed for name, sealed in webhook.headers.items()}
    sealed: dict[str, str] = {}
    for name, value in headers.items():
        if value != MASK:
            sealed[name] = seal(settings, value.encode(), header_context(webhook.id, name))
        elif name.lower() in present:
            sealed[name] = present[name.lower()]
        else:
            raise InputError(f"The webhook has no header {name} whose value could be kept", f"headers.{name}")
    return sealed


def header_context(webhook_id: str, name: str) -> str:
    """Return the context in which a header's value is sealed."""
    return f"{webhook_id}/{name.lower()}"


def _refuse_twin(session: Session, webhook: Webhook) -> None:
    """Raise Conflict if another webhook of the parser has the same URL and events."""
    with session.no_autoflush:
        others = [one for one in parser_webhooks(session, webhook.parser_id) if one.id != webhook.id]
    if any(one.url == webhook.url and one.events == webhook.events for one in others):
        raise Conflict("A webhook with this URL and these events exists already", "url")


def _move_pending(session: Session, webhook: Webhook) -> None:
    """Let pending deliveries wait while the webhook is paused, and send them when it is active again."""
    is_active = webhook.status == "active"
    waits = WebhookDelivery.next_attempt_at.is_(None)
    session.execute(
        update(WebhookDelivery)
        .where(
            WebhookDelivery.webhook_id == webhook.id,
            WebhookDelivery.status == "pending",
            WebhookDelivery.claimed_by.is_(None),
            waits if is_active else ~waits,
        )
        .values(next_attempt_at=clock.now() if is_active else None)
        .execution_options(synchronize_session=False)
    )
    if is_active:
        notify(session, DELIVERIES, [webhook.id])


def _facts(webhook: Webhook) -> dict[str, Any]:
    """Return what the audit log shows: of headers, only the names."""
    return {
        **{to_camel(name): getattr(webhook, name) for name in _AUDITED},
        "headers": sorted(webhook.headers),
    }
