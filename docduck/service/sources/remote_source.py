"""Sources other than local folders, as pipeline.yaml describes them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from docduck.service.core.installation import Installation
from docduck.sources.remote import SourceReader


@dataclass(frozen=True, slots=True)
class RemoteSource:
    """A source that is looked at ``every`` so often; ``place`` is where, for people.

    ``document_source`` is the source of its documents. With ``replaces``, a new version of an item replaces
    the document of the one before. ``open`` opens a connection; it does nothing before it is entered.
    """

    name: str
    kind: str
    place: str
    every: dt.timedelta
    open: Callable[[Installation], SourceReader] = field(compare=False)
    document_source: Literal["url", "email", "folder"]
    parser: str | None = None
    classifier: str | None = None
    replaces: bool = False
