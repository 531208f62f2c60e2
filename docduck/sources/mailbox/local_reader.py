"""Reading Maildir folders and mbox files, which mail programs of this machine write."""

from __future__ import annotations

import mailbox
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from docduck.sources.folder.safe_open import UnsafeFile, open_inside
from docduck.sources.mailbox.mails import described, refusal
from docduck.sources.remote import (
    Cursor,
    FetchedItem,
    ItemDelayed,
    ItemGone,
    ItemUnavailable,
    NewItems,
    RemoteItem,
    SourceUnavailable,
    UnconnectedReader,
    Write,
)

_FOLDERS = ("new", "cur")


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    state: list[int]


class MaildirReader(UnconnectedReader):
    """A source of mails in a Maildir; names before the flags identify mails (https://cr.yp.to/proto/maildir.html)."""

    def __init__(self, path: Path, most_bytes: int) -> None:
        self._path, self._most = path, most_bytes

    def __enter__(self) -> Self:
        if not all((self._path / folder).is_dir() for folder in _FOLDERS):
            raise SourceUnavailable(
                f"{self._path} is no Maildir: it has no folders new and cur", retryable=False
            )
        return self

    def look(self, cursor: Cursor) -> NewItems:
        """Return all mails; the intake ledger has those that are known."""
        dated: list[tuple[int, RemoteItem]] = []
        for folder in _FOLDERS:
            with _source_errors(), os.scandir(self._path / folder) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False) and not entry.name.startswith("."):
                        try:
                            status = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:
                            continue
                        name = entry.name.partition(":")[0]
                        path = Path(entry.path)
                        why = refusal(status.st_size, self._most)
                        item = RemoteItem(name, "", status.st_size, why, path)
                        dated.append((status.st_mtime_ns, item))
        return NewItems([item for _, item in sorted(dated, key=lambda pair: (pair[0], pair[1].name))], {})

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Read one mail."""
        with _source_errors():
            try:
                with open_inside(item.handle, self._path) as stream:
                    mail = stream.read(self._most + 1)
            except FileNotFoundError as error:
                raise ItemGone from error
            except UnsafeFile as error:
                raise ItemUnavailable(error.message) from error
        write(mail)
        return described(mail, mailbox=str(self._path))


class MboxReader(UnconnectedReader):
    """A source of mails in an mbox file; a mail is identified by where it begins and how long it is.

    A file that changed in the last ``settle_seconds`` may still be being written, so it is looked at later.
    """

    def __init__(self, path: Path, most_bytes: int, settle_seconds: float) -> None:
        self._path, self._most, self._settle = path, most_bytes, settle_seconds

    def __enter__(self) -> Self:
        if not self._path.is_file():
            raise SourceUnavailable(f"There is no file {self._path}", retryable=False)
        return self

    def look(self, cursor: Cursor) -> NewItems:
        """Return all mails of a file that has changed; the intake ledger has those that are known."""
        state = self._state()
        if cursor.get("state") == state:
            return NewItems((), cursor)
        if 0 <= time.time() - state[1] / 1e9 < self._settle:
            raise SourceUnavailable("it may still be being written")
        items = [
            RemoteItem(
                f"{span.start}-{span.end}",
                "",
                span.end - span.start,
                refusal(span.end - span.start, self._most),
                span,
            )
            for span in self._spans(state)
        ]
        return NewItems(items, {"state": state})

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Read one mail, without the line that separates it from the one before."""
        span: _Span = item.handle
        with _source_errors(), self._path.open("rb") as stream:
            stream.seek(span.start)
            mail = stream.read(span.end - span.start).partition(b"\n")[2].replace(b"\n>From ", b"\nFrom ")
        if self._state() != span.state:
            raise ItemDelayed("the file changed while it was read")
        write(mail)
        return described(mail, mailbox=str(self._path))

    def _state(self) -> list[int]:
        with _source_errors():
            status = self._path.stat()
        return [status.st_size, status.st_mtime_ns]

    def _spans(self, state: list[int]) -> Iterator[_Span]:
        with _source_errors():
            box = mailbox.mbox(self._path, create=False)
            try:
                box._generate_toc()  # type: ignore[attr-defined]
                spans = box._toc.values()  # type: ignore[attr-defined]
                yield from (_Span(start, end, state) for start, end in spans)
            finally:
                box.close()


@contextmanager
def _source_errors() -> Iterator[None]:
    """Raise SourceUnavailable for the errors of a file system."""
    try:
        yield
    except (OSError, mailbox.Error) as error:
        words = error.strerror if isinstance(error, OSError) else None
        raise SourceUnavailable(f"it can't be read ({words or type(error).__name__})") from error
