"""``client.webhooks``: webhooks of a parser, and their deliveries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docduck.client.transport.encoding import UNSET, Unset, path, present, set_values
from docduck.client.transport.endpoint import M, Resource, endpoint, listing
from docduck.client.transport.steps import Steps
from docduck.client.types import CreatedWebhook, Delivery, Done, Page, RotatedSecret, Trial, Webhook


class Webhooks(Resource[M]):
    """Webhooks of a parser."""

    @endpoint
    def list(self, parser_id: str) -> Steps[Sequence[Webhook]]:
        """Return the parser's webhooks, the oldest first."""
        found = yield from self.call("GET", path("parsers", parser_id, "webhooks"))
        return found["data"]  # type: ignore[no-any-return]

    @endpoint
    def get(self, parser_id: str, webhook_id: str) -> Steps[Webhook]:
        """Return a webhook."""
        return self.call("GET", path("parsers", parser_id, "webhooks", webhook_id))

    @endpoint
    def create(
        self,
        parser_id: str,
        url: str,
        *,
        events: Sequence[str] | Unset = UNSET,
        name: str | Unset = UNSET,
        description: str | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        value_format: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Steps[CreatedWebhook]:
        """Create a webhook, by default for ``document.exported``; the result has its secret."""
        body = set_values(
            url=url,
            events=events,
            name=name,
            description=description,
            headers=headers,
            is_active=is_active,
            value_format=value_format,
        )
        return self.call(
            "POST", path("parsers", parser_id, "webhooks"), body=body, idempotency_key=idempotency_key
        )

    @endpoint
    def update(
        self,
        parser_id: str,
        webhook_id: str,
        *,
        url: str | Unset = UNSET,
        events: Sequence[str] | Unset = UNSET,
        name: str | Unset = UNSET,
        description: str | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        value_format: str | Unset = UNSET,
    ) -> Steps[Webhook]:
        """Change the properties that are set; ``headers`` replaces all headers."""
        body = set_values(
            url=url,
            events=events,
            name=name,
            description=description,
            headers=headers,
            is_active=is_active,
            value_format=value_format,
        )
        return self.call("PATCH", path("parsers", parser_id, "webhooks", webhook_id), body=body)

    @endpoint
    def delete(self, parser_id: str, webhook_id: str) -> Steps[Done]:
        """Delete a webhook and its deliveries."""
        return self.call("DELETE", path("parsers", parser_id, "webhooks", webhook_id))

    @endpoint
    def secret(self, parser_id: str, webhook_id: str) -> Steps[str]:
        """Return the secret that signs the webhook's deliveries."""
        found = yield from self.call("GET", path("parsers", parser_id, "webhooks", webhook_id, "secret"))
        return found["secret"]  # type: ignore[no-any-return]

    @endpoint
    def rotate_secret(
        self, parser_id: str, webhook_id: str, *, idempotency_key: str | None = None
    ) -> Steps[RotatedSecret]:
        """Make a new secret; for 24 hours, the previous one signs as well."""
        place = path("parsers", parser_id, "webhooks", webhook_id, "secret", "rotate")
        return self.call("POST", place, idempotency_key=idempotency_key)

    @endpoint
    def test(
        self,
        parser_id: str,
        webhook_id: str,
        *,
        event: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Steps[Trial]:
        """Send an event of a document that doesn't exist, by default ``webhook.test``."""
        return self.call(
            "POST",
            path("parsers", parser_id, "webhooks", webhook_id, "test"),
            body=set_values(event=event),
            idempotency_key=idempotency_key,
        )

    @endpoint
    def deliveries_page(
        self,
        parser_id: str,
        webhook_id: str,
        *,
        status: str | None = None,
        page: int = 1,
        limit: int = 50,
    ) -> Steps[Page[Delivery]]:
        """Return a page of a webhook's deliveries, the newest first."""
        params = present(status=status, page=page, limit=limit)
        return self.call(
            "GET", path("parsers", parser_id, "webhooks", webhook_id, "deliveries"), params=params
        )

    deliveries = listing(deliveries_page)

    @endpoint
    def retry(
        self, parser_id: str, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None
    ) -> Steps[None]:
        """Send a delivery again now, whatever its status."""
        place = path("parsers", parser_id, "webhooks", webhook_id, "deliveries", delivery_id, "retry")
        yield from self.call("POST", place, idempotency_key=idempotency_key)

    @endpoint
    def resend_export(
        self, parser_id: str, document_id: str, *, idempotency_key: str | None = None
    ) -> Steps[None]:
        """Send ``document.exported`` of a document to the webhooks once more."""
        place = path("parsers", parser_id, "documents", document_id, "export")
        yield from self.call("POST", place, idempotency_key=idempotency_key)
