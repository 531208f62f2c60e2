"""Exports and their layouts: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from docduck.api.schemas.base import ResponseModel, Timestamp, omitted_if_none
from docduck.api.schemas.documents import ExternalId, Filter
from docduck.exports.model import Format, Scope
from docduck.service.conditions.filters import MOST_FILTERS
from docduck.service.core.property_types import Many, Name, Uuid
from docduck.service.core.schema import Schema
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.selection import Selection
from docduck.service.schemas.export_layouts import FormatName, ScopeName, TableName


class ExportBody(Schema):
    """What to export: documents, and the format.

    Without ids, all documents that are processed or approved; `filters` narrow either.
    """

    document_ids: Annotated[Many[Uuid], Field(min_length=1)] | None = None
    external_ids: Annotated[Many[ExternalId], Field(min_length=1)] | None = None
    filters: Annotated[list[Filter], Field(max_length=MOST_FILTERS)] | None = None
    format: FormatName | None = Field(None, description="`json` by default")
    scope: ScopeName = None
    table_name: TableName = None
    layout_id: Uuid | None = Field(
        None, description="A saved layout, instead of `format`, `scope` and `tableName`"
    )

    def request(self) -> ExportRequest:
        """Return the export that is asked for."""
        selection = Selection(self.document_ids, self.external_ids, self.filters)
        return ExportRequest(self.format, self.scope, self.table_name, self.layout_id, selection)


class NewExport(ExportBody):
    """What to export, and whether each document is exported only once."""

    only_new: Name | None = Field(
        None,
        description="The name of an incremental export, which has only documents that it never had before",
        examples=["accounting"],
    )


class ExportLink(ResponseModel):
    """An export that is fetched by link, which needs no key and expires."""

    success: bool = Field(examples=[True])
    format: Format
    scope: Scope | None
    file_name: str = Field(examples=["invoices-20260131-080000.xlsx"])
    content_type: str
    document_count: int = Field(ge=0)
    row_count: int = Field(ge=0, description="Rows of all sheets; documents if they are nested")
    url: str
    expires_at: Timestamp
    skipped_documents: list[str] | None = omitted_if_none(
        "Ids that were given of documents that are rejected or have no values"
    )
    warnings: list[str] | None = omitted_if_none("What the file does not hold as it was asked for")


Delivery = Literal["link"]
