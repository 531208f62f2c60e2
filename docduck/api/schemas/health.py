"""Health checks: responses."""

from __future__ import annotations

from pydantic import Field

from docduck.api.schemas.base import ResponseModel


class Liveness(ResponseModel):
    """The process takes requests."""

    status: str = Field(examples=["ok"])


class Readiness(ResponseModel):
    """Whether requests can be served, and what is missing, by part.

    `warnings` are troubles in spite of which requests are served.
    """

    status: str = Field(examples=["ready"])
    problems: dict[str, str] = Field(examples=[{}])
    warnings: dict[str, str] = Field(examples=[{}])
