"""The sources in pipeline.yaml: the key that names the place tells the kind."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field as PydanticField
from pydantic import field_validator, model_validator

from docduck.service.pipeline.spec import Spec

_DURATION = re.compile(r"([0-9]{1,6})\s*([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
SHORTEST = dt.timedelta(seconds=5)


class _SourceSpec(Spec):
    """What sources have in common: a name, and a parser or a classifier."""

    name: str
    parser: str | None = None
    classifier: str | None = None

    @model_validator(mode="after")
    def _one_target(self) -> _SourceSpec:
        if (self.parser is None) == (self.classifier is None):
            raise ValueError("needs either parser or classifier, where its documents go")
        return self


class FolderSpec(_SourceSpec):
    """A watched folder; ``folder`` and ``move_to`` are absolute after loading."""

    folder: Path
    pattern: str | None = None
    recursive: bool = True
    after: Literal["keep", "move", "delete"] = "keep"
    move_to: Path | None = None

    @model_validator(mode="after")
    def _consistent(self) -> FolderSpec:
        if self.move_to is not None and self.after != "move":
            raise ValueError("move_to needs after: move")
        return self


class _RemoteSpec(_SourceSpec):
    """A source that is looked at ``every`` so often."""

    every: dt.timedelta = PydanticField(dt.timedelta(minutes=15), validate_default=False)

    @field_validator("every", mode="before")
    @classmethod
    def _duration(cls, value: Any) -> Any:
        found = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
        if found is None:
            raise ValueError("must be a duration such as 30s, 15m, 2h or 1d")
        every = dt.timedelta(seconds=int(found[1]) * _SECONDS[found[2]])
        if every < SHORTEST:
            raise ValueError(f"must be {SHORTEST.seconds}s or more")
        return every


class UrlSpec(_RemoteSpec):
    """A document at a URL or, with a pattern ``links``, those that a page, feed or sitemap links to.

    ``on_change`` says whether a new version is a new document or replaces the one before.
    """

    url: str
    links: str | None = None
    on_change: Literal["new", "replace"] = "new"
    headers: dict[str, str] = PydanticField({})
    username: str | None = None
    password: str | None = None
    token: str | None = None
    private: bool = False
    robots: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> UrlSpec:
        if (self.username is None) != (self.password is None):
            raise ValueError("username and password go together")
        if self.token is not None and self.username is not None:
            raise ValueError("needs either a token, or username and password")
        return self


SourceSpec = FolderSpec | UrlSpec
KINDS: Mapping[str, type[FolderSpec] | type[UrlSpec]] = {"folder": FolderSpec, "url": UrlSpec}
"""The kinds of sources by the key that names their place."""


def source_kind(item: Any) -> type[FolderSpec] | type[UrlSpec]:
    """Return the kind of a source in the file; raise ValueError if it has no place, or several."""
    places = [key for key in KINDS if isinstance(item, Mapping) and key in item]
    if len(places) > 1:
        raise ValueError(f"has {' and '.join(places)}; a source has one place")
    if not places:
        raise ValueError(f"needs a place: one of {', '.join(KINDS)}")
    return KINDS[places[0]]
