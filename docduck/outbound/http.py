"""HTTP requests to endpoints that the operator configured.

The operator is trusted, so private and loopback addresses are allowed. Responses are not trusted: time and
size are limited, redirects are not followed, and proxies and credentials of the environment are ignored.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import httpx

from docduck import clock
from docduck.errors import Transient

_CONNECT_SECONDS = 10.0
_MOST_BYTES = 32 * 1024 * 1024


class ResponseTimeout(Transient):
    """A server did not answer in the time that it was given."""


class ConnectionFailed(Transient):
    """A server can't be reached, or broke the connection off."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response: its status, and its body after decompression."""

    status: int
    body: bytes
    retry_after: float | None = None

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


class TrustedEndpoint:
    """A connection pool to one endpoint; thread-safe. Use as a context manager."""

    def __init__(self, base_url: str, headers: Mapping[str, str], *, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._client = httpx.Client(
            base_url=base_url.rstrip("/") + "/",
            headers={"User-Agent": "docduck", **headers},
            follow_redirects=False,
            trust_env=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def post(self, path: str, body: Any, seconds: float, *, content: bytes | None = None) -> HttpResponse:
        """Post ``body`` as JSON, or ``content`` as it is, and return the response, whatever its status.

        Raise ConnectionFailed if the endpoint can't be reached or breaks off, ResponseTimeout if it takes
        more than ``seconds`` in all, Transient if it sends too much; the message contains no headers or
        bodies.
        """
        return self._send("POST", path, seconds, json=body if content is None else None, content=content)

    def get(self, path: str, seconds: float) -> HttpResponse:
        """Get ``path`` and return the response, whatever its status; raise Transient as ``post`` does."""
        return self._send("GET", path, seconds)

    def _send(self, method: str, path: str, seconds: float, **body: Any) -> HttpResponse:
        deadline = time.monotonic() + seconds
        timeout = httpx.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
        try:
            with self._client.stream(method, path, timeout=timeout, **body) as response:
                return HttpResponse(
                    response.status_code,
                    self._read(response, deadline),
                    retry_after(response.headers.get("retry-after")),
                )
        except httpx.TimeoutException as error:
            raise ResponseTimeout(f"no answer within {seconds:.0f} s") from error
        except httpx.HTTPError as error:
            raise ConnectionFailed(f"the connection failed: {type(error).__name__}") from error

    def _read(self, response: httpx.Response, deadline: float) -> bytes:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > self._most_bytes:
                raise Transient(f"its answer is longer than {self._most_bytes} bytes")
            if time.monotonic() > deadline:
                raise ResponseTimeout("its answer takes too long")
        return bytes(body)


def retry_after(header: str | None, date: str | None = None) -> float | None:
    """Return the seconds in a Retry-After header (RFC 9110, 10.2.3); None if it is missing or invalid.

    A moment counts from the server's own clock if the response has a ``date``.
    """
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    moment = _moment(header)
    return None if moment is None else max(0.0, (moment - (_moment(date) or clock.now())).total_seconds())


def _moment(header: str | None) -> dt.datetime | None:
    try:
        moment = email.utils.parsedate_to_datetime(header or "")
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or dt.UTC)
