"""Operations: responses."""

from __future__ import annotations

from pydantic import Field

from docduck.api.schemas.base import ResponseModel, omitted_if_none


class OperationResponse(ResponseModel):
    """The state of an upload, and the Dagster run that reads its document."""

    name: str = Field(examples=["operations/0190b3c2-7c3e-7000-8000-000000000000"])
    done: bool
    document_id: str
    status: str = Field(examples=["processing"])
    run_id: str | None
    run_url: str | None
    error: str | None = omitted_if_none("Only when it failed")
