"""The base of pipeline.yaml's objects."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationInfo


class Spec(BaseModel):
    """An object in pipeline.yaml: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


def located(path: Path, info: ValidationInfo) -> Path:
    """Return the path below the context of a validation, the folder that the file is in."""
    return path if info.context is None else info.context / path.expanduser()


FilePath = Annotated[Path, AfterValidator(located)]
"""A path in the file, absolute after loading."""
