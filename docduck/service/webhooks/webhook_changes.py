"""Creating and changing webhooks. Header values and secrets are stored sealed, and in no audit entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Webhook, WebhookDelivery
from docduck.catalog.notifications import DELIVERIES, notify
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.outbound.errors import UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.urls import check_url
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values
from docduck.service.core.sealing import seal, unseal
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.schemas.webhooks import WebhookProperties, WebhookUpdate, WebhookView
from docduck.service.webhooks.signing import new_secret, secret_key
from docduck.service.webhooks.webhooks import MASK, find_webhook, owner_id, view, webhooks_of
from docduck.settings import Settings

NOT_HTTPS = "Webhook URL must use HTTPS"
MAX_WEBHOOKS = 20
"""Of a parser, and of a team besides those of its parsers."""


def create_webhook(
    inst: Installation,
    team_id: str,
    parser_ref: str | None,
    new: Values,
    actor: str = "user",
    *,
    secret: str | None = None,
) -> tuple[WebhookView, str]:
    """Create a webhook, and return it with its secret, which is random unless given.

    Without ``parser_ref`` it is one of all parsers of the team, present and future.
    Raise NotFound for the parser, InputError, and Conflict for the URL and events of another webhook.
    """
    if (earlier := earlier_effect()) is not None:
        with inst.catalog.read_session() as session:
            webhook = find_webhook(session, team_id, parser_ref, earlier["webhook"])
            return view(webhook), present_secret(inst.settings, webhook)
    secret = secret or new_secret()
    secret_key(secret)
    check_webhook_url(inst.settings, new.get("url", ""))
    properties = dict(WebhookProperties.of_values(new))
    with inst.catalog.transaction() as session:
        parser_id = owner_id(session, team_id, parser_ref, lock=True)
        if len(webhooks_of(session, team_id, parser_id)) >= MAX_WEBHOOKS:
            owner = "team" if parser_id is None else "parser"
            raise InputError(f"A {owner} may have {MAX_WEBHOOKS} webhooks", code="limit_reached")
        webhook = Webhook(id=new_id(), team_id=team_id, parser_id=parser_id, headers={}, status="active")
        webhook.sealed_secret = seal(inst.settings, secret.encode(), webhook.id)
        _set(inst.settings, webhook, properties)
        _refuse_twin(session, webhook)
        session.add(webhook)
        session.flush()
        entry = (webhook.id, {"parser": parser_id, "before": None, "after": _facts(webhook)})
        audit.record(session, team_id, actor, "webhook.created", "webhook", [entry])
        record_effect(session, webhook=webhook.id)
        return view(webhook), secret


def update_webhook(
    inst: Installation,
    team_id: str,
    parser_ref: str | None,
    webhook_id: str,
    changes: Values,
    actor: str = "user",
) -> WebhookView:
    """Change a webhook. While it is paused, no events are written for it, and pending deliveries wait.

    Raise the errors of ``create_webhook``, and NotFound for the webhook.
    """
    if "url" in changes:
        check_webhook_url(inst.settings, changes["url"])
    properties = WebhookUpdate.of_values(changes).sent_values()
    with inst.catalog.transaction() as session:
        owner_id(session, team_id, parser_ref, lock=True)
        webhook = find_webhook(session, team_id, parser_ref, webhook_id, lock=True)
        before, headers = _facts(webhook), webhook.headers
        _set(inst.settings, webhook, properties)
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


def check_webhook_url(settings: Settings, url: str) -> str:
    """Return the URL; raise InputError if it is not HTTPS or leads to a private address."""
    if not settings.allow_insecure_webhooks and not url.lower().startswith("https://"):
        raise InputError(NOT_HTTPS, "url")
    try:
        check_url(url, OutboundPolicy.for_webhooks(settings))
    except UrlNotAllowed as error:
        raise UrlNotAllowed(url, "url") from error
    return url


def _set(settings: Settings, webhook: Webhook, properties: Values) -> None:
    """Store properties: all as they are, but for those that need care."""
    for name, value in properties.items():
        match name:
            case "headers":
                webhook.headers = _sealed_headers(settings, webhook, value)
            case "is_active":
                if value != (webhook.status == "active"):
                    webhook.status = "active" if value else "paused"
                    webhook.failing_since = None
            case _:
                setattr(webhook, name, value)


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


def present_secret(settings: Settings, webhook: Webhook) -> str:
    """Return the present secret; raise SealBroken."""
    return unseal(settings, webhook.sealed_secret, webhook.id).decode()


def header_context(webhook_id: str, name: str) -> str:
    """Return the context in which a header's value is sealed."""
    return f"{webhook_id}/{name.lower()}"


def _refuse_twin(session: Session, webhook: Webhook) -> None:
    """Raise Conflict if another webhook of its owner has the same URL and events."""
    with session.no_autoflush:
        others = webhooks_of(session, webhook.team_id, webhook.parser_id)
    others = [other for other in others if other.id != webhook.id]
    if any(other.url == webhook.url and other.events == webhook.events for other in others):
        raise Conflict(
            "A webhook with this URL and these events exists already", "url", code="webhook_exists"
        )


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
    facts = WebhookProperties.facts(webhook, "headers", "is_active")
    return facts | {"headers": sorted(webhook.headers), "status": webhook.status}
