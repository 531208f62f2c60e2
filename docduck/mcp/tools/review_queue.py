"""Values that a person, or an agent, should look at."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.lanes import PageViews, Searches
from docduck.api.schemas.base import ResponseModel
from docduck.errors import DocduckError
from docduck.mcp.tool import READ, ResponseWithImages, tool
from docduck.mcp.views import QUOTED
from docduck.service.core.installation import Installation
from docduck.service.core.property_types import Uuid
from docduck.service.documents.queries.unsure_values import MOST_CELLS, UnsureValue, unsure_values
from docduck.service.previews.page_images import page_image, region_of
from docduck.service.previews.surroundings import PAGE_SECONDS, Surroundings

_MOST_IMAGES = 8
_IMAGE_WIDTH, _IMAGE_BYTES = 600, 40_000
_LONGEST_VALUE, _LONGEST_LIST, _LONGEST_ITEM = 300, 10, 60
_READING_SECONDS, _DRAWING_SECONDS = 3.0, 10.0
"""After which no further page is read or drawn."""


class UnsureCell(ResponseModel):
    """A value and why it is unsure."""

    field: str = Field(examples=["Line Items.Amount"])
    row: int | None = Field(description="Of a table, from 1")
    value: Any = Field(description="Texts are cut to 300 characters, lists to 10 items")
    confidence: float | None
    page: int | None
    reasons: list[str]
    text_around: str | None = Field(description="What is printed beside and above the value")
    image: int | None = Field(description="Which of the pictures shows it, from 1")


class UnsureDocument(ResponseModel):
    """A document with values that are unsure."""

    document_id: str
    document_name: str
    parser_id: str
    cells: list[UnsureCell]


class ReviewQueue(ResponseWithImages):
    """Unsure values, those of the newest documents first."""

    data: list[UnsureDocument]
    next_cursor: str | None = Field(description="For the next values; null if all documents were checked")


@tool("review_queue", "List unsure values", "documents:read", READ, QUOTED)
async def review_queue(
    call: CurrentCall,
    searches: Searches,
    page_views: PageViews,
    parserId: Uuid | None = None,
    below: Annotated[float | None, Query(ge=0, le=1)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_CELLS)] = 20,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
    images: bool = False,
) -> ReviewQueue:
    """Return the values of unconfirmed documents that are unsure: confidence below the parser's
    `unsureBelow`, or `below`, required but missing, or contradicted by a check; with the text around, and
    pictures of the first 8 if images is true.
    """
    team_id = call.team_id
    waiting = await searches.run(
        team_id,
        lambda: unsure_values(call.inst, team_id, parserId, below=below, limit=limit, cursor=cursor),
    )
    queue = ReviewQueue(data=[], next_cursor=waiting.cursor)

    def show() -> None:
        texts = Surroundings(call.inst, team_id, _READING_SECONDS)
        end = time.monotonic() + _DRAWING_SECONDS
        for cell in waiting.cells:
            number = None
            if images and len(queue.images) < _MOST_IMAGES and time.monotonic() < end:
                for picture in _pictures(call.inst, team_id, cell):
                    queue.images.append(picture)
                    number = len(queue.images)
            if not queue.data or queue.data[-1].document_id != cell.document_id:
                queue.data.append(UnsureDocument.of(cell, cells=[]))
            text = texts.text(cell.document_id, cell.places)
            queue.data[-1].cells.append(_shown(cell, text, number))

    await page_views.run(team_id, show)
    return queue


def _pictures(inst: Installation, team_id: str, cell: UnsureValue) -> Iterator[bytes]:
    """Yield the picture of a value, if there is one."""
    region = region_of(cell.places)
    if region is not None:
        try:
            yield page_image(
                inst,
                team_id,
                cell.parser_id,
                cell.document_id,
                region,
                _IMAGE_WIDTH,
                _IMAGE_BYTES,
                PAGE_SECONDS,
            )
        except DocduckError:
            return


def _shown(cell: UnsureValue, text: str | None, image: int | None) -> UnsureCell:
    page = cell.places[0]["page"] if cell.places else None
    return UnsureCell.of(cell, value=_cut_value(cell.value), page=page, text_around=text, image=image)


def _cut_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_cut(str(item), _LONGEST_ITEM) for item in value[:_LONGEST_LIST]]
    return _cut(value, _LONGEST_VALUE) if isinstance(value, str) else value


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


TOOLS = (review_queue,)
