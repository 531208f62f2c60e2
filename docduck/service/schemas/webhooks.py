"""The properties of a webhook, each declared once: see ``docduck.service.core.schema``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema

from docduck.catalog.models.webhooks import ANY_EVENT, EXPORTED, WEBHOOK_EVENTS
from docduck.errors import InputError
from docduck.service.core.property_types import LONGEST_NAME, checked_name, empty_if_null
from docduck.service.core.schema import ProblemAt, Schema, Shown, UtcTime, View, partial

HEADER_SETS = ("webhook", "svix")
"""The prefixes of the headers that sign; receivers use either set."""

LONGEST_HEADER_NAME, LONGEST_HEADER_VALUE, MOST_HEADERS = 128, 4096, 20

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

_SUBSCRIPTIONS = (*WEBHOOK_EVENTS, ANY_EVENT)
_FOLD = "Name, description, headers"

Subscription = Annotated[str, WithJsonSchema({"type": "string", "enum": [*_SUBSCRIPTIONS]})]
HeaderValue = Annotated[
    str, WithJsonSchema({"type": "string", "minLength": 1, "maxLength": LONGEST_HEADER_VALUE})
]


def _events(events: Sequence[str]) -> list[str]:
    """Return the events in their documented order, or only ``*``; raise ValueError for unknown ones."""
    known = (*WEBHOOK_EVENTS, ANY_EVENT)
    if unknown := [event for event in events if event not in known]:
        raise ValueError(f"must be some of {', '.join(known)}. Unknown event: {unknown[0]}")
    if not events:
        raise ValueError("must not be empty")
    return [ANY_EVENT] if ANY_EVENT in events else [event for event in WEBHOOK_EVENTS if event in events]


def _name(name: str) -> str:
    """Return the name trimmed, which may be empty; raise ValueError for control characters."""
    try:
        return checked_name(name) if name.strip() else ""
    except InputError as error:
        raise ValueError(error.message.removeprefix("name ")) from error


def _text(text: str) -> str:
    """Return the text; raise ValueError if it holds a NUL character."""
    if "\0" in text:
        raise ValueError("must not hold a NUL character")
    return text


def _headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers; raise ValueError for invalid or reserved ones. Messages don't show values."""
    if len(headers) > MOST_HEADERS:
        raise ValueError(f"A webhook may have {MOST_HEADERS} headers")
    seen: set[str] = set()
    for name, value in headers.items():
        key = name.lower()
        if not _TOKEN.fullmatch(name) or len(name) > LONGEST_HEADER_NAME:
            raise ValueError(f"'{name[:LONGEST_HEADER_NAME]}' is not the name of a header")
        if key in _RESERVED or key.startswith(tuple(f"{prefix}-" for prefix in HEADER_SETS)):
            raise ProblemAt(name, f"The header {name} is set by docduck")
        if key in seen:
            raise ProblemAt(name, f"The header {name} is given twice")
        seen.add(key)
        if not _VALUE.fullmatch(value) or len(value) > LONGEST_HEADER_VALUE:
            raise ProblemAt(
                name,
                f"The value of {name} must be 1 to {LONGEST_HEADER_VALUE} printable ASCII characters, "
                "without spaces at its ends",
            )
    return headers


class WebhookProperties(Schema):
    """What people set of a webhook."""

    url: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=8192),
        Field(examples=["https://example.org/hook"]),
        Shown(
            "Address, to which events are posted", placeholder="https://example.org/hook", input_mode="url"
        ),
    ]
    events: Annotated[
        list[Subscription],
        AfterValidator(_events),
        Shown(choices={event: event for event in WEBHOOK_EVENTS} | {ANY_EVENT: "all of them"}),
    ] = Field(
        [EXPORTED],
        description="The events that are sent; `*` for all",
        json_schema_extra={"minItems": 1, "maxItems": 50},
    )
    value_format: Annotated[
        Literal["typed", "string"],
        Shown("Values", choices={"typed": "numbers and booleans as such", "string": "all as text"}),
    ] = Field(
        "typed", description="Values as in Get Document Data, or all scalars as text and null as empty text"
    )
    name: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_name), Shown(fold=_FOLD)] = ""
    description: Annotated[
        str,
        Field(max_length=2000),
        BeforeValidator(empty_if_null),
        AfterValidator(_text),
        WithJsonSchema({"type": ["string", "null"], "maxLength": 2000}),
        Shown(fold=_FOLD, is_long=True),
    ] = ""
    headers: Annotated[
        dict[str, HeaderValue],
        AfterValidator(_headers),
        Shown(
            "Further headers of each request, one on each line",
            "Values are not shown; *** keeps what is there.",
            "Authorization: Bearer my-token",
            fold=_FOLD,
        ),
    ] = Field(
        {},
        description="Further headers of each request, all of them; the value `***` keeps a header's present "
        "value",
        examples=[{"Authorization": "Bearer my-token"}],
        json_schema_extra={"maxProperties": MOST_HEADERS},
    )
    is_active: Annotated[bool, Shown("Active: events are recorded and sent")] = Field(
        True, description="While false, no events are recorded for the webhook"
    )


class NewWebhook(WebhookProperties):
    """A webhook to create."""


@partial
class WebhookUpdate(WebhookProperties):
    """The properties to change."""


class WebhookView(WebhookProperties, View):
    """A webhook."""

    parser_id: str | None = Field(description="The parser; null for a webhook of all of them")
    description: str
    headers: dict[str, str] = Field(
        description="Their values are masked", examples=[{"Authorization": "***"}]
    )
    status: Literal["active", "paused", "disabled"] = Field(
        description="Disabled when the receiver answered 410, or has failed for days"
    )
    last_delivery_at: UtcTime | None
    last_status_code: int | None
    created_at: UtcTime
    updated_at: UtcTime
