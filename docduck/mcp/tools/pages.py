"""Pages of documents: their text, and pictures of them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.lanes import PageViews
from docduck.api.request.params import DocumentId, ParserId
from docduck.api.schemas.base import ResponseModel
from docduck.mcp.tool import READ, ResponseWithImages, tool
from docduck.mcp.views import QUOTED
from docduck.service.previews.page_images import Region, page_image, value_region
from docduck.service.previews.page_texts import page_texts


class PageTextResponse(ResponseModel):
    """The text of a page, as markdown."""

    page: int
    text: str


class PageTextsResponse(ResponseModel):
    """Pages of a document, in portions."""

    pages: list[PageTextResponse]
    page_count: int
    next_page: int | None = Field(description='Where the next portion begins: pages "4-"')
    next_offset: int = Field(description="The offset that goes with it")


class DrawnPage(ResponseWithImages):
    """The page that the picture shows."""

    page: int


@tool("get_document_text", "Get the text of pages", "documents:read", READ, QUOTED)
async def get_document_text(
    parserId: ParserId,
    documentId: DocumentId,
    call: CurrentCall,
    lane: PageViews,
    pages: Annotated[str | None, Query(max_length=200)] = None,
    offset: Annotated[int, Query(ge=0)] = 0,
) -> PageTextsResponse:
    """Return the text of a document's pages as docduck reads it, as markdown, about 20 kB at a time. If
    there is a nextPage, call again with pages from there, such as "4-", and offset: nextOffset.
    """
    portion = await lane.run(
        call.team_id, lambda: page_texts(*call.team, parserId, documentId, pages, offset)
    )
    return PageTextsResponse.of(portion)


@tool("get_page_image", "Get a picture of a page", "documents:read", READ, QUOTED)
async def get_page_image(
    parserId: ParserId,
    documentId: DocumentId,
    call: CurrentCall,
    lane: PageViews,
    page: Annotated[int, Query(ge=1)] = 1,
    field: Annotated[str | None, Query(min_length=1, max_length=600)] = None,
    row: Annotated[int | None, Query(ge=1)] = None,
    width: Literal[400, 800, 1400] = 800,
) -> DrawnPage:
    """Return a picture of a page, or, with a field, of the surroundings of its value. A value of a table is
    named "Line Items.Amount", with its row (from 1).
    """
    team_id = call.team_id

    def drawn() -> DrawnPage:
        region = Region(page)
        if field is not None:
            region = value_region(call.inst, team_id, parserId, documentId, field, row)
        picture = page_image(call.inst, team_id, parserId, documentId, region, width)
        return DrawnPage(page=region.page, images=[picture])

    return await lane.run(team_id, drawn)


TOOLS = (get_document_text, get_page_image)
