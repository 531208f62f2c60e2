"""Review stages: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from docduck.api.schemas.base import Name, ResponseModel, Uuid
from docduck.api.schemas.conditions import RULE
from docduck.api.schemas.documents import PersonResponse
from docduck.service.conditions import Rule
from docduck.service.conditions.rules import MOST_RULES
from docduck.service.core.schema import Schema

Instructions = Annotated[str, Field(max_length=500)]
Position = Annotated[int, Field(ge=1, le=1_000_000_000)]
RuleBody = Annotated[Any, WithJsonSchema(RULE)]


class StageUpdate(Schema):
    """The properties to change; a `reviewerId` of null leaves new documents unassigned."""

    name: Name = ""
    reviewer_instructions: Instructions | None = None
    position: Position = 1
    review_type: Literal["mandatory", "conditional"] = "mandatory"
    reviewer_id: Uuid | None = Field(None, description="A member of the team, who gets the documents")
    rules: Annotated[list[RuleBody], Field(max_length=MOST_RULES)] = Field(
        [], description="All must hold for a document to be reviewed, if the stage is conditional"
    )


class NewStage(StageUpdate):
    """A review stage to create; it is mandatory and the last one unless the body says otherwise."""

    name: Name


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
