"""The language model and how to use it."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import SecretStr

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
        return replace(self, base_url="", api_key=None, local=None)


def model_options(settings: Settings) -> ModelOptions | None:
    """Return the model of the settings, or the one chosen for the home; None if there is none.

    Raise InputError if the settings name two.
    """
    local = local_model(settings)
    if local is not None:
        return ModelOptions(
            base_url="",
            model=local.name,
            context_tokens=local.context_tokens,
            max_concurrent=1,
            seconds=settings.model_seconds,
            retries=_LOCAL_RETRIES,
            slots=_slots(settings.home),
            local=local,
        )
    if settings.model_base_url is None:
        return None
    return ModelOptions(
        base_url=settings.model_base_url,
        model=settings.model_name,
        api_key=settings.model_api_key,
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
