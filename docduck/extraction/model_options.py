"""A language model's endpoint and how to use it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from docduck.extraction.model_presets import OTHER, PRESETS, Preset, Reasoning, preset_at
from docduck.hosts import is_loopback
from docduck.settings import Settings

DEFAULT = "default"
"""The name of the model of the settings, which is used where none is named."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """An OpenAI-compatible endpoint; the settings, and models.yaml, explain each option.

    ``name`` is what parsers call it, ``model`` what the endpoint does. ``slots`` is the folder whose lock
    files limit the requests of all processes of this host.
    """

    base_url: str
    model: str
    api_key: SecretStr | None = None
    preset: Preset = OTHER
    extra_headers: Mapping[str, SecretStr] = field(default_factory=dict)
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    reasoning: Reasoning = "default"
    vision: bool = False
    context_tokens: int = 32_768
    max_concurrent: int = 4
    seconds: float = 120.0
    retries: int = 3
    input_price: float = 0.0
    output_price: float = 0.0
    slots: Path = Path(tempfile.gettempdir())
    name: str = DEFAULT
    picture_width: int = 1200

    @property
    def is_on_this_machine(self) -> bool:
        """Whether no document leaves this machine for it."""
        return is_loopback(urlsplit(self.base_url).hostname or "")

    @property
    def label(self) -> str:
        """What it is called in the usage of teams."""
        if self.name == DEFAULT:
            return self.model
        return self.name if self.model == DEFAULT else f"{self.name} ({self.model})"

    def setting(self, key: str) -> str:
        """Return what the operator changes to set an option, by its key in models.yaml."""
        if self.name != DEFAULT:
            return f"{key} of '{self.name}' in models.yaml"
        return f"DOCDUCK_MODEL_{'name' if key == 'model' else key}".upper()

    def for_worker(self) -> ModelOptions:
        """Return the options without the endpoint, which a worker reaches through its pool."""
        return replace(self, base_url="", api_key=None, extra_headers={})


def model_options(settings: Settings) -> ModelOptions | None:
    """Return the model of the settings, None if they name none."""
    preset = PRESETS[settings.model_preset] if settings.model_preset else None
    base_url = settings.model_base_url or (preset.base_url if preset else None)
    if base_url is None:
        return None
    preset = preset or preset_at(base_url)
    return ModelOptions(
        base_url=base_url,
        model=settings.model_name,
        api_key=settings.model_api_key,
        preset=preset,
        extra_headers=settings.model_extra_headers or {},
        extra_body=settings.model_extra_body or {},
        reasoning=settings.model_reasoning,
        vision=settings.model_vision,
        context_tokens=settings.model_context_tokens,
        max_concurrent=settings.model_max_concurrent,
        seconds=settings.model_seconds,
        input_price=settings.model_input_price,
        output_price=settings.model_output_price,
        slots=slots_of(settings.home, DEFAULT),
        picture_width=settings.model_picture_width or preset.picture_width,
    )


def slots_of(home: Path, name: str) -> Path:
    """Return the folder of a model's slots, in the home, or in this user's temporary folder without one."""
    if home.is_dir():
        return home.absolute() / "model-slots" / name
    return Path(tempfile.gettempdir()) / f"docduck-{os.getuid()}" / "model-slots" / name
