"""What can go wrong with a URL that a caller gave; the messages are contract F2's."""

from __future__ import annotations

from docduck.errors import InputError


class UrlNotAllowed(InputError):
    """docduck doesn't open this URL, or an address that it redirects to (``redirects``).

    The message never tells what a name resolved to, or where a redirect leads.
    """

    def __init__(self, url: str, path: str | None = None, *, redirects: bool = False) -> None:
        reason = " (it redirects to a forbidden address)" if redirects else ""
        super().__init__(f"URL is not allowed: {url}{reason}", path)


class DownloadFailed(InputError):
    """The URL is allowed and gave no file. When ``retryable``, the same request may succeed later."""

    def __init__(self, url: str, reason: str, *, retryable: bool = False, path: str | None = None) -> None:
        super().__init__(f"Could not download {url}: {reason}", path)
        self.reason = reason
        self.retryable = retryable
