"""The kinds of sources in pipeline.yaml: the key that names a source's place tells its kind."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Protocol, cast

from pydantic import ConfigDict

from docduck.outbound.policy import OutboundPolicy
from docduck.plugins import BrokenPlugin, Plugin, plugins
from docduck.service.pipeline.source_specs import (
    BucketSpec,
    FolderSpec,
    MailboxSpec,
    RemoteSpec,
    SourceSpec,
    UrlSpec,
)
from docduck.sources.remote import SourceReader

KINDS: Mapping[str, type[SourceSpec]] = {
    "folder": FolderSpec,
    "url": UrlSpec,
    "mailbox": MailboxSpec,
    "bucket": BucketSpec,
}
"""docduck's own kinds of sources by the key that names their place."""


class AddedSource(Protocol):
    """A kind of source of another package, by the name of its entry point in the group ``docduck.sources``.

    The name is the key of its place in pipeline.yaml, in small letters, digits and ``_``. ``settings`` are
    the keys of such a source: a subclass of ``docduck.service.pipeline.source_specs.RemoteSpec`` with a field
    of that name, a text. Text such as ``${TOKEN}`` is replaced by the environment's before. ``finishes`` is
    whether its readers do anything in ``finish``.
    """

    settings: type[RemoteSpec]
    finishes: bool

    def connect(self, settings: RemoteSpec, policy: OutboundPolicy, look_seconds: float) -> SourceReader:
        """Return a reader of the source, which connects when it is entered.

        Every connection goes through ``docduck.outbound`` by ``policy``, whose ``seconds`` and ``max_bytes``
        are those of one item; a look takes at most ``look_seconds``. It works in the process of the service,
        not in an isolated worker. What it raises, other than the errors of ``docduck.sources.remote``, makes
        the source unavailable, and the message is shown: it has no secrets.
        """
        ...


class UnavailableSpec(RemoteSpec):
    """A source of a kind that can't be loaded: the other sources go on without it."""

    model_config = ConfigDict(extra="allow")

    kind: ClassVar[str]
    problem: ClassVar[str]


@cache
def _added() -> Mapping[str, Plugin]:
    """Return the kinds of other packages; not those that are called like a key of docduck's own kinds."""
    taken = {*KINDS, *(key for spec in KINDS.values() for key in spec.model_fields)}
    names: dict[str, Plugin] = {}
    for plugin in plugins("sources"):
        if plugin.name.isidentifier() and plugin.name.islower() and plugin.name not in taken:
            names.setdefault(plugin.name, plugin)
    return names


@cache
def _spec(kind: str) -> type[SourceSpec]:
    if kind in KINDS:
        return KINDS[kind]
    try:
        return cast(AddedSource, _added()[kind].load()).settings
    except BrokenPlugin as error:
        return type("_Unavailable", (UnavailableSpec,), {"kind": kind, "problem": error.message})


def source_kind(item: Any) -> type[SourceSpec]:
    """Return the class for a source in the file; raise ValueError if it has no place, or several."""
    kinds = (*KINDS, *_added())
    places = [key for key in kinds if isinstance(item, Mapping) and key in item]
    if len(places) > 1:
        raise ValueError(f"has {' and '.join(places)}; a source has one place")
    if not places:
        known = f"needs a place: one of {', '.join(kinds)}"
        for key in item if isinstance(item, Mapping) else ():
            if close := difflib.get_close_matches(str(key), kinds, n=1):
                raise ValueError(f"{known}; {key} is unknown, did you mean {close[0]}?")
        raise ValueError(known)
    return _spec(places[0])


def added_source(spec: RemoteSpec) -> tuple[str, AddedSource]:
    """Return the name and the kind of another package's source."""
    kind = next(name for name in _added() if _spec(name) is type(spec))
    return kind, cast(AddedSource, _added()[kind].load())
