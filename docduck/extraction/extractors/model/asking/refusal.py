"""What a server says when it doesn't answer, and what follows from it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from docduck.outbound.http import HttpResponse

_LONGEST, _MOST_READ = 200, 10_000
_SHORTEST_SECRET = 8
_SECRET = re.compile(r"\b(?:(?:sk|pk|key)[-_]|bearer )[\w*-]{8,}|[\w*-]{32,}", re.IGNORECASE)
_TEXTS = ("error", "message", "detail", "msg", "error_description")
_PASSING = frozenset({408, 409, 425, 429})
_TOO_LONG = re.compile(
    r"context.{0,40}(?:length|window|size|limit|overflow)|(?:maximum|too many|exceed\w*).{0,40}tokens"
    r"|prompt.{0,20}too long|too large for model",
    re.IGNORECASE | re.DOTALL,
)
_TOO_LARGE = re.compile(r"request too large", re.IGNORECASE)
_UNPAID = re.compile(
    r"insufficient.{0,3}(?:quota|funds|credits?|balance)|billing.{0,3}(?:hard|not)|credit balance"
    r"|payment required|out of credits",
    re.IGNORECASE,
)
_USED_UP = re.compile(r"exceeded your current quota", re.IGNORECASE)
_FILTERED = re.compile(r"content_filter|content.management.policy|content_policy", re.IGNORECASE)
_UNSERVABLE = re.compile(
    r"(?:not|n't|un-?)\s?(?:be )?(?:support|implement|permitted|allowed)|unknown (?:parameter|field)|mmproj"
    r"|failed to parse|multi-?modal model|invalid.{0,20}(?:request|param|schema|grammar)",
    re.IGNORECASE,
)
_LOADING = re.compile(r"loading", re.IGNORECASE)
_WAIT = re.compile(
    r'(?:"retryDelay":\s*"|(?:retry|try again) in )(?P<seconds>\d+(?:\.\d+)?)\s?s', re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A response that holds no answer.

    ``text`` is the body's beginning, ``message`` the server's own words in it, short and without keys;
    ``wait`` are the seconds after which it may be asked again, if it says so.
    """

    status: int
    text: str
    message: str
    wait: float | None

    @staticmethod
    def of(response: HttpResponse) -> Refusal:
        """Return what ``response``, which has another status than 200, says."""
        text = response.body[:_MOST_READ].decode("utf-8", "replace")
        told = _WAIT.search(text)
        wait = response.retry_after
        if wait is None and told is not None:
            wait = float(told["seconds"])
        return Refusal(response.status, text, _message(response), wait)

    @property
    def reason(self) -> str:
        """A clause that says what the server answered."""
        return f"it answers with status {self.status}{f' ({self.message})' if self.message else ''}"

    @property
    def is_too_long(self) -> bool:
        """Whether the request doesn't fit the model's context, or the server's limit of one request."""
        if self.status == 413:
            return True
        return bool((_TOO_LARGE if self.status in _PASSING else _TOO_LONG).search(self.text))

    @property
    def is_unpaid(self) -> bool:
        """Whether a quota or a credit is used up; one that is granted again in moments is not."""
        if self.status == 402 or _UNPAID.search(self.text):
            return True
        return self.wait is None and bool(_USED_UP.search(self.text))

    @property
    def is_of_content(self) -> bool:
        """Whether a filter of the server refuses these pages."""
        return self.status < 500 and bool(_FILTERED.search(self.text))

    @property
    def is_loading(self) -> bool:
        """Whether the server is about to be ready."""
        return self.status == 503 and bool(_LOADING.search(self.text))

    @property
    def is_lasting(self) -> bool:
        """Whether the same request would be refused again: for what it asks, not for the server's state."""
        if self.status in _PASSING:
            return False
        return self.status < 500 or self.is_too_long or bool(_UNSERVABLE.search(self.text))


def _message(response: HttpResponse) -> str:
    try:
        told = _told(json.loads(response.body))
    except (ValueError, RecursionError):
        text = response.body[:_MOST_READ].decode("utf-8", "replace").strip()
        told = "" if text.startswith("<") else text
    return shown(told)


def _told(said: Any, depth: int = 0) -> str:
    """Return the message in an error's JSON: ``{"error": {"message": …}}``, ``{"detail": [{"msg": …}]}`` …"""
    if isinstance(said, str):
        return said
    if depth > len(_TEXTS):
        return ""
    if isinstance(said, list):
        return _told(said[0], depth + 1) if said else ""
    if not isinstance(said, dict):
        return ""
    message = next((text for name in _TEXTS if (text := _told(said.get(name), depth + 1))), "")
    place = said.get("loc")
    return f"{message}: {'.'.join(map(str, place))}" if message and isinstance(place, list) else message


def shown(text: str) -> str:
    """Return a server's words in one short line, without what looks like a key."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[:_MOST_READ]).split())
    line = _SECRET.sub("…", line)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


def without_secrets(response: HttpResponse, secrets: list[str]) -> HttpResponse:
    """Return a response that doesn't repeat the secrets of its request."""
    body = response.body
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            body = body.replace(secret.encode(), "…".encode())
    return response if body is response.body else HttpResponse(response.status, body, response.retry_after)
