"""The models that can be pulled by name: ``models.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

import yaml

from docduck.errors import InputError


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model and the file that its publisher has at the hub, in one ``revision``.

    ``memory`` is what it needs with a context of 8,192 tokens, as text.
    """

    name: str
    title: str
    repository: str
    revision: str
    file: str
    bytes: int
    sha256: str
    memory: str
    licence: str
    good_for: str

    def url(self, hub: str) -> str:
        """Return the address of the file at a hub."""
        return f"{hub.rstrip('/')}/{self.repository}/resolve/{self.revision}/{self.file}"


@cache
def listed_models() -> tuple[ListedModel, ...]:
    """Return all models of the list, the smallest first."""
    entries = yaml.safe_load(files(__package__).joinpath("models.yaml").read_text(encoding="utf-8"))
    return tuple(ListedModel(**entry) for entry in entries)


def listed_model(name: str) -> ListedModel:
    """Return the model of this name; raise InputError if the list has none."""
    by_name = {model.name: model for model in listed_models()}
    if name not in by_name:
        alike = get_close_matches(name.lower(), by_name, 1)
        hint = f"did you mean {alike[0]}?" if alike else "docduck model list shows all"
        raise InputError(f"There is no model '{name}'; {hint}", "name", known=tuple(by_name))
    return by_name[name]
