"""A source other than a local folder: its new items are listed, and then fetched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

from docduck.errors import Transient

Cursor = Mapping[str, Any]
"""Where the next look begins, as JSON, in the terms of the source's kind; empty at first."""
Write = Callable[[bytes], object]


class SourceUnavailable(Transient):
    """The source can't be reached, or responds with an error; if ``retryable``, it is tried soon.

    ``retry_after`` is how many seconds the server asks to wait.
    """

    def __init__(self, message: str, *, retryable: bool = True, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.retry_after = retry_after


class ItemUnavailable(Exception):
    """One item can't be fetched, and trying again doesn't help."""


class ItemGone(ItemUnavailable):
    """The item was deleted after it was listed."""


class ItemDelayed(Exception):
    """One item can't be fetched now, but perhaps later; the other items can.

    ``retry_after`` is how many seconds its server asks to wait.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class RemoteItem:
    """An item of a source: ``name`` identifies it, ``fingerprint`` changes with its content.

    ``refusal`` says why it can't be taken in. ``handle`` is what the reader needs to fetch it.
    """

    name: str
    fingerprint: str
    size: int | None = None
    refusal: str | None = None
    handle: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NewItems:
    """Items that may be new, in the order in which to take them in.

    ``cursor`` is where the next look begins once all of them are done; with ``has_more`` it is to follow at
    once. ``problems`` are messages for people.
    """

    items: Sequence[RemoteItem]
    cursor: Cursor
    has_more: bool = False
    problems: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FetchedItem:
    """A fetched item: its file's name, and where it came from, for ``metadata.sourceDetail``.

    ``identity`` identifies it across sources, such as a Message-ID.
    """

    name: str
    detail: Mapping[str, Any]
    identity: str | None = None


def too_large(size: int | None, most: int, setting: str) -> str | None:
    """Return why an item of ``size`` bytes is refused, if it has more than ``most``, as ``setting`` says."""
    if size is None or size <= most:
        return None
    return f"has {size:,} bytes, more than the {most:,} allowed; raise {setting} to allow it"


class UnconnectedReader:
    """Base class of readers that hold no connection, and leave items as they are."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def finish(self, items: Sequence[RemoteItem]) -> None:
        """Leave the items as they are."""


class SourceReader(Protocol):
    """A connection to a source; raises SourceUnavailable from every method."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def look(self, cursor: Cursor) -> NewItems:
        """Return the items that may be new since ``cursor``, without fetching them."""
        ...

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Write the item's content, piece by piece; raise ItemGone, ItemUnavailable or ItemDelayed."""
        ...

    def finish(self, items: Sequence[RemoteItem]) -> None:
        """Do with items that are documents now what the source's settings say: move, mark or delete them."""
        ...
