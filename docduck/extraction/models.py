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

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from docduck.errors import InputError
from docduck.extraction.model_options import DEFAULT, ModelOptions, model_options, slots_of
from docduck.local_model.status import ModelStatus, local_status
from docduck.located_yaml import read_located_yaml
from docduck.settings import Settings
from docduck.validation_messages import problem_message

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,99}")
_PREFIX = "model_"
_KEYS = {
    "model" if name == "model_name" else name.removeprefix(_PREFIX): name
    for name in Settings.model_fields
    if name.startswith(_PREFIX) and name not in ("model_monthly_budget", "model_hub")
}
"""The keys of a model in models.yaml, and the settings that they are like."""
_PLACES = ("file", "preset", "base_url")
"""One of them says where the model is."""
_OF_FILE = ("file", "context_tokens", "seconds")
"""The keys of a model file; the others do nothing for it."""


@dataclass(frozen=True, slots=True)
class Models:
    """The models by name; ``problem`` is what is wrong with models.yaml, whose models are missing then."""

    by_name: Mapping[str, ModelOptions] = field(default_factory=dict)
    problem: str = ""

    @property
    def default(self) -> ModelOptions | None:
        """The model that is used where none is named."""
        return self.by_name.get(DEFAULT)

    def chosen(self, name: str | None) -> ModelOptions | None:
        """Return the model ``name``, or the one that is used where none is named; raise as ``named`` does."""
        return self.default if name is None else self.named(name)

    def has(self, name: str | None) -> bool:
        """Return whether there is the model ``name``, or one that is used where none is named."""
        return (DEFAULT if name is None else name) in self.by_name

    def named(self, name: str) -> ModelOptions:
        """Return the model ``name``; raise InputError with the names that there are."""
        if name in self.by_name:
            return self.by_name[name]
        known = f"there are {', '.join(self.by_name)}" if self.by_name else "none is configured"
        problem = f"; {self.problem}" if self.problem else ""
        raise InputError(f"there is no language model '{name}'; {known}{problem}", "model")


class _Entry(Settings):
    """A model in models.yaml as the settings ``DOCDUCK_MODEL_…`` that it would have, of no environment."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


def read_models(settings: Settings) -> Models:
    """Return the models of the settings and of models.yaml; raise InputError with all problems of that."""
    default = _default(settings)
    return Models(default | _further(settings, default))


def usable_models(settings: Settings) -> Models:
    """Return the models as ``read_models`` does; without those of models.yaml if that is wrong."""
    default = _default(settings)
    try:
        return Models(default | _further(settings, default))
    except InputError as error:
        return Models(default, error.message.splitlines()[0])


def model_status(settings: Settings) -> ModelStatus | None:
    """Return what is known of the model that is used where none is named; None if there is none."""
    model = usable_models(settings).default
    if model is None:
        return None
    if model.local is not None:
        return local_status(model.local)
    return ModelStatus(model.model, endpoint=model.host)


def _default(settings: Settings) -> dict[str, ModelOptions]:
    model = model_options(settings)
    return {} if model is None else {DEFAULT: model}


def _further(settings: Settings, known: Collection[str]) -> dict[str, ModelOptions]:
    """Return the models of models.yaml, if there is such a file."""
    if settings.models is None and not settings.models_file.exists():
        return {}
    marked = read_located_yaml(settings.models_file)
    entries = marked.value if marked.value is not None else {}
    if not isinstance(entries, dict):
        raise InputError(f"{marked.name}:1: must have the names of models as keys")
    found: dict[str, ModelOptions] = {}
    for name, raw in entries.items():
        problems: list[tuple[str, str]] = []
        if name in known:
            problems.append(("", "is the name of the model that DOCDUCK_MODEL_… set"))
        elif not _NAME.fullmatch(name):
            problems.append(("", "must be of lower-case letters, digits, '-', '_' and '.'"))
        elif not isinstance(raw, dict):
            problems.append(("", f"must be an object with the keys {', '.join(_KEYS)}"))
        else:
            values, problems = _values(raw, settings.models_file.parent)
            try:
                options = model_options(_Entry(home=settings.home, **values))
                if options is not None:
                    found[name] = replace(options, name=name, slots=slots_of(settings.home, name))
            except ValidationError as error:
                problems += [_problem(problem) for problem in error.errors()]
        marked.problems += [(f"{name}.{key}" if key else name, words) for key, words in problems]
    if marked.problems:
        raise marked.error()
    return found


def _values(raw: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the values of settings that an entry has, and what is wrong with it, by key.

    A model file may be relative to the ``folder`` of models.yaml.
    """
    values: dict[str, Any] = {}
    problems: list[tuple[str, str]] = []
    is_file = raw.get("file") is not None
    if not any(key in raw for key in _PLACES):
        problems.append(("", f"needs one of {', '.join(_PLACES)}"))
    for key, value in raw.items():
        try:
            if key not in _KEYS:
                raise InputError(f"there is no such key; known are {', '.join(_KEYS)}")
            if is_file and key not in _OF_FILE:
                raise InputError(f"does nothing for a model file, whose keys are {', '.join(_OF_FILE)}")
            values[_KEYS[key]] = _value(key, value, folder)
        except InputError as error:
            problems.append((key, error.message))
    return values, problems


def _value(key: str, value: Any, folder: Path) -> Any:
    """Return a value with the secrets, or as the file, that it names."""
    match key, value:
        case "file", str():
            return folder.absolute() / value
        case "api_key", _:
            return _variable(value)
        case "extra_headers", dict():
            return {header: _variable(variable) for header, variable in value.items()}
    return value


def _variable(name: Any) -> str:
    """Return the value of an environment variable. What is no name of one may be a secret: it is not told."""
    if not isinstance(name, str) or not _VARIABLE.fullmatch(name):
        raise InputError("must be the name of an environment variable, in capitals, which holds the secret")
    value = os.environ.get(name)
    if not value:
        raise InputError(f"the environment variable {name} is not set")
    return value


def _problem(problem: Any) -> tuple[str, str]:
    """Return the key of an entry that is wrong, and what to say of it."""
    setting, *inside = problem["loc"]
    key = next(key for key, named in _KEYS.items() if named == setting)
    return ".".join([key, *map(str, inside)]), _in_keys(problem_message(problem))


def _in_keys(words: str) -> str:
    """Return a message about settings as one about the keys of a model."""
    return re.sub(r"DOCDUCK_MODEL_([A-Z_]+)", lambda match: match[1].lower(), words)
