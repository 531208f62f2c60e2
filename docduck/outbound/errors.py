"""Errors of callers' URLs, and why requests to them failed."""

from __future__ import annotations

import ssl

import httpx

from docduck.errors import InputError


class UrlNotAllowed(InputError):
    """The URL, or (``redirects``) an address that it redirects to, is not allowed.

    The message reveals neither resolved addresses nor targets of redirects.
    """

    def __init__(self, url: str, path: str | None = None, *, redirects: bool = False) -> None:
        reason = " (it redirects to a forbidden address)" if redirects else ""
        super().__init__(f"URL is not allowed: {url}{reason}", path, code="url_not_allowed")


class DownloadFailed(InputError):
    """The URL is allowed, but the download failed. If ``retryable``, the same request may succeed later.

    If ``restart``, the server does not send what follows the part that is there, but may send the whole file.
    ``retry_after`` is how many seconds the server asks to wait.
    """

    def __init__(
        self,
        url: str,
        reason: str,
        *,
        retryable: bool = False,
        restart: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"Could not download {url}: {reason}", code="download_failed")
        self.reason = reason
        self.retryable = retryable
        self.restart = restart
        self.retry_after = retry_after


def failure_reason(error: httpx.TransportError) -> tuple[str, bool]:
    """Return why a transfer failed, without addresses, and whether trying again may help."""
    # A timed-out handshake has an SSLError as its cause, too.
    cause: BaseException | None = error if isinstance(error, httpx.ConnectError) else None
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return "its certificate is not valid for this host", False
        if isinstance(cause, ssl.SSLError):
            return "no secure connection could be made", False
        cause = cause.__cause__ or cause.__context__
    match error:
        case httpx.ConnectTimeout():
            return "the server can't be connected to in time", True
        case httpx.ConnectError():
            return "the server can't be connected to", True
        case httpx.TimeoutException():
            return "the server stopped sending", True
    return "the connection broke off, or was no proper HTTP", True
