"""Parser templates, each a YAML file in this folder."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from docduck.errors import InputError
from docduck.fields import Field, parse_fields


@dataclass(frozen=True, slots=True)
class Template:
    """A parser template: ``slug`` names its folder in the inbox and its schema in the warehouse.

    ``settings`` holds only what differs from a new parser's defaults.
    """

    key: str
    name: str
    slug: str
    description: str
    settings: dict[str, Any]
    fields: list[Field]


def keys() -> list[str]:
    """Return the keys of all templates, sorted."""
    names = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def load(key: str) -> Template:
    """Return the template ``key``. Raise InputError with the known keys if there is none."""
    known = keys()
    if key not in known:
        raise InputError(f"Unknown templateKey: {key}. Known: {', '.join(known)}", "templateKey")
    raw = yaml.safe_load(files(__name__).joinpath(f"{key}.yaml").read_text(encoding="utf-8"))
    return Template(
        key=raw["key"],
        name=raw["name"],
        slug=raw["slug"],
        description=raw["description"],
        settings=raw.get("settings", {}),
        fields=parse_fields(raw["fields"]),
    )
