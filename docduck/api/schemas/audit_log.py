"""The audit log: responses."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from docduck.api.schemas.base import ResponseModel, Timestamp


class ActorResponse(ResponseModel):
    """Who did it."""

    type: Literal["user", "key", "system"]
    id: str | None = Field(description="null for a part of the system, and for a deleted key")
    name: str = Field(examples=["CI"])


class AuditEntryResponse(ResponseModel):
    """An entry of the audit log."""

    id: str
    at: Timestamp
    actor: ActorResponse
    action: str = Field(examples=["parser.updated"])
    resource_type: str = Field(examples=["parser"])
    resource_id: str
    details: dict[str, Any] | None = Field(
        description="For a change: `changed`, names, and their values `before` and `after`, of at most 1,000 "
        "characters each",
        examples=[{"changed": ["name"], "before": {"name": "Bills"}, "after": {"name": "Invoices"}}],
    )
