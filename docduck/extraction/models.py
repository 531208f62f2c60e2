"""The language models of an installation, by name: that of the settings, and those of models.yaml.

local-large:
  base_url: http://127.0.0.1:8080/v1
  model: qwen3-8b
hosted:
  base_url: https://api.example.org/v1
  model: large-2
  api_key: EXAMPLE_API_KEY        # an environment variable
  input_price: 0.4
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from docduck.errors import InputError
from docduck.extraction.model_options import DEFAULT, ModelOptions, model_options, slots_of
from docduck.located_yaml import read_located_yaml
from docduck.settings import Settings
from docduck.validation_messages import problem_message

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,99}")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Models:
    """The models by name; ``problem`` is what is wrong with models.yaml, whose models are missing then."""

    by_name: Mapping[str, ModelOptions] = field(default_factory=dict)
    problem: str = ""

    @property
    def default(self) -> ModelOptions | None:
        """The model that is used where none is named."""
        return self.by_name.get(DEFAULT)

    def named(self, name: str) -> ModelOptions:
        """Return the model ``name``; raise InputError with the names that there are."""
        if name in self.by_name:
            return self.by_name[name]
        known = f"there are {', '.join(self.by_name)}" if self.by_name else "none is configured"
        problem = f"; {self.problem}" if self.problem else ""
        raise InputError(f"there is no language model '{name}'; {known}{problem}", "model")


class _Entry(BaseModel):
    """A model in models.yaml; what it lacks is as with the settings ``DOCDUCK_MODEL_…``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: Annotated[str, Field(pattern=r"^https?://[^\s/]+\S*$")] | None = None
    file: Path | None = None
    model: Annotated[str, Field(min_length=1, max_length=200)] = "default"
    api_key: str | None = None
    vision: bool | None = None
    picture_width: Annotated[int, Field(ge=256, le=4096)] | None = None
    context_tokens: Annotated[int, Field(ge=2048)] | None = None
    max_concurrent: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0)] | None = None
    input_price: Annotated[float, Field(ge=0)] | None = None
    output_price: Annotated[float, Field(ge=0)] | None = None

    @field_validator("api_key")
    @classmethod
    def _variable(cls, value: str | None) -> str | None:
        # What is no name of a variable may be the key itself, which is shown nowhere.
        if value is not None and not _VARIABLE.fullmatch(value):
            raise ValueError("must be the name of an environment variable, in capitals, that holds the key")
        if value is not None and not os.environ.get(value):
            raise ValueError(f"the environment variable {value} is not set")
        return value

    @model_validator(mode="after")
    def _is_one(self) -> _Entry:
        if (self.base_url is None) == (self.file is None):
            raise ValueError("needs either base_url, the address of its server, or file")
        return self


def read_models(settings: Settings) -> Models:
    """Return the models of the settings and of models.yaml; raise InputError with all problems of that."""
    default = model_options(settings)
    by_name = {} if default is None else {DEFAULT: default}
    if settings.models is not None or settings.models_file.exists():
        by_name |= _read_file(settings, by_name)
    return Models(by_name)


def usable_models(settings: Settings) -> Models:
    """Return the models as ``read_models`` does; without those of models.yaml if that is wrong."""
    try:
        return read_models(settings)
    except InputError as error:
        problem = error.message.splitlines()[0]
        _log.error("%s", problem)
        default = model_options(settings)
        return Models({} if default is None else {DEFAULT: default}, problem)


def _read_file(settings: Settings, known: Collection[str]) -> dict[str, ModelOptions]:
    marked = read_located_yaml(settings.models_file)
    entries = marked.value if marked.value is not None else {}
    if not isinstance(entries, dict):
        raise InputError(f"{marked.name}:1: must have the names of models as keys")
    found: dict[str, ModelOptions] = {}
    for name, raw in entries.items():
        if name in known:
            marked.problems.append((name, "is the name of the model that DOCDUCK_MODEL_BASE_URL sets"))
        elif not _NAME.fullmatch(name):
            marked.problems.append((name, "must be of lower-case letters, digits, '-', '_' and '.'"))
        else:
            try:
                found[name] = _options(settings, name, _Entry.model_validate(raw))
            except ValidationError as error:
                for problem in error.errors():
                    marked.problems.append((".".join([name, *map(str, problem["loc"])]), _words(problem)))
    if marked.problems:
        raise marked.error()
    return found


def _options(settings: Settings, name: str, entry: _Entry) -> ModelOptions:
    given = entry.model_dump(exclude_none=True, exclude={"base_url", "api_key", "file"})
    key = SecretStr(os.environ[entry.api_key]) if entry.api_key else None
    return ModelOptions(
        base_url=entry.base_url or "",
        api_key=key,
        file=entry.file and settings.models_file.absolute().parent / entry.file.expanduser(),
        slots=slots_of(settings.home, name),
        name=name,
        **given,
    )


def _words(problem: Any) -> str:
    if problem["type"] == "extra_forbidden":
        return f"there is no such key; known are {', '.join(_Entry.model_fields)}"
    return problem_message(problem)
