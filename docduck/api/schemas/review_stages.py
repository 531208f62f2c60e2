"""Review stages: responses; the bodies are ``docduck.service.schemas.review_stages``."""

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


class StageList(ResponseModel):
    """Review stages by position."""

    data: list[StageSetupResponse]


class Reviewer(PersonResponse):
    """A member of the team, who can be a reviewer."""

    role: str = Field(examples=["reviewer"])


class ReviewerList(ResponseModel):
    """The members of the team, by name."""

    data: list[Reviewer]
