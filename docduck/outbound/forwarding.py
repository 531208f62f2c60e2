"""Passing requests on to an endpoint that the operator configured, without holding their responses in memory.

A request is sent without its cookies, credentials and origin: the endpoint, which has no sign-in, is not to
learn them. The response comes back without its cookies, which would be set for this host.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import httpx

from docduck.errors import Transient

_SENT = (
    "accept",
    "accept-encoding",
    "accept-language",
    "content-type",
    "if-modified-since",
    "if-none-match",
    "range",
)
_KEPT_BACK = {
    *("connection", "keep-alive", "proxy-authenticate", "te", "trailer", "transfer-encoding", "upgrade"),
    *("date", "server", "set-cookie"),
}


@dataclass(frozen=True, slots=True)
class ForwardedResponse:
    """A response whose body is yet to be read; ``chunks`` closes the connection at its end."""

    status: int
    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]


class Forwarder:
    """A pool of at most ``connections`` to the endpoint at ``base_url``; close it at the end."""

    def __init__(self, base_url: str, seconds: float, connections: int) -> None:
        self._base_url = base_url.rstrip("/")
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(seconds),
            limits=httpx.Limits(max_connections=connections),
            follow_redirects=False,
            trust_env=False,
        )

    async def forward(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> ForwardedResponse:
        """Send a request to a path with its query; raise Transient if the endpoint doesn't respond."""
        sent = {name: headers[name] for name in _SENT if name in headers}
        url = httpx.URL(self._base_url + target)
        request = self._client.build_request(method, url, headers=sent, content=body)
        try:
            response = await self._client.send(request, stream=True)
        except httpx.HTTPError as error:
            raise Transient(f"the connection failed: {type(error).__name__}") from error
        kept = {name: value for name, value in response.headers.items() if name not in _KEPT_BACK}
        if "location" in kept:
            kept["location"] = kept["location"].removeprefix(self._base_url)
        return ForwardedResponse(response.status_code, kept, _chunks(response))

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    finally:
        await response.aclose()
