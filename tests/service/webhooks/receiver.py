"""A receiver of webhooks on loopback, and what the tests of webhooks share."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from standardwebhooks import Webhook as Verifier

from docduck import clock
from docduck.catalog.models import Webhook, WebhookDelivery
from docduck.service.core.installation import Installation
from docduck.service.webhooks.delivery import deliver_due
from docduck.service.webhooks.webhook_changes import create_webhook
from tests.waiting import wait_for

INSECURE: Mapping[str, Any] = {"allow_insecure_webhooks": True, "webhook_poll_seconds": 0.05}
"""Settings of installations that deliver to loopback."""


@dataclass(frozen=True, slots=True)
class Received:
    """A request: its path, headers in lower case, body, and when it arrived."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def payload(self) -> Any:
        return json.loads(self.body)

    @property
    def event(self) -> str:
        return str(self.payload["metadata"]["event"])

    def verify(self, secret: str) -> Any:
        """Verify the signature with the published library; return the payload."""
        return Verifier(secret).verify(self.body, dict(self.headers))


Answer = tuple[int, Mapping[str, str]]


@dataclass
class Receiver:
    """What arrived; ``answer`` decides the response, 204 by default."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    answer: Callable[[Received], Answer] = lambda _: (204, {})

    def url(self, path: str = "/hook") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def at(self, path: str) -> list[Received]:
        return [one for one in self.received if one.path == path]

    @property
    def events(self) -> list[str]:
        return [one.event for one in self.received]

    def wait(self, count: int, seconds: float = 20) -> None:
        """Wait until ``count`` requests have arrived."""
        wait_for(
            lambda: len(self.received) >= count, seconds, lambda: f"{len(self.received)} of {count} arrived"
        )


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            body = self.rfile.read(length)
            if len(body) < length:
                # Its sender was killed.
                self.close_connection = True
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            one = Received(self.path, headers, body, time.time())
            receiver.received.append(one)
            status, more = receiver.answer(one)
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def handle(self) -> None:
            # Its sender may be killed at any moment.
            with suppress(ConnectionError):
                super().handle()

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()


def expire_secrets(session: Session, keep: int = 0) -> None:
    """Let the previous secrets expire now, except the ``keep`` newest of each webhook."""
    for webhook in session.scalars(select(Webhook)):
        previous = webhook.previous_secrets or []
        gone = [{**one, "expiresAt": clock.iso(clock.now())} for one in previous[keep:]]
        webhook.previous_secrets = [*previous[:keep], *gone]


def subscribe(
    inst: Installation, parser_id: str, url: str, events: list[str] | None = None, **more: Any
) -> tuple[str, str]:
    """Create a webhook for all events, or for these; gives its id and secret."""
    new: Any = {"url": url, "events": events or ["*"], **more}
    webhook, secret = create_webhook(inst, inst.team_id, parser_id, new)
    return webhook.id, secret


def deliver(inst: Installation) -> int:
    """Send what is due; gives the number of attempts."""
    return deliver_due(inst, 60)


def deliveries(inst: Installation) -> list[WebhookDelivery]:
    """All deliveries, oldest first."""
    with inst.catalog.read_session() as session:
        found = list(session.scalars(select(WebhookDelivery).order_by(WebhookDelivery.id)))
        session.expunge_all()
        return found


def make_due(inst: Installation) -> None:
    """Let all waiting deliveries be due now."""
    waiting = (WebhookDelivery.status == "pending", WebhookDelivery.next_attempt_at.is_not(None))
    with inst.catalog.transaction() as session:
        session.execute(update(WebhookDelivery).where(*waiting).values(next_attempt_at=clock.now()))


def attempts_of(delivery: WebhookDelivery) -> list[tuple[int | None, str | None]]:
    """The status and error of each attempt."""
    return [(one["statusCode"], one["error"]) for one in delivery.attempts]
