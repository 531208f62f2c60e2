"""The webhooks of a server."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter
from pydantic.alias_generators import to_snake

from docduck.client import Client
from docduck.client.types import Delivery, Webhook
from docduck.service.core.schema import Values
from docduck.service.schemas.webhooks import WebhookView
from docduck.service.webhooks.delivery_log import DeliveryPage, DeliveryView
from docduck.service.webhooks.trial import TrialResult


class RemoteWebhooks:
    """A WebhookBackend over a client; ``parser_id`` returns the id of a parser given by slug, name or id."""

    def __init__(self, client: Client, parser_id: Callable[[str], str]) -> None:
        self._client = client
        self._parser_id = parser_id

    def all(self, parser: str) -> Sequence[WebhookView]:
        return [_view(one) for one in self._client.webhooks.list(self._parser_id(parser))]

    def get(self, parser: str, webhook_id: str) -> WebhookView:
        return _view(self._client.webhooks.get(self._parser_id(parser), webhook_id))

    def create(self, parser: str, new: Values) -> tuple[WebhookView, str]:
        made = self._client.webhooks.create(self._parser_id(parser), **new)
        return _view(made), made["secret"]

    def update(self, parser: str, webhook_id: str, changes: Values) -> WebhookView:
        return _view(self._client.webhooks.update(self._parser_id(parser), webhook_id, **changes))

    def delete(self, parser: str, webhook_id: str) -> str:
        return self._client.webhooks.delete(self._parser_id(parser), webhook_id)["id"]

    def secret(self, parser: str, webhook_id: str) -> str:
        return self._client.webhooks.secret(self._parser_id(parser), webhook_id)

    def rotate(self, parser: str, webhook_id: str) -> tuple[str, dt.datetime]:
        made = self._client.webhooks.rotate_secret(self._parser_id(parser), webhook_id)
        return made["secret"], dt.datetime.fromisoformat(made["previousSecretExpiresAt"])

    def test(self, parser: str, webhook_id: str, event: str) -> TrialResult:
        found = self._client.webhooks.test(self._parser_id(parser), webhook_id, event=event)
        return TypeAdapter(TrialResult).validate_python(_snake_case(found))

    def deliveries(
        self, parser: str, webhook_id: str, status: str | None, page: int, limit: int
    ) -> DeliveryPage:
        found = self._client.webhooks.deliveries_page(
            self._parser_id(parser), webhook_id, status=status, page=page, limit=limit
        )
        rows = [_delivery(one) for one in found["data"]]
        return DeliveryPage(rows, page, limit, found["pagination"]["total"])

    def retry(self, parser: str, webhook_id: str, delivery_id: str) -> None:
        self._client.webhooks.retry(self._parser_id(parser), webhook_id, delivery_id)

    def resend(self, parser: str, document_id: str) -> None:
        self._client.webhooks.resend_export(self._parser_id(parser), document_id)


def _view(shown: Webhook) -> WebhookView:
    return WebhookView.model_validate(shown)


def _delivery(shown: Delivery) -> DeliveryView:
    attempts = [_snake_case(one) for one in shown["attempts"]]
    return TypeAdapter(DeliveryView).validate_python(_snake_case(shown) | {"attempts": attempts})


def _snake_case(value: Mapping[str, Any]) -> dict[str, Any]:
    return {to_snake(key): item for key, item in value.items()}
