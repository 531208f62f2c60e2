"""Sending spans to the operator's collector, by OTLP over HTTP, without keeping anybody waiting."""

from __future__ import annotations

import atexit
import datetime as dt
import logging
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docduck.errors import Transient

if TYPE_CHECKING:
    from docduck.outbound.http import TrustedEndpoint

MOST_SPANS = 8192
"""Spans that wait to be sent; more are dropped."""

BATCH_SPANS = 512
SEND_SECONDS = 1.0
"""How often spans are sent."""

AWAY_SECONDS = 5.0
"""How long to wait for a collector that is away."""

END_SECONDS = 2.0
"""How long a process that ends may wait for its last spans to be sent."""

_REQUEST_SECONDS = 10.0
_TRY_AGAIN = frozenset({429, 502, 503, 504})
_log = logging.getLogger(__name__)

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class DocumentSpan:
    """A step of a document's way; ``error`` is the kind of an error.

    The ``is_root`` span is the parent of all others. ``traceparent`` is the header of the
    request that the document came with.
    """

    name: str
    document_id: str
    began: dt.datetime
    ended: dt.datetime
    attributes: Mapping[str, Scalar]
    error: str | None = None
    is_root: bool = False
    traceparent: str | None = None


class TraceCollector:
    """A collector, to which a thread sends spans; what sends them is imported there, with the first span."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = url
        self._headers = {**headers, "Content-Type": "application/x-protobuf"}
        self._spans: deque[DocumentSpan] = deque()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._trouble: str | None = None
        self.dropped = 0

    def add(self, span: DocumentSpan) -> None:
        """Send a span soon, or drop it if too many wait."""
        with self._lock:
            if len(self._spans) >= MOST_SPANS:
                self.dropped += 1
                return
            self._spans.append(span)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="traces", daemon=True)
                self._thread.start()
                atexit.register(self.close)

    def close(self) -> None:
        """Send the spans that wait; drop those that can't be sent within ``END_SECONDS``."""
        atexit.unregister(self.close)
        self._ended.set()
        if self._thread is not None:
            self._thread.join(END_SECONDS)
        if lost := self.dropped + len(self._spans):
            _log.warning("traces: %d spans were dropped", lost)

    def _run(self) -> None:
        from docduck.outbound.http import TrustedEndpoint

        with TrustedEndpoint(self._url, self._headers) as endpoint:
            pause = SEND_SECONDS
            while not self._ended.wait(pause):
                pause = SEND_SECONDS if self._send(endpoint) else AWAY_SECONDS
            self._send(endpoint)

    def _send(self, endpoint: TrustedEndpoint) -> bool:
        """Send the spans that wait; return False if the collector can't take them now."""
        from docduck.outbound.spans import encoded

        while self._spans:
            batch = [self._spans.popleft() for _ in range(min(BATCH_SPANS, len(self._spans)))]
            seconds = END_SECONDS if self._ended.is_set() else _REQUEST_SECONDS
            try:
                status = endpoint.post("v1/traces", None, seconds, content=encoded(batch)).status
            except Transient as error:
                status, problem = 503, error.message
            else:
                problem = f"the collector answered {status}"
            if status in _TRY_AGAIN:
                self._spans.extendleft(reversed(batch))
                self._warn(f"{problem}; up to {MOST_SPANS} spans wait for it")
                return False
            if not 200 <= status < 300:
                self.dropped += len(batch)
                self._warn(f"{problem}; it gets no more of these spans")
            elif self._trouble is not None:
                _log.info("traces: spans are sent again; %d were dropped", self.dropped)
                self._trouble, self.dropped = None, 0
        return True

    def _warn(self, problem: str) -> None:
        """Log a problem, once until spans can be sent again."""
        if self._trouble is None:
            self._trouble = problem
            _log.warning("traces: can't send spans to %s: %s", self._url, problem)
