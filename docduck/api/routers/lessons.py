"""What a parser has learned from corrections and approvals."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import LessonId, Limit, PageNumber, ParserId
from docduck.api.route import ResourceRouter
from docduck.api.schemas.base import Done, PageResponse, ResponseModel, Timestamp
from docduck.service.accounts.audit_log import ActorView
from docduck.service.corrections.lessons import LessonKind, LessonStatus, list_lessons, remove_lesson


class LessonResponse(ResponseModel):
    """What a parser has learned of a field from one document."""

    id: str
    field_id: str
    field: str
    column: str | None = Field(description="The column, if the lesson is of one of a table")
    kind: LessonKind = Field(
        description="`place`: where the value is printed. `header`: the text over a column. `constant`: the "
        "value of documents that don't print it. `empty`: a place whose value is not the field's"
    )
    status: LessonStatus = Field(
        description="`superseded` if a newer correction teaches another place, `waiting` if another document "
        "has to agree first"
    )
    label: str | None = Field(description="The text that announces the value")
    page: int | None = Field(description="The page of the place, from 1; -1 is the last")
    value: Any = Field(description="The value of a constant")
    documents: int = Field(description="How many documents agree")
    corrected: bool = Field(description="False if people only confirmed the value")
    document_id: str | None = Field(description="The document that taught it; null if it was deleted")
    document_name: str | None
    learned_by: ActorView | None = Field(description="Who set the value; null if it was right as read")
    learned_at: Timestamp


router = ResourceRouter("/parsers/{parserId}/lessons", "Parsers", read="parsers:read", write="parsers:write")


@router.get("", summary="List lessons", operation_id="lessons.list")
def list_(
    parserId: ParserId, call: CurrentCall, page: PageNumber = 1, limit: Limit = 50
) -> PageResponse[LessonResponse]:
    """Return what the parser has learned of its fields from corrections and approvals, newest first."""
    return PageResponse[LessonResponse].of_page(list_lessons(call.inst, call.team_id, parserId, page, limit))


@router.delete("/{lessonId}", summary="Remove a lesson", operation_id="lessons.remove")
def remove(parserId: ParserId, lessonId: LessonId, call: CurrentCall) -> Done:
    """Forget a lesson: it counts for no document that is read from now on. The document keeps its values."""
    return Done(success=True, id=remove_lesson(call.inst, call.team_id, parserId, lessonId, call.actor))
