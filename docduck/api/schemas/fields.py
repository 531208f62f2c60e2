"""Fields: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from docduck.api.schemas.base import ResponseModel, WholeList
from docduck.service.core.property_types import Many, Name, Uuid
from docduck.service.core.schema import UNSENT, Schema, partial

FieldType = Literal["text", "number", "date", "boolean", "currency", "choice", "list", "table"]
ColumnType = Literal["text", "number", "date", "boolean", "currency", "choice", "list"]
Words = Annotated[str, Field(max_length=10_000)]
Option = Annotated[str, Field(min_length=1, max_length=500)]
FieldId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


def _only(kind: str, key: str) -> JsonDict:
    """Return the rule that only fields of type ``kind`` have ``key``."""
    condition: JsonDict = {"required": [key], "properties": {key: {"minItems": 1}}}
    return {"if": condition, "then": {"required": ["type"], "properties": {"type": {"const": kind}}}}


def _needed(kind: str, key: str) -> JsonDict:
    """Return the rule that fields of type ``kind`` need ``key``."""
    condition: JsonDict = {"required": ["type"], "properties": {"type": {"const": kind}}}
    return {"if": condition, "then": {"required": [key], "properties": {key: {"minItems": 1}}}}


_COLUMN_RULES: JsonDict = {"allOf": [_needed("choice", "options")]}
_FIELD_RULES: JsonDict = {"allOf": [_needed("choice", "options"), _only("table", "columns")]}


_TYPE = Field(description="`text` of a new one, unless it is set")


class ColumnInput(Schema):
    """A column of a table."""

    model_config = ConfigDict(json_schema_extra=_COLUMN_RULES)

    id: FieldId | None = UNSENT
    name: Name
    type: Annotated[ColumnType, _TYPE] = UNSENT
    description: Words | None = UNSENT
    instructions: Words | None = UNSENT
    required: bool = UNSENT
    position: int | None = UNSENT
    options: Annotated[Many[Option], Field(max_length=1000)] = UNSENT
    columns: Annotated[list[Any], Field(max_length=0, description="A column has none")] = UNSENT
    labels: Annotated[Many[Option], Field(max_length=100)] = UNSENT
    extract: bool = UNSENT


@partial
class FieldInput(ColumnInput):
    """A field, or changes of one; a table's `columns` replace all that it has."""

    model_config = ConfigDict(json_schema_extra=_FIELD_RULES)

    name: Name = Field(examples=["Invoice Number"])
    type: Annotated[FieldType, _TYPE]  # type: ignore[assignment]
    position: Annotated[int, Field(ge=0, le=10_000)] | None
    columns: Many[ColumnInput] = Field(max_length=500)
    labels: Many[Option] = Field(max_length=100, description="Words that documents print beside the value")
    extract: bool = Field(description="False: people fill in the field")


class FieldsInput(Schema):
    """Fields to change or add; those that have an existing id or name are changed."""

    fields: Many[FieldInput] = Field(min_length=1, max_length=1000)
    delete_others: bool = Field(
        False, description="Delete the fields that aren't given; the order is then that of `fields`"
    )


class FieldOrder(Schema):
    """Every field exactly once, by id or name, in the new order."""

    field_ids: Many[Annotated[str, Field(min_length=1, max_length=255)]] = Field(max_length=10_000)


class SuggestFrom(Schema):
    """An existing document as the sample."""

    model_config = ConfigDict(json_schema_extra={"required": ["documentId"]})

    document_id: Uuid | None = None


class _Identified(ResponseModel):
    id: str = Field(examples=["f_7kq2mwa4"])


class _FieldProperties(ResponseModel):
    name: str = Field(examples=["Invoice Number"])
    type: FieldType
    description: str | None
    instructions: str | None
    required: bool
    position: int | None = Field(description="From 0")
    options: list[str]
    labels: list[str]
    extract: bool


class SuggestedColumn(_FieldProperties):
    """A column found on the sample."""

    type: ColumnType
    columns: list[Any] = Field(max_length=0)


class SuggestedField(_FieldProperties):
    """A field found on the sample, named as printed there; it can be saved as it is."""

    columns: list[SuggestedColumn]


class FoundOnSample(ResponseModel):
    """What a sample has for a field."""

    value: Any = Field(description="Of a table, its first three rows")
    page: int | None = Field(description="From 1")
    confidence: float | None = Field(description="0–1; of a table, the mean of its cells")
    row_count: int | None = Field(description="Of a table")


class SuggestedFields(ResponseModel):
    """The fields found on the samples, those on most samples first."""

    fields: list[SuggestedField]
    found: list[dict[str, FoundOnSample]] = Field(description="What each sample has, by the field's name")
    found_on: dict[str, int] = Field(description="The number of samples that have a field, by its name")


class ColumnResponse(SuggestedColumn, _Identified):
    """A column of a table."""


class FieldResponse(_FieldProperties, _Identified):
    """A field of a parser; `columns` are a table's."""

    columns: list[ColumnResponse]


class FieldList(WholeList[FieldResponse]):
    """A parser's fields, by position."""

    fields: list[FieldResponse] = Field(description="The same as `data`")


class FieldsResponse(ResponseModel):
    """A parser's fields after a change."""

    fields: list[FieldResponse]
    reprocess_recommended: bool = Field(
        description="Whether documents that were read before would now be read differently"
    )
