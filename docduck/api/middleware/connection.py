"""A client's connection: what it may send before its request is even looked at, and for how long."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from docduck.api.middleware.access_log import log_request, marks
from docduck.api.response.responses import error_response
from docduck.ids import new_id
from docduck.settings import Settings

_LINGER_SECONDS = 1.0
_RETRY_SECONDS = 5


class _TooLarge(Exception):
    """The request line and headers are larger than the limit."""


class Connection(HttpToolsProtocol):
    """uvicorn's HTTP/1.1, with limits on the size and the time of request lines and headers.

    A request that breaks them, or is no HTTP, is told so in the contract's shape (431, 400); a client
    that is too slow, or one too many, is hung up on.
    """

    settings: Settings

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._counted = 0
        self._stalled = 0
        self._in_head = True
        self._too_large = False
        self._refused = False
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()
        if len(self.connections) > self.settings.api_max_connections:
            self.logger.warning("Hung up: more than %d connections", self.settings.api_max_connections)
            transport.abort()
        elif self._is_one_too_many():
            self._answer(503, "Too many connections from this address", {"Retry-After": f"{_RETRY_SECONDS}"})

    def _is_one_too_many(self) -> bool:
        """Whether the client's address has more connections than its share; proxies have many clients."""
        if self.client is None:
            return False
        mine = self.client[0]
        proxies = self.settings.api_trusted_proxies or ()
        if any(ip_address(mine) in network for network in proxies):
            return False
        others = (getattr(one, "client", None) for one in self.connections)
        held = sum(1 for client in others if client is not None and client[0] == mine)
        return held > self.settings.api_max_connections_per_client

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        was_in_head, before = self._in_head, self._counted
        if self._head_timer is None and (self.cycle is None or self.cycle.response_complete):
            self._await_head()
        super().data_received(data)
        if was_in_head and self._in_head:
            # The parser keeps a header to itself until it is whole.
            self._stalled = self._stalled + len(data) if self._counted == before else 0
            if self._counted + self._stalled > self.settings.max_header_bytes and not self._too_large:
                self._too_large = True
                self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._counted, self._stalled = True, 0, 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value) + len(": \r\n"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._head_is_here()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        if self._too_large:
            self._answer(431, "Request headers too large")
        else:
            self._answer(400, "Malformed HTTP request")

    def _count(self, size: int) -> None:
        self._counted += size
        if self._counted > self.settings.max_header_bytes:
            self._too_large = True
            raise _TooLarge

    def _answer(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        self._head_is_here()
        request_id = new_id()
        more = {"Connection": "close", **marks(request_id), **(headers or {})}
        answer = error_response(status, message, request_id, more)
        head = b"".join(b"%b: %b\r\n" % header for header in answer.raw_headers)
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + bytes(answer.body))
        log_request(request_id, status, len(answer.body), client=self.client and self.client[0])
        # To close while the client is still sending would take the answer away from it.
        self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self._hang_up)

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.settings.api_header_seconds, self._hang_up)

    def _head_is_here(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _hang_up(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()


def connection_class(settings: Settings) -> type[Connection]:
    """The connections of a server with these settings."""
    return type("Connection", (Connection,), {"settings": settings})
