"""Fields: bodies and responses (spec.md, Field; contract C10)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from docduck.api.schemas.base import ClosedBody, Many, Name, Shown, Uuid

FieldType = Literal["text", "number", "date", "boolean", "currency", "choice", "list", "table"]
ColumnType = Literal["text", "number", "date", "boolean", "currency", "choice", "list"]
Words = Annotated[str, Field(max_length=10_000)]
Option = Annotated[str, Field(min_length=1, max_length=500)]
FieldId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


def _only(kind: str, key: str) -> JsonDict:
    """``key`` goes with fields of one type only."""
    given: JsonDict = {"required": [key], "properties": {key: {"minItems": 1}}}
    return {"if": given, "then": {"required": ["type"], "properties": {"type": {"const": kind}}}}


def _needed(kind: str, key: str) -> JsonDict:
    """A field of this type needs ``key``."""
    given: JsonDict = {"required": ["type"], "properties": {"type": {"const": kind}}}
    return {"if": given, "then": {"required": [key], "properties": {key: {"minItems": 1}}}}


_COLUMN_RULES: JsonDict = {"allOf": [_needed("choice", "options")]}
_FIELD_RULES: JsonDict = {"allOf": [_needed("choice", "options"), _only("table", "columns")]}


class ColumnBody(ClosedBody):
    """A column of a table."""

    model_config = ConfigDict(json_schema_extra=_COLUMN_RULES)

    id: FieldId | None = None
    name: Name
    type: ColumnType = "text"
    description: Words | None = None
    instructions: Words | None = None
    required: bool = False
    position: int | None = None
    options: Many[Option] = Field([], max_length=1000)
    columns: list[Any] = Field([], max_length=0, description="A column has none")
    labels: Many[Option] = Field([], max_length=100)
    extract: bool = True


class FieldBody(ClosedBody):
    """A field, or what to change of one; a table's `columns` are all that it is to have."""

    model_config = ConfigDict(json_schema_extra=_FIELD_RULES)

    id: FieldId | None = None
    name: Name = Field("", examples=["Invoice Number"])
    type: FieldType = "text"
    description: Words | None = None
    instructions: Words | None = None
    required: bool = False
    position: Annotated[int, Field(ge=0, le=10_000)] | None = None
    options: Many[Option] = Field([], max_length=1000)
    columns: Many[ColumnBody] = Field([], max_length=500)
    labels: Many[Option] = Field(
        [], max_length=100, description="Words that documents print beside the value"
    )
    extract: bool = Field(True, description="False leaves the field to people")


class FieldOrder(ClosedBody):
    """Every field exactly once, by id or name, in the order that is wished."""

    field_ids: Many[Annotated[str, Field(min_length=1, max_length=255)]] = Field(max_length=10_000)


class SuggestFrom(ClosedBody):
    """A document that is there already, as the sample."""

    model_config = ConfigDict(json_schema_extra={"required": ["documentId"]})

    document_id: Uuid | None = None


class _Facts(Shown):
    name: str = Field(examples=["Invoice Number"])
    description: str | None
    instructions: str | None
    required: bool
    position: int | None = Field(description="From 0")
    options: list[str]
    labels: list[str]
    extract: bool


class ColumnShown(_Facts):
    """A column of a table."""

    id: str = Field(examples=["f_7kq2mwa4"])
    type: ColumnType
    columns: list[Any] = Field(max_length=0)


class FieldShown(_Facts):
    """A field."""

    id: str = Field(examples=["f_7kq2mwa4"])
    type: FieldType
    columns: list[ColumnShown]


class FieldList(Shown):
    """A parser's fields, by position."""

    fields: list[FieldShown]


class FieldsMutated(FieldList):
    """The same after a change."""

    reprocess_recommended: bool = Field(
        description="Whether documents that were read before would now be read differently"
    )


class SuggestedColumn(_Facts):
    """A column that was found on the sample."""

    type: ColumnType
    columns: list[Any] = Field(max_length=0)


class SuggestedField(_Facts):
    """A field that was found on the sample, called as it is printed there."""

    type: FieldType
    columns: list[SuggestedColumn]


class Suggested(Shown):
    """Fields that were found on the sample, ready to be saved."""

    fields: list[SuggestedField]
