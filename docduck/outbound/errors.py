"""Errors of callers' URLs."""

from __future__ import annotations

from docduck.errors import InputError


class UrlNotAllowed(InputError):
    """The URL, or (``redirects``) an address that it redirects to, is not allowed.

    The message reveals neither resolved addresses nor targets of redirects.
    """

    def __init__(self, url: str, path: str | None = None, *, redirects: bool = False) -> None:
        reason = " (it redirects to a forbidden address)" if redirects else ""
        super().__init__(f"URL is not allowed: {url}{reason}", path)


class DownloadFailed(InputError):
    """The URL is allowed, but the download failed. If ``retryable``, the same request may succeed later.

    ``retry_after`` is how many seconds the server asks to wait.
    """

    def __init__(
        self,
        url: str,
        reason: str,
        *,
        retryable: bool = False,
        path: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"Could not download {url}: {reason}", path)
        self.reason = reason
        self.retryable = retryable
        self.retry_after = retry_after
