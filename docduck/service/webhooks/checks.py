"""Validation of the properties of webhooks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docduck.catalog.models.webhooks import ANY_EVENT, VALUE_FORMATS, WEBHOOK_EVENTS
from docduck.errors import InputError
from docduck.outbound.errors import UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.urls import check_url
from docduck.service.core.names import checked_name
from docduck.service.webhooks.signing import HEADER_SETS
from docduck.settings import Settings

NOT_HTTPS = "Webhook URL must use HTTPS"
LONGEST_DESCRIPTION = 2000
MOST_HEADERS, LONGEST_HEADER_NAME, LONGEST_HEADER_VALUE = 20, 128, 4096

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
_RESERVED = frozenset(
    {
        "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "user-agent",
    }
)  # fmt: skip
"""Headers of the request itself; those of signatures are reserved, too."""


def check_webhook_url(settings: Settings, url: str) -> str:
    """Return the URL; raise InputError if it is not HTTPS or leads to a private address."""
    if not settings.allow_insecure_webhooks and not url.lower().startswith("https://"):
        raise InputError(NOT_HTTPS, "url")
    try:
        check_url(url, OutboundPolicy.for_webhooks(settings))
    except UrlNotAllowed as error:
        raise UrlNotAllowed(url, "url") from error
    return url


def check_events(events: Sequence[str]) -> list[str]:
    """Return the events in their documented order, or only ``*``; raise InputError for unknown ones."""
    if unknown := [one for one in events if one not in (*WEBHOOK_EVENTS, ANY_EVENT)]:
        known = ", ".join([*WEBHOOK_EVENTS, ANY_EVENT])
        raise InputError(f"Unknown event: {unknown[0]}. Known: {known}", "events")
    if not events:
        raise InputError("events must not be empty", "events")
    return [ANY_EVENT] if ANY_EVENT in events else [one for one in WEBHOOK_EVENTS if one in events]


def check_value_format(value_format: str) -> str:
    """Return the format; raise InputError for an unknown one."""
    if value_format not in VALUE_FORMATS:
        raise InputError(f"valueFormat must be one of {', '.join(VALUE_FORMATS)}", "valueFormat")
    return value_format


def check_name(name: str) -> str:
    """Return the name trimmed, which may be empty; raise InputError for a wrong one."""
    return checked_name(name) if name.strip() else ""


def check_description(description: str) -> str:
    """Return the description; raise InputError if it is too long."""
    if len(description) > LONGEST_DESCRIPTION or "\0" in description:
        raise InputError(f"description may have {LONGEST_DESCRIPTION} characters, and no NUL", "description")
    return description


def check_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers; raise InputError for invalid or reserved ones. Messages don't show values."""
    if len(headers) > MOST_HEADERS:
        raise InputError(f"A webhook may have {MOST_HEADERS} headers", "headers")
    seen: set[str] = set()
    for name, value in headers.items():
        key = name.lower()
        if not _TOKEN.fullmatch(name) or len(name) > LONGEST_HEADER_NAME:
            raise InputError(f"'{name[:LONGEST_HEADER_NAME]}' is not the name of a header", "headers")
        if key in _RESERVED or key.startswith(tuple(f"{prefix}-" for prefix in HEADER_SETS)):
            raise InputError(f"The header {name} is set by docduck", f"headers.{name}")
        if key in seen:
            raise InputError(f"The header {name} is given twice", f"headers.{name}")
        seen.add(key)
        if not _VALUE.fullmatch(value) or len(value) > LONGEST_HEADER_VALUE:
            raise InputError(
                f"The value of {name} must be 1 to {LONGEST_HEADER_VALUE} printable ASCII characters, "
                "without spaces at its ends",
                f"headers.{name}",
            )
    return headers
