"""A language model, an endpoint or a file on this machine, and how to use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from docduck.extraction.model_presets import OTHER, PRESETS, Preset, Reasoning, preset_at
from docduck.hosts import is_loopback
from docduck.local_model.choice import LocalModel, local_model
from docduck.owner import home_or_temporary
from docduck.settings import Settings

DEFAULT = "default"
"""The name of the model of the settings, which is used where none is named."""

_ENDPOINT_CONTEXT_TOKENS = 32_768
_LOCAL_RETRIES = 1
"""A server on this machine is started again by itself, and answers the same to the same question."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """An OpenAI-compatible endpoint, or a ``local`` model.

    The settings, and models.yaml, explain each option. ``name`` is what parsers call it, ``model`` what the
    endpoint does. ``slots`` is the folder whose lock files limit the requests of all processes of this host.
    """

    base_url: str
    model: str
    slots: Path
    api_key: SecretStr | None = None
    preset: Preset = OTHER
    extra_headers: Mapping[str, SecretStr] = field(default_factory=dict)
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    reasoning: Reasoning = "default"
    vision: bool = False
    context_tokens: int = _ENDPOINT_CONTEXT_TOKENS
    max_concurrent: int = 4
    seconds: float = 120.0
    retries: int = 3
    input_price: float = 0.0
    output_price: float = 0.0
    name: str = DEFAULT
    picture_width: int = 1200
    local: LocalModel | None = None

    @property
    def is_on_this_machine(self) -> bool:
        """Whether no document leaves this machine for it."""
        return self.local is not None or is_loopback(self.host or "")

    @property
    def host(self) -> str | None:
        """The host that is asked; None for a ``local`` model."""
        return urlsplit(self.base_url).hostname

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
        return replace(self, base_url="", api_key=None, extra_headers={}, local=None)


def model_options(settings: Settings) -> ModelOptions | None:
    """Return the model of the settings, or the one chosen for the home; None if there is none.

    Raise InputError if the settings name two.
    """
    local = local_model(settings)
    if local is not None:
        return ModelOptions(
            base_url="",
            model=local.name,
            preset=PRESETS["llamacpp"],
            context_tokens=local.context_tokens,
            max_concurrent=1,
            seconds=settings.model_seconds,
            retries=_LOCAL_RETRIES,
            slots=slots_of(settings.home, DEFAULT),
            local=local,
        )
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
        context_tokens=settings.model_context_tokens or _ENDPOINT_CONTEXT_TOKENS,
        max_concurrent=settings.model_max_concurrent,
        seconds=settings.model_seconds,
        input_price=settings.model_input_price,
        output_price=settings.model_output_price,
        slots=slots_of(settings.home, DEFAULT),
        picture_width=settings.model_picture_width or preset.picture_width,
    )


def slots_of(home: Path, name: str) -> Path:
    """Return the folder of a model's slots, in the home or in this user's temporary folder."""
    return home_or_temporary(home) / "model-slots" / name
