"""The properties of a review stage, each declared once: see ``docduck.service.core.schema``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from docduck.service.conditions.json_schema import RULE
from docduck.service.conditions.rules import MOST_RULES
from docduck.service.core.property_types import Name, Uuid
from docduck.service.core.schema import UNSENT, Schema, partial

LONGEST_INSTRUCTIONS = 500


class StageProperties(Schema):
    """What people set of a review stage; ``rules`` count while ``review_type`` is ``conditional``.

    ``position`` starts at 1; later stages move on.
    """

    name: Name
    reviewer_instructions: Annotated[
        Annotated[str, Field(max_length=LONGEST_INSTRUCTIONS)] | None,
        AfterValidator(lambda text: text or None),
    ] = None
    position: Annotated[int, Field(ge=1, le=1_000_000_000)] = UNSENT
    review_type: Literal["mandatory", "conditional"] = "mandatory"
    on_failed_checks: Literal["ask", "block"] = Field(
        "ask",
        description="Whether a document with failed checks or missing required values can be approved: "
        "`ask` lets the reviewer decide, `block` refuses",
    )
    reviewer_id: Uuid | None = Field(
        None,
        description="A member of the team, who gets the documents. A body may have `reviewer`, as a stage "
        "shows them, in its place",
    )
    rules: list[Annotated[Any, WithJsonSchema(RULE)]] = Field(
        [],
        description="All must hold for a document to be reviewed, if the stage is conditional",
        json_schema_extra={"maxItems": MOST_RULES},
    )


class _StageBody(StageProperties):
    @model_validator(mode="before")
    @classmethod
    def _reviewer_as_shown(cls, sent: Any) -> Any:
        if not isinstance(sent, Mapping) or "reviewer" not in sent or "reviewerId" in sent:
            return sent
        shown = sent["reviewer"]
        reviewer_id = shown.get("id") if isinstance(shown, Mapping) else shown
        return {**{key: value for key, value in sent.items() if key != "reviewer"}, "reviewerId": reviewer_id}


class NewStage(_StageBody):
    """A review stage to create; it is mandatory and the last one unless the body says otherwise."""


@partial
class StageUpdate(_StageBody):
    """The properties to change; a `reviewerId` of null leaves new documents unassigned."""
