"""The webhooks of this machine's installation."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Sequence

from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values
from docduck.service.parsers.parsers import get_parser
from docduck.service.schemas.webhooks import WebhookView
from docduck.service.webhooks.delivery_log import DeliveryPage, list_deliveries, retry_delivery
from docduck.service.webhooks.resending import resend_export
from docduck.service.webhooks.secrets import get_secret, rotate_secret
from docduck.service.webhooks.trial import TrialResult, send_trial, trial_message
from docduck.service.webhooks.webhook_changes import create_webhook, update_webhook
from docduck.service.webhooks.webhooks import delete_webhook, get_webhook, list_webhooks

_ACTOR = "cli"


class LocalWebhooks:
    """A WebhookBackend over an open installation."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._team = inst.team_id

    def all(self, parser: str) -> Sequence[WebhookView]:
        return list_webhooks(self._inst, self._team, parser)

    def get(self, parser: str, webhook_id: str) -> WebhookView:
        return get_webhook(self._inst, self._team, parser, webhook_id)

    def create(self, parser: str, new: Values) -> tuple[WebhookView, str]:
        return create_webhook(self._inst, self._team, parser, new, _ACTOR)

    def update(self, parser: str, webhook_id: str, changes: Values) -> WebhookView:
        return update_webhook(self._inst, self._team, parser, webhook_id, changes, _ACTOR)

    def delete(self, parser: str, webhook_id: str) -> str:
        return delete_webhook(self._inst, self._team, parser, webhook_id, _ACTOR)

    def secret(self, parser: str, webhook_id: str) -> str:
        return get_secret(self._inst, self._team, parser, webhook_id)

    def rotate(self, parser: str, webhook_id: str) -> tuple[str, dt.datetime]:
        return rotate_secret(self._inst, self._team, parser, webhook_id, _ACTOR)

    def test(self, parser: str, webhook_id: str, event: str) -> TrialResult:
        message = trial_message(self._inst, self._team, parser, webhook_id, event)
        return asyncio.run(send_trial(message))

    def deliveries(
        self, parser: str, webhook_id: str, status: str | None, page: int, limit: int
    ) -> DeliveryPage:
        return list_deliveries(self._inst, self._team, parser, webhook_id, status, page, limit)

    def retry(self, parser: str, webhook_id: str, delivery_id: str) -> None:
        retry_delivery(self._inst, self._team, parser, webhook_id, delivery_id, _ACTOR)

    def resend(self, parser: str, document_id: str) -> None:
        parser_id = get_parser(self._inst, self._team, parser).id
        resend_export(self._inst, self._team, parser_id, document_id, _ACTOR)
