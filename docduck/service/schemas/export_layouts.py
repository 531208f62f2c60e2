"""The properties of an export layout, each declared once: see ``docduck.service.core.schema``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field, PlainSerializer, SkipValidation

from docduck.exports.model import Format, Scope
from docduck.service.core.property_types import Name
from docduck.service.core.schema import Schema, UtcTime, View, partial

MOST_COLUMNS = 1000

FormatName = Annotated[Format, Field(strict=False)]
StoredFormat = Annotated[Format, SkipValidation, PlainSerializer(lambda value: value)]
"""A format that was saved; the package that adds it may be gone."""

ScopeName = Annotated[
    Annotated[Scope, Field(strict=False)] | None,
    Field(
        description="By default nested documents for `json` and `xml`, `all_flat` for `csv`, "
        "`all_sheets` for the others"
    ),
]
TableName = Annotated[
    str | None,
    Field(description="The table of the scope `table`, by name or id; needed if the parser has several"),
]


@dataclass(frozen=True, slots=True)
class LayoutColumn:
    """A column of a layout."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    field: Annotated[
        str,
        Field(
            min_length=1,
            description="A field's name or id, `Table.Column`, or `$id`, `$name`, `$externalId`, `$status`, "
            "`$createdAt`, `$updatedAt`, `$rowNumber`",
            examples=["Total"],
        ),
    ]
    header: Annotated[Name | None, Field(description="The heading, instead of the usual one")] = None


class LayoutProperties(Schema):
    """What people set of an export layout."""

    name: Name
    format: FormatName = Format.JSON
    scope: ScopeName = None
    table_name: TableName = None
    columns: Annotated[list[LayoutColumn], Field(min_length=1, max_length=MOST_COLUMNS)] | None = Field(
        None, description="The columns in their order; null for the usual ones"
    )


class NewExportLayout(LayoutProperties):
    """A layout to save."""


@partial
class ExportLayoutUpdate(LayoutProperties):
    """The properties to change."""


@dataclass(frozen=True, slots=True)
class LayoutColumnView:
    """A column of a layout."""

    field: str
    header: str | None


class ExportLayoutView(LayoutProperties, View):
    """A saved layout of exports."""

    format: StoredFormat
    table_name: str | None
    columns: tuple[LayoutColumnView, ...] | None  # type: ignore[assignment]
    warnings: tuple[str, ...] = Field(
        description="Columns that are left out because their fields were deleted"
    )
    created_at: UtcTime
    updated_at: UtcTime
