"""Exports: a link to a file, and its first documents."""

from __future__ import annotations

from typing import Any

from docduck.api.request.current_caller import BaseUrl, CurrentCaller, Exports, Inst
from docduck.api.request.params import ParserId
from docduck.api.routers.exports import stored_link
from docduck.api.schemas.base import ResponseModel
from docduck.api.schemas.exports import ExportBody, ExportLink
from docduck.mcp.tool import READ, tool
from docduck.service.documents.queries.outcomes import outcomes

_MOST_ROWS = 50


class ExportedRow(ResponseModel):
    """A document and its values."""

    document_id: str
    data: dict[str, Any]


class ExportWithRows(ExportLink):
    """An export by link, with the values of its first documents."""

    rows: list[ExportedRow]


@tool("export_documents", "Export documents", "exports:read", READ)
async def export_documents(
    parserId: ParserId, body: ExportBody, inst: Inst, caller: CurrentCaller, lane: Exports, base_url: BaseUrl
) -> ExportWithRows:
    """Export documents to a file and return a link to it, which expires, and the values of the first 50.
    Without ids, all that are processed or approved. Example: {"parserId": "…", "format": "xlsx"}.
    """

    def first_rows(ids: list[str]) -> list[ExportedRow]:
        found = outcomes(inst, caller.team_id, ids)
        return [ExportedRow(document_id=one, data=dict(found[one].data)) for one in ids if one in found]

    link, ids = await stored_link(parserId, body, inst, caller, lane, base_url)
    rows = await lane.run(caller.team_id, lambda: first_rows(ids[:_MOST_ROWS]))
    return ExportWithRows.model_construct(**dict(link), rows=rows)


TOOLS = (export_documents,)
