"""Reading the folders of an IMAP server (RFC 9051): by UID, marking nothing by reading it."""

from __future__ import annotations

import datetime as dt
import imaplib
import re
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Self

from imap_tools import ImapToolsError
from imap_tools.errors import MailboxFolderSelectError, MailboxFolderStatusError
from imap_tools.mailbox import BaseMailBox

from docduck.outbound.imap import LoginRefused, imap_connection
from docduck.outbound.mail_server import MailServer
from docduck.sources.mailbox.mails import described, refusal
from docduck.sources.remote import (
    Cursor,
    FetchedItem,
    ItemGone,
    NewItems,
    RemoteItem,
    SourceUnavailable,
    Write,
)

_SIZES = re.compile(rb"UID (\d+)[^)]*RFC822\.SIZE (\d+)|RFC822\.SIZE (\d+)[^)]*UID (\d+)")
_STEP = 1000
_PIECE = 1024 * 1024
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """Which mails are read, and what is done ``after`` they are documents.

    The access token is asked for at each connection, as it expires. ``most_bytes`` is the largest mail.
    """

    server: MailServer
    folders: Sequence[str]
    most_bytes: int
    seconds: float
    password: str | None = None
    token: Callable[[], str] | None = None
    since: dt.date | None = None
    order: Literal["oldest", "newest"] = "oldest"
    after: Literal["keep", "seen", "move", "delete"] = "keep"
    move_to: str | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    folder: str
    uid: int


class _NoFolder(SourceUnavailable):
    """The server has no such folder."""


class ImapReader:
    """A source of mails on a server."""

    def __init__(self, settings: ImapSettings) -> None:
        self._settings = settings
        self._stack = ExitStack()
        self._selected: str | None = None

    def __enter__(self) -> Self:
        settings = self._settings
        with _source_errors():
            token = settings.token() if settings.token is not None else None
            connection = imap_connection(
                settings.server, settings.seconds, password=settings.password, token=token
            )
            self._box: BaseMailBox = self._stack.enter_context(connection)
        return self

    def __exit__(self, *_: object) -> None:
        with _source_errors():
            self._stack.close()

    def look(self, cursor: Cursor) -> NewItems:
        """Return the mails after the highest UID of each folder that the cursor knows."""
        places: Mapping[str, Any] = cursor.get("folders") or {}
        after: dict[str, Any] = {}
        items: list[RemoteItem] = []
        problems: list[str] = []
        for folder in self._settings.folders:
            try:
                with _source_errors():
                    new, after[folder] = self._look_into(folder, places.get(folder) or {})
            except _NoFolder:
                problems.append(f"There is no folder {folder}; create it or name another")
                if folder in places:
                    after[folder] = places[folder]
                continue
            items += new
        if problems and len(problems) == len(self._settings.folders):
            raise SourceUnavailable(". ".join(problems), retryable=False)
        if self._settings.order == "newest":
            items.reverse()
        return NewItems(items, {"folders": after}, problems=problems)

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Read one mail, a large one in pieces, without marking it as seen."""
        place: _Place = item.handle
        is_small = item.size is not None and item.size <= _PIECE
        start = self._piece(place, "(BODY.PEEK[])" if is_small else f"(BODY.PEEK[]<0.{_PIECE}>)")
        write(start)
        at, piece = len(start), start
        while not is_small and len(piece) == _PIECE:
            piece = self._piece(place, f"(BODY.PEEK[]<{at}.{_PIECE}>)")
            write(piece)
            at += len(piece)
        return described(start, mailbox=self._settings.server.username, folder=place.folder)

    def finish(self, items: Sequence[RemoteItem]) -> None:
        """Mark, move or delete mails that are documents now."""
        settings = self._settings
        if settings.after == "keep":
            return
        by_folder: dict[str, list[str]] = {}
        for item in items:
            by_folder.setdefault(item.handle.folder, []).append(str(item.handle.uid))
        with _source_errors():
            for folder, uids in by_folder.items():
                self._select(folder)
                if settings.after == "seen":
                    self._mark(uids, "\\Seen")
                elif settings.after == "delete":
                    self._delete(uids)
                else:
                    target = str(settings.move_to)
                    if not self._box.folder.exists(target):
                        self._box.folder.create(target)
                    self._move(uids, target)

    def _move(self, uids: Sequence[str], target: str) -> None:
        if "MOVE" in self._box.client.capabilities:
            self._box.move(uids, target)
        else:
            self._box.copy(uids, target)
            self._delete(uids)

    def _delete(self, uids: Sequence[str]) -> None:
        """Delete mails, where the server can (RFC 4315) without those that others have marked as deleted."""
        if "UIDPLUS" in self._box.client.capabilities:
            self._mark(uids, "\\Deleted")
            self._command("EXPUNGE", ",".join(uids))
        else:
            self._box.delete(uids)

    def _mark(self, uids: Sequence[str], flag: str) -> None:
        # The library's own method removes all mails of the folder that are marked as deleted.
        self._command("STORE", ",".join(uids), "+FLAGS", f"({flag})")

    def _look_into(self, folder: str, place: Mapping[str, Any]) -> tuple[list[RemoteItem], dict[str, int]]:
        self._select(folder)
        # With another UIDVALIDITY, the same UIDs are other mails (RFC 9051, 2.3.1.1).
        validity = int(self._box.folder.status(folder, ["UIDVALIDITY"])["UIDVALIDITY"])
        last = int(place.get("last", 0)) if place.get("uidvalidity") == validity else 0
        # "n:*" always includes the last mail, even if its UID is below n (RFC 9051, 9).
        uids = sorted(uid for uid in self._search(last) if uid > last)
        sizes = self._sizes(uids)
        items = [
            RemoteItem(
                f"{folder}/{validity}/{uid}",
                "",
                sizes.get(uid),
                refusal(sizes.get(uid), self._settings.most_bytes),
                _Place(folder, uid),
            )
            for uid in uids
        ]
        return items, {"uidvalidity": validity, "last": max(uids, default=last)}

    def _search(self, last: int) -> list[int]:
        since = self._settings.since
        words = [f"UID {last + 1}:*"]
        if since is not None:
            words.append(f"SINCE {since.day}-{_MONTHS[since.month - 1]}-{since.year}")
        answer = self._command("SEARCH", *words)
        return [int(uid) for uid in (answer[0] or b"").split()] if answer else []

    def _sizes(self, uids: Sequence[int]) -> dict[int, int]:
        sizes: dict[int, int] = {}
        for start in range(0, len(uids), _STEP):
            chunk = ",".join(map(str, uids[start : start + _STEP]))
            for part in self._command("FETCH", chunk, "(UID RFC822.SIZE)"):
                line = part[0] if isinstance(part, tuple) else part
                if line is not None and (match := _SIZES.search(line)):
                    uid, size = (match[1], match[2]) if match[1] else (match[4], match[3])
                    sizes[int(uid)] = int(size)
        return sizes

    def _piece(self, place: _Place, what: str) -> bytes:
        try:
            with _source_errors():
                self._select(place.folder)
                answer = self._command("FETCH", str(place.uid), what)
        except _NoFolder as error:
            raise ItemGone from error
        piece = next((part[1] for part in answer if isinstance(part, tuple)), None)
        if piece is None:
            raise ItemGone
        return bytes(piece)

    def _select(self, folder: str) -> None:
        if self._selected != folder:
            self._box.folder.set(folder, readonly=self._settings.after == "keep")
            self._selected = folder

    def _command(self, name: str, *words: str) -> list[Any]:
        status, answer = self._box.client.uid(name, *words)
        if status != "OK":
            raise SourceUnavailable(f"the server answers {name} with {status}")
        return answer


@contextmanager
def _source_errors() -> Iterator[None]:
    """Raise SourceUnavailable for the errors of a connection, without what the server sent of secrets."""
    try:
        yield
    except LoginRefused as error:
        raise SourceUnavailable(
            "the server refuses the user name or the password", retryable=False
        ) from error
    except ssl.SSLCertVerificationError as error:
        raise SourceUnavailable(
            f"its certificate is not valid: {error.verify_message}", retryable=False
        ) from error
    except ssl.SSLError as error:
        raise SourceUnavailable("no secure connection could be made") from error
    except TimeoutError as error:
        raise SourceUnavailable("the server did not answer in time") from error
    except (OSError, imaplib.IMAP4.abort) as error:
        raise SourceUnavailable(f"the connection failed: {type(error).__name__}") from error
    except (MailboxFolderSelectError, MailboxFolderStatusError) as error:
        raise _NoFolder("a folder has gone", retryable=False) from error
    except (imaplib.IMAP4.error, ImapToolsError) as error:
        raise SourceUnavailable(f"the server refused a command: {type(error).__name__}") from error
