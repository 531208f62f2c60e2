"""Base classes and types that request bodies and responses share."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Sequence
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import (
    AfterValidator,
    AliasGenerator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from docduck.clock import iso
from docduck.ids import is_uuid

T = TypeVar("T")

Many = Annotated[list[T], Field(fail_fast=True)]
"""A list that may be long: only its first wrong item is reported."""


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
"""An ISO 8601 date-time in a request, parsed into an aware datetime; UTC if it has no zone."""

Timestamp = Annotated[str, BeforeValidator(iso)]
"""A datetime in a response, as ISO 8601 in UTC."""

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


def omitted_if_none(description: str | None = None) -> Any:
    """Return the field of a response's key that is left out when its value is None."""
    return Field(
        None,
        exclude_if=lambda value: value is None,
        json_schema_extra=_without_null,
        description=description,
    )


def _without_null(schema: dict[str, Any]) -> None:
    (present,) = [one for one in schema.pop("anyOf") if one != {"type": "null"}]
    del schema["default"]
    schema.update(present)


class ResponseModel(BaseModel):
    """A response body; it is made from the attributes of a service's view, and serialises itself."""

    model_config = ConfigDict(
        from_attributes=True, alias_generator=AliasGenerator(serialization_alias=to_camel)
    )

    @classmethod
    def of(cls, view: object, **more: Any) -> Self:
        """Return the response for ``view``; ``more`` holds the fields that the view doesn't have."""
        if not more:
            return cls.model_validate(view)
        known = {name: getattr(view, name) for name in cls.model_fields if hasattr(view, name)}
        return cls.model_validate(known | more)


class Pagination(ResponseModel):
    """The position of a page in its list."""

    page: int = Field(ge=1)
    limit: int = Field(ge=1)
    total: int = Field(ge=0)
    page_count: int = Field(ge=0)


class PageResponse(ResponseModel, Generic[T]):
    """A page of a list."""

    data: list[T]
    pagination: Pagination

    @classmethod
    def of_rows(cls, rows: Sequence[object], page: int, limit: int, total: int) -> Self:
        """Return a page from its rows: responses, or the views that they are made from."""
        pagination = Pagination(page=page, limit=limit, total=total, page_count=-(-total // limit))
        return cls.model_validate({"data": rows, "pagination": pagination})


class ErrorDetail(ResponseModel):
    """One place in the request that is wrong."""

    path: str
    message: str


class MissingItem(ResponseModel):
    """One named thing that does not exist."""

    type: str
    value: str


class ErrorResponse(ResponseModel):
    """An error."""

    error: bool = Field(examples=[True])
    message: str
    details: list[ErrorDetail] | None = omitted_if_none()
    not_found: list[MissingItem] | None = omitted_if_none()
    retry_after: int | None = omitted_if_none()
    request_id: str | None = omitted_if_none()


class Done(ResponseModel):
    """An action that succeeded."""

    success: bool = Field(examples=[True])
    id: str


class Success(ResponseModel):
    """An action that succeeded."""

    success: bool = Field(examples=[True])
