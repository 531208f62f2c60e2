"""Review stages: responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from docduck.api.schemas.base import ResponseModel
from docduck.api.schemas.documents import PersonResponse
from docduck.service.conditions import Rule


class StageSetupResponse(ResponseModel):
    """The setup of a review stage."""

    id: str
    name: str
    reviewer_instructions: str | None
    position: int = Field(ge=1)
    review_type: Literal["mandatory", "conditional"]
    reviewer: PersonResponse | None
    rules: list[Annotated[dict[str, Any], BeforeValidator(Rule.shown)]]
