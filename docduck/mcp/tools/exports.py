"""Exports: a link to a file, and its first rows."""

from __future__ import annotations

from functools import partial
from typing import Any

from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.lanes import Exports
from docduck.api.request.params import ParserId
from docduck.api.routers.exports import stored_link
from docduck.api.schemas.base import ResponseModel
from docduck.api.schemas.exports import ExportBody, ExportLink
from docduck.mcp.tool import READ, Settings, tool
from docduck.mcp.views import QUOTED
from docduck.service.outputs.export_preview import preview_written

_MOST_ROWS = 50
_MOST_BYTES = 100_000


class FirstRows(ResponseModel):
    """The first rows of a sheet of an export."""

    name: str = Field(description="`Fields`, `Data`, or the table's name")
    columns: list[str]
    rows: list[list[Any]] = Field(description="Each has a value for each of `columns`")


class ExportWithRows(ExportLink):
    """An export by link, with its first rows."""

    sheets: list[FirstRows] = Field(
        description="The first 50 rows in all, at most 100 kB; nested documents are shown as rows, too"
    )
    has_more_rows: bool = Field(description="Whether the file has more rows than `sheets`")


@tool(
    "export_documents",
    "Export documents",
    "exports:read",
    READ,
    QUOTED,
    Settings("export", ("documentIds", "format", "scope")),
)
async def export_documents(
    parserId: ParserId, body: ExportBody, call: CurrentCall, lane: Exports
) -> ExportWithRows:
    """Export documents to a file; return a link to it and its first 50 rows, by sheet. Without ids, all that
    are processed or approved.
    """
    link, stored = await stored_link(parserId, body, call, lane)
    ids = stored.written.document_ids
    work = partial(preview_written, *call.team, parserId, stored.plan, ids, _MOST_ROWS, _MOST_BYTES)
    preview = await lane.run(call.team_id, work)
    return ExportWithRows.model_construct(
        **dict(link),
        sheets=[FirstRows.of(sheet) for sheet in preview.sheets],
        has_more_rows=preview.is_cut,
    )


TOOLS = (export_documents,)
