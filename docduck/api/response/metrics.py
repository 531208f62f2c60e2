"""Prometheus metrics of the service, without labels for keys or documents, and for teams by id alone."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST as CONTENT_TYPE
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docduck import __version__
from docduck.service.upkeep.health import Deliveries, Queue

__all__ = ["CONTENT_TYPE", "Backlog", "CountedRequests", "Metrics"]

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_API_UPLOADS = "/api/v1/process/"
_OTHER_UPLOADS = re.compile(r"/uploads?/|/(parsers|classifiers)/[^/]+/upload$")
"""Upload pages and links, and the uploads of users who are signed in."""
_NO_ROUTE = "none"


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits, as the catalog tells it."""

    queues: Mapping[str, Queue]
    deliveries: Deliveries
    tables_behind_seconds: float


class Metrics:
    """The metrics of an application, in a registry of their own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()

        def gauge(name: str, about: str, *labels: str) -> Gauge:
            return Gauge(f"docduck_{name}", about, labels, registry=registry)

        def counter(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"docduck_{name}", about, labels, registry=registry)

        by_route = ("route", "method")
        self.requests = counter("requests", "Requests answered", *by_route, "status")
        self.seconds = Histogram(
            "docduck_request_seconds",
            "Time from a request's headers to the end of its response",
            by_route,
            buckets=_SECONDS,
            registry=registry,
        )
        self.in_flight = gauge("requests_in_flight", "Requests in progress")
        self.upload_bytes = counter("upload_bytes", "Bytes received in bodies of uploads")
        self.rate_limited = counter("rate_limited", "Requests refused by the rate limit")
        self.catalog_up = gauge("catalog_up", "Whether the catalog responds")
        self.free_bytes = gauge("home_free_bytes", "Bytes free on the disk of the home folder")
        self.queued = gauge("queued_documents", "Documents waiting to be read")
        self.oldest = gauge(
            "oldest_queued_seconds", "How long the oldest waiting document of a team has waited", "team"
        )
        self.work = gauge(
            "queued_seconds",
            "Seconds of a worker that a team's waiting documents take, by how long others took",
            "team",
        )
        self.behind = gauge("tables_behind_seconds", "Age of the oldest change that is not in the tables yet")
        self.pending = gauge("pending_deliveries", "Deliveries to webhooks that wait or are tried again")
        self.oldest_pending = gauge(
            "oldest_pending_delivery_seconds", "Age of the oldest pending delivery to a webhook"
        )
        self.failed = gauge(
            "failed_deliveries", "Deliveries to webhooks that failed for good and are still in the log"
        )
        self.disabled = gauge("disabled_webhooks", "Webhooks disabled as they failed")
        Info("docduck_build", "This docduck", registry=registry).info({"version": __version__})

    def text(self, backlog: Backlog | None) -> bytes:
        """Return all metrics, with the current backlog; ``None`` if the catalog is not available."""
        self.catalog_up.set(backlog is not None)
        for by_team in (self.oldest, self.work):
            by_team.clear()
        gauges = (self.queued, self.behind, self.pending, self.oldest_pending, self.failed, self.disabled)
        values = (float("nan"),) * len(gauges)
        if backlog is not None:
            sent = backlog.deliveries
            for team_id, queue in backlog.queues.items():
                self.oldest.labels(team_id).set(queue.oldest_seconds)
                self.work.labels(team_id).set(queue.seconds)
            values = (
                sum(queue.documents for queue in backlog.queues.values()),
                backlog.tables_behind_seconds,
                sent.pending,
                sent.oldest_seconds,
                sent.failed,
                sent.disabled,
            )
        for gauge, value in zip(gauges, values, strict=True):
            gauge.set(value)
        return generate_latest(self.registry)


class CountedRequests:
    """Middleware that counts every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        metrics, status = self._metrics, 500
        begin = time.perf_counter()
        state = scope.setdefault("state", {})

        async def receive_counted() -> Message:
            message = await receive()
            path = scope["path"]
            is_upload = (_API_UPLOADS in path and "caller" in state) or _OTHER_UPLOADS.match(path)
            if message["type"] == "http.request" and is_upload:
                metrics.upload_bytes.inc(len(message.get("body", b"")))
            return message

        async def send_counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        metrics.in_flight.inc()
        try:
            await self._app(scope, receive_counted, send_counted)
        finally:
            metrics.in_flight.dec()
            route = getattr(scope.get("route"), "path", _NO_ROUTE)
            method = scope["method"] if scope["method"] in _METHODS else "OTHER"
            metrics.requests.labels(route, method, str(status)).inc()
            metrics.seconds.labels(route, method).observe(time.perf_counter() - begin)
            if state.get("rate_limited"):
                metrics.rate_limited.inc()
