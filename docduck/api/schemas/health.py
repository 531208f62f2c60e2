"""What monitors are told."""

from __future__ import annotations

from pydantic import Field

from docduck.api.schemas.base import Shown


class Alive(Shown):
    """The process takes requests."""

    status: str = Field(examples=["ok"])


class Ready(Shown):
    """Whether requests can be served, and what is missing, by part."""

    status: str = Field(examples=["ready"])
    problems: dict[str, str] = Field(examples=[{}])
