"""The base of pipeline.yaml's objects."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Spec(BaseModel):
    """An object in pipeline.yaml: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)
