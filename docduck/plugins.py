"""What other packages add to docduck, found by entry points: formats, domains, sources and exports.

A package declares its objects in its ``pyproject.toml``, one group for each kind, and needs no other
registration::

    [project.entry-points."docduck.readers"]
    logbook = "my_package.logbook:LogbookReader"

The groups and their protocols are ``docduck.readers`` (``docduck.documents.reader.AddedReader``),
``docduck.extractors`` (``docduck.extraction.extractor.Extractor``), ``docduck.exports``
(``docduck.exports.plan.ExportFormat``) and ``docduck.sources``
(``docduck.service.pipeline.source_kinds.AddedSource``).
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from docduck.errors import DocduckError

Group = Literal["readers", "extractors", "sources", "exports"]
OWN_PACKAGE = "docduck"
_MEMBERS: dict[Group, tuple[str, ...]] = {
    "readers": ("file_types", "page_count", "read", "render"),
    "extractors": ("find",),
    "sources": ("settings", "finishes", "connect"),
    "exports": ("content_type", "extension", "scopes", "write"),
}
"""What the objects of each group have."""

_log = logging.getLogger(__name__)


class BrokenPlugin(DocduckError):
    """A plugin can't be loaded, or is not what its group asks for; ``message`` names it and its package."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point: ``package`` declares ``name`` in a group, for the object ``module:attribute``."""

    group: Group
    name: str
    package: str
    version: str
    module: str
    attribute: str

    def __str__(self) -> str:
        return f"{self.name} ({self.group}) of the package {self.package} {self.version}"

    def load(self) -> Any:
        """Return the object, an instance if it is a class; it is imported once.

        Raise BrokenPlugin if it can't be imported or made, or lacks a member of its group's protocol.
        """
        value = _load(self)
        if isinstance(value, BrokenPlugin):
            raise value
        return value


@cache
def plugins(group: Group) -> tuple[Plugin, ...]:
    """Return the plugins of a group by name, and those of one name by package, without importing them."""
    return tuple(plugin for plugin in _declared() if plugin.group == group)


def own_modules(group: Group) -> tuple[str, ...]:
    """Return the modules of docduck's own plugins of a group."""
    return tuple(plugin.module for plugin in plugins(group) if plugin.package == OWN_PACKAGE)


def folders() -> list[Path]:
    """Return the folders, or the files, of the top-level modules of other packages' plugins."""
    names = {plugin.module.partition(".")[0] for plugin in _declared() if plugin.package != OWN_PACKAGE}
    places: list[Path] = []
    for name in sorted(names):
        with contextlib.suppress(Exception):  # it can't be imported either
            if (spec := importlib.util.find_spec(name)) is not None:
                places += map(Path, spec.submodule_search_locations or filter(None, [spec.origin]))
    return places


def broken(*groups: Group) -> list[str]:
    """Return a message for each plugin of other packages, of all groups or these, that can't be loaded."""
    messages = []
    for plugin in _declared():
        if plugin.package != OWN_PACKAGE and (not groups or plugin.group in groups):
            try:
                plugin.load()
            except BrokenPlugin as error:
                messages.append(error.message)
    return messages


@cache
def _declared() -> tuple[Plugin, ...]:
    from importlib.metadata import distributions

    declared: dict[tuple[Group, str, str], Plugin] = {}
    for distribution in distributions():
        # Most packages have none; what metadata parses by itself takes twenty times as long.
        if "[docduck." not in (distribution.read_text("entry_points.txt") or ""):
            continue
        for entry in distribution.entry_points:
            for group in _MEMBERS:
                if entry.group == f"{OWN_PACKAGE}.{group}":
                    package = distribution.metadata["Name"]
                    plugin = Plugin(
                        group, entry.name, package, distribution.version, entry.module, entry.attr
                    )
                    # The first on the path is the one that is imported.
                    declared.setdefault((group, entry.name, package), plugin)
    return tuple(declared[key] for key in sorted(declared))


@cache
def _load(plugin: Plugin) -> object:
    try:
        value: object = importlib.import_module(plugin.module)
        for attribute in filter(None, plugin.attribute.split(".")):
            value = getattr(value, attribute)
        value = value() if inspect.isclass(value) else value
        if missing := [member for member in _MEMBERS[plugin.group] if not hasattr(value, member)]:
            raise TypeError(f"it has no {' and no '.join(missing)}")
        return value
    except (Exception, SystemExit) as error:
        broken = BrokenPlugin(f"The plugin {plugin} can't be loaded: {type(error).__name__}: {error}")
        _log.error(broken.message, exc_info=error)
        return broken
