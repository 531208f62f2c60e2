"""The signing secrets of webhooks: showing and rotating them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import select, update

from docduck import clock
from docduck.catalog.models import Webhook
from docduck.errors import Conflict
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.sealing import SealBroken, seal, unseal
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.webhooks.signing import new_secret, secret_key
from docduck.service.webhooks.webhook_changes import header_context, present_secret
from docduck.service.webhooks.webhooks import find_webhook
from docduck.settings import Settings

OVERLAP = dt.timedelta(hours=24)
"""How long a previous secret signs beside the new ones."""

MOST_PREVIOUS = 10
"""Most previous secrets that sign: each adds a signature to the headers."""


def get_secret(inst: Installation, team_id: str, parser_ref: str | None, webhook_id: str) -> str:
    """Return a webhook's secret; raise NotFound, SealBroken."""
    with inst.catalog.read_session() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        return present_secret(inst.settings, webhook)


def get_own_headers(
    inst: Installation, team_id: str, parser_ref: str | None, webhook_id: str
) -> Mapping[str, str]:
    """Return a webhook's headers with their values; raise NotFound, SealBroken."""
    with inst.catalog.read_session() as session:
        return own_headers(inst.settings, find_webhook(session, team_id, parser_ref, webhook_id))


def rotate_secret(
    inst: Installation,
    team_id: str,
    parser_ref: str | None,
    webhook_id: str,
    actor: str = "user",
    *,
    secret: str | None = None,
) -> tuple[str, dt.datetime]:
    """Give a webhook a new secret, random unless given; return it, and when the previous one expires.

    Until then deliveries are signed with both, and with older ones until theirs expire. Raise NotFound,
    InputError, and Conflict for too many that have not expired.
    """
    if (earlier := earlier_effect()) is not None:
        present = get_secret(inst, team_id, parser_ref, webhook_id)
        return present, dt.datetime.fromisoformat(earlier["previousSecretExpiresAt"])
    secret = secret or new_secret()
    secret_key(secret)
    expires_at = clock.now() + OVERLAP
    with inst.catalog.transaction() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id, lock=True)
        unexpired = _unexpired(webhook, clock.now())
        if len(unexpired) >= MOST_PREVIOUS:
            raise Conflict(
                f"{MOST_PREVIOUS} previous secrets of the webhook still sign; rotate it again when the "
                f"oldest expires, at {unexpired[-1]['expiresAt']}",
                code="limit_reached",
            )
        previous = {"sealed": webhook.sealed_secret, "expiresAt": clock.iso(expires_at)}
        webhook.previous_secrets = [previous, *unexpired]
        webhook.sealed_secret = seal(inst.settings, secret.encode(), webhook.id)
        details = {"previousSecretExpiresAt": clock.iso(expires_at)}
        audit.record(session, team_id, actor, "webhook.secret_rotated", "webhook", [(webhook.id, details)])
        record_effect(session, **details)
    return secret, expires_at


def signing_keys(settings: Settings, webhook: Webhook, at: dt.datetime) -> list[bytes]:
    """Return the keys that sign at a moment, the newest first; raise SealBroken.

    Previous secrets of another secret key, which can't be decrypted any more, do not sign.
    """
    secrets = [present_secret(settings, webhook)]
    for previous in _unexpired(webhook, at):
        with suppress(SealBroken):
            secrets.append(unseal(settings, previous["sealed"], webhook.id).decode())
    return [secret_key(secret) for secret in secrets]


def delete_expired_secrets(inst: Installation) -> None:
    """Delete the previous secrets of webhooks that don't sign any more."""
    moment = clock.now()
    with inst.catalog.transaction() as session:
        mine = select(Webhook).where(Webhook.previous_secrets.is_not(None)).with_for_update()
        for webhook in session.scalars(mine):
            unexpired = _unexpired(webhook, moment)
            if len(unexpired) < len(webhook.previous_secrets or ()):
                session.execute(
                    update(Webhook)
                    .where(Webhook.id == webhook.id)
                    .values(previous_secrets=unexpired or None, updated_at=Webhook.updated_at)
                    .execution_options(synchronize_session=False)
                )


def _unexpired(webhook: Webhook, at: dt.datetime) -> list[dict[str, Any]]:
    """Return the previous secrets that sign at a moment, the newest first."""
    previous = webhook.previous_secrets or ()
    return [secret for secret in previous if at < dt.datetime.fromisoformat(secret["expiresAt"])]


def own_headers(settings: Settings, webhook: Webhook) -> Mapping[str, str]:
    """Return the webhook's headers with their values; raise SealBroken."""
    return {
        name: unseal(settings, sealed, header_context(webhook.id, name)).decode()
        for name, sealed in webhook.headers.items()
    }
