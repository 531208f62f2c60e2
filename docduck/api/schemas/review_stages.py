"""Review stages: responses (spec.md, Review stage)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from docduck.api.schemas.base import Shown
from docduck.api.schemas.documents import PersonShown


class StageSetupShown(Shown):
    """A review stage, as it is set up."""

    id: str
    name: str
    reviewer_instructions: str | None
    position: int = Field(ge=1)
    review_type: Literal["mandatory", "conditional"]
    reviewer: PersonShown | None
    rules: list[dict[str, Any]]
