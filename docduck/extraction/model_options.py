"""A language model's endpoint and how to use it."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

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
    vision: bool = False
    context_tokens: int = 32_768
    max_concurrent: int = 4
    seconds: float = 120.0
    retries: int = 3
    input_price: float = 0.0
    output_price: float = 0.0
    slots: Path = Path(tempfile.gettempdir())
    name: str = DEFAULT
    file: Path | None = None
    picture_width: int = 1200

    @property
    def is_on_this_machine(self) -> bool:
        """Whether no document leaves this machine for it."""
        return self.file is not None or is_loopback(urlsplit(self.base_url).hostname or "")

    @property
    def label(self) -> str:
        """What it is called in the usage of teams."""
        return self.model if self.name == DEFAULT else f"{self.name} ({self.model})"

    def for_worker(self) -> ModelOptions:
        """Return the options without the endpoint, which a worker reaches through its pool."""
        return replace(self, base_url="", api_key=None, file=None)


def model_options(settings: Settings) -> ModelOptions | None:
    """Return the model of the settings, None if they name none."""
    if settings.model_base_url is None:
        return None
    return ModelOptions(
        base_url=settings.model_base_url,
        model=settings.model_name,
        api_key=settings.model_api_key,
        vision=settings.model_vision,
        context_tokens=settings.model_context_tokens,
        max_concurrent=settings.model_max_concurrent,
        seconds=settings.model_seconds,
        input_price=settings.model_input_price,
        output_price=settings.model_output_price,
        slots=slots_of(settings.home, DEFAULT),
        picture_width=settings.model_picture_width,
    )


def slots_of(home: Path, name: str) -> Path:
    """Return the folder of a model's slots, in the home, or in this user's temporary folder without one."""
    if home.is_dir():
        return home.absolute() / "model-slots" / name
    return Path(tempfile.gettempdir()) / f"docduck-{os.getuid()}" / "model-slots" / name
