"""Lessons: responses."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from docduck.api.schemas.base import ResponseModel, Timestamp
from docduck.service.accounts.audit_log import ActorView
from docduck.service.corrections.lessons import LessonKind, LessonStatus


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
