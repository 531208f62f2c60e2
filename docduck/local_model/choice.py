"""Which model on this machine a home uses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from docduck.errors import InputError
from docduck.local_model.gguf import read_header
from docduck.local_model.private_files import private_folder, read_private, write_private
from docduck.owner import home_or_temporary
from docduck.settings import Settings

CONTEXT_TOKENS = 8192
"""The context of a model on this machine, unless the settings name another."""

_CHOICE = "chosen.json"


@dataclass(frozen=True, slots=True)
class Choice:
    """The model that ``docduck model use`` chose; ``licence`` is what is known of it."""

    file: str
    name: str
    licence: str | None = None


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model file, and how it is served: ``folder`` holds the state of its server."""

    file: Path
    name: str
    folder: Path
    context_tokens: int = CONTEXT_TOKENS
    licence: str | None = None


def check_model(settings: Settings) -> None:
    """Raise InputError if the settings name two models."""
    other = "MODEL_BASE_URL" if settings.model_base_url is not None else "MODEL_PRESET"
    if settings.model_file is not None and _names_endpoint(settings):
        raise InputError(
            f"DOCDUCK_MODEL_FILE and DOCDUCK_{other} are both set: unset one of them", "DOCDUCK_MODEL_FILE"
        )


def local_model(settings: Settings) -> LocalModel | None:
    """Return the model on this machine; None if an endpoint is used, or nothing.

    ``DOCDUCK_MODEL_FILE`` goes before what ``docduck model use`` chose. Raise InputError as ``check_model``.
    """
    check_model(settings)
    if _names_endpoint(settings):
        return None
    if settings.model_file is not None:
        choice: Choice | None = Choice(str(settings.model_file.absolute()), settings.model_file.stem)
    else:
        choice = chosen(settings.home)
    if choice is None:
        return None
    file = Path(choice.file)
    context, licence = settings.model_context_tokens or CONTEXT_TOKENS, choice.licence
    try:
        header = read_header(file)
    except InputError:
        # Documents are read without it, and say so.
        pass
    else:
        context, licence = min(context, header.context_tokens), licence or header.licence
    return LocalModel(file, choice.name, servers_folder(settings.home), context, licence)


def _names_endpoint(settings: Settings) -> bool:
    return settings.model_base_url is not None or settings.model_preset is not None


def chosen(home: Path) -> Choice | None:
    """Return the model that was chosen for a home; None if none was."""
    return read_private(models_folder(home) / _CHOICE, Choice)


def choose(home: Path, choice: Choice | None) -> None:
    """Make a model that of the home; None for no model."""
    if choice is None:
        (models_folder(home) / _CHOICE).unlink(missing_ok=True)
        return
    private_folder(models_folder(home))
    write_private(models_folder(home) / _CHOICE, choice)


def models_folder(home: Path) -> Path:
    """Return the folder of a home for models that were pulled."""
    return home.absolute() / "models"


def servers_folder(home: Path) -> Path:
    """Return the folder for the state of servers, in the home or in this user's temporary folder."""
    return models_folder(home_or_temporary(home)) / "servers"
