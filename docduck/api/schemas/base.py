"""Base classes and types that request bodies and responses share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import (
    AliasGenerator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
)
from pydantic.alias_generators import to_camel

from docduck.clock import iso
from docduck.error_codes import CODES
from docduck.service.core.pages import Page

T = TypeVar("T")

Timestamp = Annotated[str, BeforeValidator(iso)]
"""A datetime in a response, as ISO 8601 in UTC."""


def omitted_if_none(description: str | None = None) -> Any:
    """Return the field of a response's key that is left out when its value is None."""
    return Field(
        None,
        exclude_if=lambda value: value is None,
        json_schema_extra=_without_null,
        description=description,
    )


def _without_null(schema: dict[str, Any]) -> None:
    (present,) = [choice for choice in schema.pop("anyOf") if choice != {"type": "null"}]
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


class _Rows(ResponseModel, Generic[T]):
    """Rows of a list; subclasses add the ``pagination``."""

    data: list[T]

    @classmethod
    def of_page(cls, page: Any) -> Self:
        """Return a page whose rows are responses, or the views that they are made from."""
        return cls.model_validate({"data": page.rows, "pagination": page})


class PageResponse(_Rows[T], Generic[T]):
    """A page of a list."""

    pagination: Pagination


class CursorPagination(Pagination):
    """The position of a page in a list with cursors."""

    next_cursor: str | None = Field(
        description="Sent as `cursor`, it returns the rows after this page, also if others were inserted or "
        "deleted meanwhile. Null at the end of the list, and in one that is sorted by relevance or by a field"
    )


class CursorPage(_Rows[T], Generic[T]):
    """A page of a list with cursors."""

    pagination: CursorPagination


class FeedPagination(ResponseModel):
    """The position of a page in a list that only grows at its end."""

    limit: int = Field(ge=1, description="Most rows of the page")
    has_more: bool = Field(description="Whether there are more rows after this page already")
    next_cursor: str = Field(
        description="Sent as `cursor`, it returns what comes after this page, now or later"
    )


class FeedPage(_Rows[T], Generic[T]):
    """A page of a list that only grows at its end."""

    pagination: FeedPagination


class WholeList(_Rows[T], Generic[T]):
    """A list that is returned whole: its only page."""

    pagination: Pagination

    @classmethod
    def of_all(cls, rows: Sequence[Any], **more: Any) -> Self:
        """Return the list of all rows, which are responses or the views that they are made from."""
        pagination = Page(rows, 1, max(1, len(rows)), len(rows))
        return cls.model_validate({"data": rows, "pagination": pagination, **more})


ErrorCode = Annotated[
    str,
    Field(
        description="A word by which programs tell errors apart; new ones may be added:\n\n"
        + "\n".join(f"- `{code}`: {text}" for code, text in CODES.items()),
        examples=["parser_inactive"],
        json_schema_extra={"x-extensible-enum": [*CODES]},
    ),
]


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
    code: ErrorCode
    message: str = Field(description="For people; it may change, unlike the code")
    details: list[ErrorDetail] | None = omitted_if_none()
    not_found: list[MissingItem] | None = omitted_if_none()
    known: list[str] | None = omitted_if_none("The names that there are, if one is unknown")
    retry_after: int | None = omitted_if_none()
    request_id: str | None = omitted_if_none()


class Done(ResponseModel):
    """An action that succeeded."""

    success: bool = Field(examples=[True])
    id: str


class Success(ResponseModel):
    """An action that succeeded."""

    success: bool = Field(examples=[True])
