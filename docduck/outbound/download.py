"""Download of the file behind a caller's URL.

The text of the URL and of every redirect is checked (``urls``), then each of its addresses (``resolving``),
and the connection goes to a checked address (``pinned``). Size, also after decompression, and time are
limited.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from http import HTTPStatus
from importlib.metadata import version
from typing import Protocol
from urllib.parse import unquote, unquote_to_bytes

import httpx

from docduck.errors import TooLarge
from docduck.outbound.addresses import Address
from docduck.outbound.decoding import BadEncoding, decoder
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed, failure_reason
from docduck.outbound.http import retry_after
from docduck.outbound.pinned_request import pinned_response
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import SYSTEM, Connecting, allowed_addresses
from docduck.outbound.urls import ParsedUrl, check_url, redirected

_PARAMETER = re.compile(r';\s*([\w!#$%&*+.^`|~-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s"]*))', re.DOTALL)
_LONGEST_HEADER = 8192

_HEADERS = {"User-Agent": f"docduck/{version('docduck')}", "Accept": "*/*", "Accept-Encoding": "identity"}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NO_FILE = frozenset({204, 205, 206})
_OTHER_RANGE = frozenset({206, 416})
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
_HANDED_OVER = 256 * 1024


class Sink(Protocol):
    """The receiver of the bytes; called in a thread, one call at a time."""

    def write(self, data: bytes, /) -> object: ...


class Resumed(Protocol):
    """A part of the file that is there already."""

    @property
    def size(self) -> int:
        """Its size in bytes."""

    def restart(self) -> object:
        """Drop it, because the server sends the whole file."""


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A downloaded file: its size, and the name and type announced by the server.

    Don't trust name and type: clean the name, and detect the type from the content. ``etag`` and
    ``last_modified`` are the server's validators of this version (RFC 9110, 8.8), ``cache_control`` is its
    header of this name.
    """

    size: int
    name: str
    content_type: str
    etag: str = ""
    last_modified: str = ""
    cache_control: str = ""


class NotModified(Exception):
    """The file is still the version that the request's condition names."""


async def download(
    url: str,
    sink: Sink,
    policy: OutboundPolicy,
    *,
    connecting: Connecting = SYSTEM,
    headers: Mapping[str, str] | None = None,
    elsewhere: OutboundPolicy | None = None,
    only_validators: bool = False,
    resumed: Resumed | None = None,
) -> Downloaded:
    """Download ``url`` into ``sink``, which after an error holds a part of the file or nothing.

    ``headers`` are sent to the host of ``url`` only; after a redirect to another host, the policy is
    ``elsewhere``. Raise UrlNotAllowed, DownloadFailed and TooLarge, NotModified if ``headers`` make the
    request conditional, and the errors of the sink. With ``only_validators``, the body of a response that has
    any is not read, and the size is 0. With ``resumed``, only what follows it is asked for; the size is that
    of what was sent.
    """
    target = check_url(url, policy)
    fetching = _Download(
        url,
        policy,
        connecting,
        target.authority,
        headers or {},
        elsewhere or policy,
        only_validators,
        resumed,
    )
    try:
        async with asyncio.timeout(policy.seconds) as limit:
            return await fetching.follow(target, sink)
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise DownloadFailed(url, f"it takes longer than {policy.seconds:g} s", retryable=True) from error


@dataclass(frozen=True, slots=True)
class _Download:
    url: str
    policy: OutboundPolicy
    connecting: Connecting
    authority: str
    headers: Mapping[str, str]
    elsewhere: OutboundPolicy
    only_validators: bool
    resumed: Resumed | None

    async def follow(self, target: ParsedUrl, sink: Sink) -> Downloaded:
        """Follow redirects to the file and download it."""
        for redirects in range(self.policy.max_redirects + 1):
            addresses = await self._addresses(target, redirects)
            try:
                headers, tls = self._headers(target), self.connecting.tls
                async with pinned_response(
                    "GET", target, addresses, self.policy, headers=headers, tls=tls
                ) as response:
                    if response.status_code not in _REDIRECTS:
                        return await self._take(response, target, sink)
                    target = self._next(response, target)
            except httpx.TransportError as error:
                raise self._failed(error) from error
        raise DownloadFailed(self.url, f"more than {self.policy.max_redirects} redirects")

    async def _addresses(self, target: ParsedUrl, redirects: int) -> list[Address]:
        try:
            return await allowed_addresses(target, self.url, self._policy(target), self.connecting)
        except UrlNotAllowed as error:
            raise UrlNotAllowed(self.url, redirects=redirects > 0) from error

    def _next(self, response: httpx.Response, target: ParsedUrl) -> ParsedUrl:
        locations = set(response.headers.get_list("location"))
        if len(locations) != 1 or "" in locations:
            raise DownloadFailed(self.url, "the server's redirect does not say where to")
        location = locations.pop()
        redirect = redirected(target, location, self.policy)
        # To another host, what the operator allowed for the first one doesn't hold.
        if redirect is not None and self._policy(redirect) is not self.policy:
            redirect = redirected(target, location, self.elsewhere)
        if redirect is None:
            raise UrlNotAllowed(self.url, redirects=True)
        return redirect

    def _policy(self, target: ParsedUrl) -> OutboundPolicy:
        return self.policy if target.authority == self.authority else self.elsewhere

    def _headers(self, target: ParsedUrl) -> Mapping[str, str]:
        # The caller's headers may hold credentials: no other host gets them.
        sent = {**_HEADERS, **self.headers} if target.authority == self.authority else {**_HEADERS}
        if self._part:
            sent["Range"] = f"bytes={self._part}-"
        return sent

    async def _take(self, response: httpx.Response, target: ParsedUrl, sink: Sink) -> Downloaded:
        status = response.status_code
        if status == HTTPStatus.NOT_MODIFIED and self.headers:
            raise NotModified
        is_rest = status == HTTPStatus.PARTIAL_CONTENT and self._is_rest(response)
        if not is_rest and (not 200 <= status < 300 or status in _NO_FILE):
            later, headers = status in _LATER, response.headers
            raise DownloadFailed(
                self.url,
                f"the server answered {_status(status)}",
                retryable=later,
                restart=self._part > 0 and status in _OTHER_RANGE,
                retry_after=retry_after(headers.get("retry-after"), headers.get("date")) if later else None,
            )
        announced = response.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > self.policy.max_bytes:
            raise TooLarge("File too large")
        name = announced_name(response.headers.get("content-disposition", "")) or name_in_path(target.path)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        validators = ("etag", "last-modified", "cache-control")
        etag, changed, caching = (response.headers.get(header, "") for header in validators)
        if self.only_validators and (etag or changed):
            return Downloaded(0, name, kind, etag, changed, caching)
        if self.resumed is not None and not is_rest:
            await asyncio.to_thread(self.resumed.restart)
        size, held = 0, bytearray()
        try:
            async with aclosing(_pieces(response)) as pieces:
                async for piece in pieces:
                    size += len(piece)
                    if size > self.policy.max_bytes:
                        raise TooLarge("File too large")
                    held += piece
                    if len(held) >= _HANDED_OVER:
                        full, held = bytes(held), bytearray()
                        await asyncio.to_thread(sink.write, full)
        except BadEncoding as error:
            raise DownloadFailed(self.url, str(error)) from error
        await asyncio.to_thread(sink.write, bytes(held))
        return Downloaded(size, name, kind, etag, changed, caching)

    def _is_rest(self, response: httpx.Response) -> bool:
        """Return whether the response is what follows the part that is there (RFC 9110, 14.4)."""
        start = response.headers.get("content-range", "").removeprefix("bytes ").partition("-")[0]
        return self._part > 0 and start == str(self._part)

    @property
    def _part(self) -> int:
        """The bytes that are there already."""
        return 0 if self.resumed is None else self.resumed.size

    def _failed(self, error: httpx.TransportError) -> DownloadFailed:
        reason, retryable = failure_reason(error)
        return DownloadFailed(self.url, reason, retryable=retryable)


async def _pieces(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    decoding = decoder(response.headers.get("content-encoding", ""))
    async for data in response.aiter_raw():
        for piece in decoding.feed(data):
            yield piece
    decoding.close()


def _status(code: int) -> str:
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)


def announced_name(disposition: str) -> str:
    """Return the name in a Content-Disposition header, ``filename*`` before ``filename``; empty without."""
    values: dict[str, str] = {}
    for name, quoted, token in _PARAMETER.findall(disposition[:_LONGEST_HEADER]):
        values.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL) or token)
    return _extended(values.get("filename*", "")) or values.get("filename", "")


def name_in_path(path: str) -> str:
    """Return the last non-empty part of a URL's path, percent-decoded; empty without."""
    return unquote(path.partition("?")[0].rstrip("/").rpartition("/")[2], errors="replace")


def _extended(value: str) -> str:
    """Decode an RFC 8187 value: charset'language'percent-encoded."""
    charset, mark, rest = value.partition("'")
    _, second, encoded = rest.partition("'")
    if not mark or not second or charset.lower() not in ("utf-8", "iso-8859-1"):
        return ""
    return unquote_to_bytes(encoded).decode(charset, errors="replace")
