"""What a parser has learned from corrections and approvals."""

from __future__ import annotations

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import LessonId, Limit, PageNumber, ParserId
from docduck.api.route import ResourceRouter
from docduck.api.schemas.base import Done, PageResponse
from docduck.service.corrections.lessons import LessonView, list_lessons, remove_lesson

router = ResourceRouter("/parsers/{parserId}/lessons", "Parsers", read="parsers:read", write="parsers:write")


@router.get("", summary="List lessons", operation_id="lessons.list")
def list_(
    parserId: ParserId, call: CurrentCall, page: PageNumber = 1, limit: Limit = 50
) -> PageResponse[LessonView]:
    """Return what the parser has learned of its fields from corrections and approvals, newest first."""
    return PageResponse[LessonView].of_page(list_lessons(*call.team, parserId, page, limit))


@router.delete("/{lessonId}", summary="Remove a lesson", operation_id="lessons.remove")
def remove(parserId: ParserId, lessonId: LessonId, call: CurrentCall) -> Done:
    """Forget a lesson: it counts for no document that is read from now on. The document keeps its values."""
    return Done(success=True, id=remove_lesson(*call.team, parserId, lessonId, call.actor))
