"""Review stages: responses; the bodies are ``docduck.service.schemas.review_stages``."""

from __future__ import annotations

from pydantic import Field

from docduck.api.schemas.base import ResponseModel
from docduck.service.reviews.review_stages import StageSetup


class StageList(ResponseModel):
    """Review stages by position."""

    data: list[StageSetup]


class Reviewer(ResponseModel):
    """A member of the team, who can be a reviewer."""

    id: str
    name: str
    email: str
    role: str = Field(examples=["reviewer"])


class ReviewerList(ResponseModel):
    """The members of the team, by name."""

    data: list[Reviewer]
