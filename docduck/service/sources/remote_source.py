"""Sources other than local folders, as pipeline.yaml describes them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from docduck.service.core.installation import Installation
from docduck.sources.remote import SourceReader


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOrigin:
    """Where items come from, as the ledger and their documents know it.

    ``document_source`` is the source of the documents. With ``replaces``, a new version of an item replaces
    the document of the one before. With ``folders``, documents are filed in folders of the parser, named as
    those in the items' names.
    """

    name: str
    document_source: Literal["url", "email", "folder"]
    replaces: bool = False
    folders: bool = False


ADDRESSES = ItemOrigin(name="addresses", document_source="email")
"""The origin of mails that were sent to an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSource(ItemOrigin):
    """A source that is looked at ``every`` so often; ``place`` is where, for people.

    ``open`` opens a connection; it does nothing before it is entered. ``finishes`` is whether items that are
    documents are moved, marked or deleted.
    """

    kind: str
    place: str
    every: dt.timedelta
    open: Callable[[Installation], SourceReader] = field(compare=False)
    parser: str | None = None
    classifier: str | None = None
    finishes: bool = False
