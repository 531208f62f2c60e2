"""Why a request failed, in words."""

from __future__ import annotations

import ssl

import httpx


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
