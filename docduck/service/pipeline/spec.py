"""The base of pipeline.yaml's objects."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Spec(BaseModel):
    """An object in pipeline.yaml: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ProblemAt(ValueError):
    """What the validator of a whole object finds wrong with one of its keys."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(words)
        self.key = key
