"""A client's connection: limits on the size and time of request lines and headers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from docduck.api.response.responses import error_response
from docduck.errors import InputError, TooLarge, TooMany
from docduck.ids import new_id
from docduck.server.middleware.access_log import common_headers, log_request
from docduck.settings import Settings

MAX_CONNECTIONS = 1000
MAX_CLIENT_CONNECTIONS = 250
"""Trusted proxies may have more."""
HEADER_SECONDS = 10
"""How long a client may take to send a request's headers."""
MAX_HEADER_BYTES = 32 * 1024
"""Of the request line and headers together."""

_LINGER_SECONDS = 1.0
_RETRY_SECONDS = 5


_Refusal = tuple[int, str, str]
_MALFORMED: _Refusal = (400, InputError.code, "Malformed HTTP request")
_TOO_LARGE: _Refusal = (431, TooLarge.code, "Request headers too large")
_HOST_MISSING: _Refusal = (400, InputError.code, "A request needs one Host header")
_TOO_MANY: _Refusal = (503, TooMany.code, "Too many connections from this address")


class _Refused(Exception):
    """The request is not read further."""


class Connection(HttpToolsProtocol):
    """uvicorn's HTTP/1.1, with limits on the size and the time of request lines and headers.

    A request that exceeds them or is not HTTP is answered with an error (431, 400), as is one without a Host
    (RFC 9112, 3.2); a connection that is too slow, or one too many, is closed.
    """

    settings: Settings

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._counted = 0
        self._stalled = 0
        self._in_head = True
        self._error = _MALFORMED
        self._refused = False
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_head_timer()
        if len(self.connections) > MAX_CONNECTIONS:
            self.logger.warning("Closed a connection: there are more than %d", MAX_CONNECTIONS)
            transport.abort()
        elif self._is_beyond_client_limit():
            self._refuse(*_TOO_MANY, {"Retry-After": f"{_RETRY_SECONDS}"})

    def _is_beyond_client_limit(self) -> bool:
        """Return whether the client's address has too many connections; proxies have no limit."""
        if self.client is None:
            return False
        mine = self.client[0]
        proxies = self.settings.api_trusted_proxies or ()
        if any(ip_address(mine) in network for network in proxies):
            return False
        others = (getattr(connection, "client", None) for connection in self.connections)
        held = sum(1 for client in others if client is not None and client[0] == mine)
        return held > MAX_CLIENT_CONNECTIONS

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_head_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        was_in_head, before = self._in_head, self._counted
        if self._head_timer is None and (self.cycle is None or self.cycle.response_complete):
            self._start_head_timer()
        super().data_received(data)
        if was_in_head and self._in_head:
            # The parser reports a header only once it is complete.
            self._stalled = self._stalled + len(data) if self._counted == before else 0
            if self._counted + self._stalled > MAX_HEADER_BYTES:
                self._error = _TOO_LARGE
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
        self._stop_head_timer()
        hosts = sum(1 for name, _ in self.headers if name == b"host")
        if hosts > 1 or (hosts == 0 and self.parser.get_http_version() == "1.1"):
            self._error = _HOST_MISSING
            raise _Refused
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(*self._error)

    def _count(self, size: int) -> None:
        self._counted += size
        if self._counted > MAX_HEADER_BYTES:
            self._error = _TOO_LARGE
            raise _Refused

    def _refuse(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        self._stop_head_timer()
        request_id = new_id()
        more = {"Connection": "close", **common_headers(request_id), **(headers or {})}
        response = error_response(status, code, message, request_id, more)
        head = b"".join(b"%b: %b\r\n" % header for header in response.raw_headers)
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + bytes(response.body))
        log_request(request_id, status, len(response.body), client=self.client and self.client[0])
        # Closing while the client is still sending would discard the response.
        self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self._close)

    def _start_head_timer(self) -> None:
        self._head_timer = self.loop.call_later(HEADER_SECONDS, self._close)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _close(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()


def connection_class(settings: Settings) -> type[Connection]:
    """Return the class of connections with these settings."""
    return type("Connection", (Connection,), {"settings": settings})
