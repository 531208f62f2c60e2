"""What a team uses: responses."""

from __future__ import annotations

import datetime as dt

from pydantic import Field

from docduck.api.schemas.base import ResponseModel


class DayUsage(ResponseModel):
    """Documents of a parser that came on a day (UTC)."""

    day: dt.date
    parser_id: str
    parser_name: str
    documents: int = Field(ge=0)
    pages: int = Field(ge=0, description="As far as they are read")


class ModelMonth(ResponseModel):
    """Use of a language model in a month (UTC)."""

    month: str = Field(examples=["2026-01"])
    model: str
    documents: int = Field(ge=0)
    requests: int = Field(ge=0)
    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cost: float = Field(ge=0, description="In the currency of the prices")


class TeamUsageResponse(ResponseModel):
    """A team's use in this month and the eleven before it, the newest first."""

    days: list[DayUsage]
    models: list[ModelMonth]
