"""What a delivery sends: body, headers and signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import __version__, clock
from docduck.catalog.models import Webhook, WebhookSnapshot
from docduck.service.core.installation import Installation
from docduck.service.core.sealing import SealBroken
from docduck.service.webhooks.delivery_queue import ClaimedDelivery
from docduck.service.webhooks.payload import snapshot_payload
from docduck.service.webhooks.secrets import own_headers, signing_keys
from docduck.service.webhooks.signing import signed_headers
from docduck.settings import Settings

UNREADABLE = "the webhook's secrets can't be decrypted"

_FIXED_HEADERS = {"Content-Type": "application/json", "User-Agent": f"docduck-webhooks/{__version__}"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where messages go: the webhook's own headers, and the keys that sign."""

    url: str
    own_headers: Mapping[str, str]
    keys: Sequence[bytes]

    @classmethod
    def of(cls, settings: Settings, webhook: Webhook) -> Endpoint:
        """Return the endpoint of a webhook; raise SealBroken."""
        keys = signing_keys(settings, webhook, clock.now())
        return cls(webhook.url, own_headers(settings, webhook), keys)

    def headers(self, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
        """Return the headers of a message that is sent at ``timestamp`` (seconds since 1970)."""
        signed = signed_headers(message_id, timestamp, body, self.keys)
        return {**self.own_headers, **_FIXED_HEADERS, **signed}


@dataclass(frozen=True, slots=True)
class Message:
    """A delivery that is ready to be sent."""

    delivery: ClaimedDelivery
    endpoint: Endpoint
    body: bytes

    @property
    def url(self) -> str:
        return self.endpoint.url

    def headers(self, timestamp: int) -> dict[str, str]:
        """Return the headers; the message's id is the same in each attempt."""
        return self.endpoint.headers(f"msg_{self.delivery.id}", timestamp, self.body)


@dataclass(frozen=True, slots=True)
class Unsendable:
    """A delivery that can't be sent, and why."""

    delivery: ClaimedDelivery
    reason: str


def load_messages(inst: Installation, deliveries: Sequence[ClaimedDelivery]) -> list[Message | Unsendable]:
    """Return the messages of deliveries, without those whose webhook was deleted meanwhile."""
    ids = {delivery.webhook_id for delivery in deliveries}
    with inst.catalog.read_session() as session:
        webhooks = session.scalars(select(Webhook).where(Webhook.id.in_(ids))).all()
        known = {row.id: (row.value_format, _endpoint(inst.settings, row)) for row in webhooks}
        return [
            _message(session, inst.settings, delivery, *known[delivery.webhook_id])
            for delivery in deliveries
            if delivery.webhook_id in known
        ]


def _endpoint(settings: Settings, webhook: Webhook) -> Endpoint | None:
    try:
        return Endpoint.of(settings, webhook)
    except SealBroken:
        return None


def _message(
    session: Session, settings: Settings, delivery: ClaimedDelivery, value_format: str, to: Endpoint | None
) -> Message | Unsendable:
    if to is None:
        return Unsendable(delivery, UNREADABLE)
    snapshot = session.get_one(WebhookSnapshot, delivery.snapshot_id)
    body = snapshot_payload(snapshot, delivery.event, value_format, settings.base_url)
    session.expunge(snapshot)
    return Message(delivery, to, body)
