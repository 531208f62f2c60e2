"""What all bodies and responses share."""

from __future__ import annotations

import datetime as dt
import unicodedata
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema
from pydantic.alias_generators import to_camel

from docduck.ids import is_uuid

T = TypeVar("T")

Many = Annotated[list[T], Field(fail_fast=True)]
"""A list that may be long: only the first item that is wrong is told of."""


def _uuid(text: str) -> str:
    if not is_uuid(text):
        raise ValueError("must be a UUID")
    return text.lower()


def _moment(text: str) -> dt.datetime:
    try:
        moment = dt.datetime.fromisoformat(text)
        return moment.astimezone(dt.UTC) if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    except (ValueError, OverflowError) as error:
        # A moment near the end of the calendar may have no UTC.
        raise ValueError("must be an ISO 8601 date-time such as 2026-01-31T08:00:00Z") from error


def _one_line(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise ValueError("must not hold control characters")
    if text.strip() in (".", ".."):
        # In a path it would name what is above: DELETE …/fields/.. is DELETE of the parser.
        raise ValueError("must not be only dots")
    return text.strip()


_NO_CONTROL = r"[^\x00-\x1f\x7f-\x9f]"

Uuid = Annotated[str, AfterValidator(_uuid), WithJsonSchema({"type": "string", "format": "uuid"})]
Moment = Annotated[str, AfterValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
"""An ISO 8601 date-time, given to the endpoint as an aware datetime; without a zone it is UTC."""

Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=255),
    AfterValidator(_one_line),
    WithJsonSchema(
        {
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "pattern": rf"^(?!\s*\.{{1,2}}\s*$){_NO_CONTROL}*[^\s\x00-\x1f\x7f-\x9f]{_NO_CONTROL}*$",
        }
    ),
]
"""A name on one line, at most 255 characters, trimmed."""


class ClosedBody(BaseModel):
    """A request body; an unknown key is refused. Types are taken strictly: ``"5"`` is no integer."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=False,
    )

    def given(self) -> dict[str, Any]:
        """The keys that were sent, with their values, by attribute name."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class Shown(BaseModel):
    """The shape of a response, for the OpenAPI document; answers are built by ``docduck.api.serializers``."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True, validate_by_name=False)


class PageFacts(Shown):
    """Where a page of a list stands."""

    page: int = Field(ge=1)
    limit: int = Field(ge=1)
    total: int = Field(ge=0)
    page_count: int = Field(ge=0)


class Listed(Shown, Generic[T]):
    """A page of a list (contract "Conventions")."""

    data: list[T]
    pagination: PageFacts


class Problem(Shown):
    """One place in the request that is wrong."""

    path: str
    message: str


class Missing(Shown):
    """One named thing that does not exist."""

    type: str
    value: str


class Error(Shown):
    """Every error (contract F)."""

    error: bool = Field(examples=[True])
    message: str
    details: list[Problem] | None = None
    not_found: list[Missing] | None = None
    retry_after: int | None = None
    request_id: str | None = None


class Done(Shown):
    """An action that succeeded."""

    success: bool = Field(examples=[True])
    id: str
