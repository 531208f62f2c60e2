"""Readers of other packages' sources, whose errors make their own source unavailable and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from docduck.errors import DocduckError
from docduck.sources.remote import (
    Cursor,
    FetchedItem,
    ItemDelayed,
    ItemUnavailable,
    NewItems,
    RemoteItem,
    SourceReader,
    SourceUnavailable,
    Write,
)


class GuardedReader:
    """A reader whose unexpected errors become SourceUnavailable; ``connect`` makes it when it is entered."""

    def __init__(self, kind: str, connect: Callable[[], SourceReader]) -> None:
        self._kind = kind
        self._connect = connect

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (ItemUnavailable, ItemDelayed, SourceUnavailable):
            raise
        except DocduckError as error:
            raise SourceUnavailable(error.message, retryable=error.retryable) from error
        except Exception as error:
            message = f"The source kind {self._kind} failed: {type(error).__name__}: {error}"
            raise SourceUnavailable(message) from error

    def __enter__(self) -> Self:
        with self._guarded():
            self._reader = self._connect().__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._guarded():
            self._reader.__exit__(kind, error, trace)

    def look(self, cursor: Cursor) -> NewItems:
        """Return the items that may be new since ``cursor``."""
        with self._guarded():
            return self._reader.look(cursor)

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Write the item's content; errors of ``write`` are none of the reader's."""
        failed: list[BaseException] = []

        def writing(data: bytes) -> object:
            try:
                return write(data)
            except BaseException as error:
                failed.append(error)
                raise

        try:
            with self._guarded():
                return self._reader.fetch(item, writing)
        except SourceUnavailable:
            if failed:
                raise failed[0] from None
            raise

    def finish(self, items: Sequence[RemoteItem]) -> None:
        """Do what the source's settings say with items that are documents now."""
        with self._guarded():
            self._reader.finish(items)


class UnavailableReader(GuardedReader):
    """The reader of a source whose kind can't be loaded, because of ``problem``."""

    def __init__(self, problem: str) -> None:
        def connect() -> SourceReader:
            raise SourceUnavailable(problem, retryable=False)

        super().__init__("", connect)
