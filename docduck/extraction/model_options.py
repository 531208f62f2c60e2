"""The language model and how to use it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from docduck.errors import InputError
from docduck.extraction.model_presets import OTHER, PRESETS, Preset, Reasoning, preset_at
from docduck.local_model.choice import LocalModel, local_model
from docduck.settings import Settings

_ENDPOINT_CONTEXT_TOKENS = 32_768
_LOCAL_RETRIES = 1
"""A server on this machine is started again by itself, and answers the same to the same question."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """An OpenAI-compatible endpoint, or a ``local`` model; the settings explain each option.

    ``slots`` is the folder whose lock files limit the requests of all processes of this host.
    """

    base_url: str
    model: str
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
    slots: Path = Path(tempfile.gettempdir())
    local: LocalModel | None = None

    def for_worker(self) -> ModelOptions:
        """Return the options without the endpoint, which a worker reaches through its pool."""
        return replace(self, base_url="", api_key=None, extra_headers={}, local=None)


def model_options(settings: Settings, name: str | None = None) -> ModelOptions | None:
    """Return the model of the settings, or the one chosen for the home; None if there is none.

    Raise InputError if it is not the one that ``name`` asks for, or if the settings name two.
    """
    model = _model(settings)
    if name is not None and (model is None or name != model.model):
        remedy = f"there is {model.model}" if model else "set DOCDUCK_MODEL_BASE_URL and DOCDUCK_MODEL_NAME"
        raise InputError(f"There is no language model '{name}'; {remedy}", "model")
    return model


def _model(settings: Settings) -> ModelOptions | None:
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
            slots=_slots(settings.home),
            local=local,
        )
    preset = PRESETS[settings.model_preset] if settings.model_preset else None
    base_url = settings.model_base_url or (preset.base_url if preset else None)
    if base_url is None:
        return None
    return ModelOptions(
        base_url=base_url,
        model=settings.model_name,
        api_key=settings.model_api_key,
        preset=preset or preset_at(base_url),
        extra_headers=settings.model_extra_headers or {},
        extra_body=settings.model_extra_body or {},
        reasoning=settings.model_reasoning,
        vision=settings.model_vision,
        context_tokens=settings.model_context_tokens or _ENDPOINT_CONTEXT_TOKENS,
        max_concurrent=settings.model_max_concurrent,
        seconds=settings.model_seconds,
        input_price=settings.model_input_price,
        output_price=settings.model_output_price,
        slots=_slots(settings.home),
    )


def _slots(home: Path) -> Path:
    """Return a folder in the home, or in this user's temporary folder if there is no home."""
    if home.is_dir():
        return home.absolute() / "model-slots"
    return Path(tempfile.gettempdir()) / f"docduck-{os.getuid()}" / "model-slots"
