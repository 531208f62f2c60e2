"""Looking through a bucket, and reading its objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal

from docduck.files.names import file_name
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.outbound.object_store import Bucket, ObjectGone, StoreUnavailable, store_errors
from docduck.sources.remote import (
    Cursor,
    FetchedItem,
    ItemGone,
    NewItems,
    RemoteItem,
    SourceUnavailable,
    UnconnectedReader,
    Write,
    too_large,
)


@dataclass(frozen=True, slots=True)
class BucketSettings:
    """Which objects are read: those whose name matches ``pattern`` and not ``exclude``.

    ``after`` says what is done with objects that are documents: ``move`` is to the prefix ``move_to``. A
    request takes at most ``seconds``, or ``look_seconds`` while looking.
    """

    endpoint: BucketEndpoint
    most_bytes: int
    look_seconds: float
    seconds: float
    pattern: str | None = None
    exclude: str | None = None
    recursive: bool = True
    after: Literal["keep", "move", "delete"] = "keep"
    move_to: str | None = None


class BucketReader(UnconnectedReader):
    """A source of documents in a bucket. Objects appear whole, so none is waited for."""

    def __init__(self, settings: BucketSettings) -> None:
        self._settings = settings
        self._bucket = Bucket(settings.endpoint, settings.seconds)

    def look(self, cursor: Cursor) -> NewItems:
        """Return all objects that match, by name; the intake ledger has those that are known."""
        items: list[RemoteItem] = []
        with _source_errors():
            for meta in Bucket(self._settings.endpoint, self._settings.look_seconds).objects():
                path, size = meta["path"], meta["size"]
                if not self._matches(path) or (size == 0 and path.endswith("/")):
                    continue
                refusal = too_large(size, self._settings.most_bytes, "DOCDUCK_MAX_FILE_BYTES")
                items.append(RemoteItem(path, _version(meta), size, refusal, path))
        return NewItems(sorted(items, key=lambda item: item.name), {})

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Read one object."""
        with _source_errors():
            try:
                for chunk in self._bucket.chunks(item.handle):
                    write(chunk)
            except ObjectGone as error:
                raise ItemGone from error
        return FetchedItem(file_name(item.name), {"bucket": self._settings.endpoint.url, "path": item.name})

    def finish(self, items: Sequence[RemoteItem]) -> None:
        """Move or delete objects that are documents now, unless they have changed since."""
        if self._settings.after == "keep":
            return
        with _source_errors():
            for item in items:
                with suppress(ObjectGone):
                    now = self._bucket.head(item.handle)
                    # Azure quotes ETags in headers and not in lists.
                    if _version(now).strip('"') != item.fingerprint.strip('"'):
                        continue
                    if self._settings.after == "move":
                        target = f"{str(self._settings.move_to).strip('/')}/{item.handle}"
                        self._bucket.copy(item.handle, target)
                    self._bucket.delete(item.handle)

    def _matches(self, path: str) -> bool:
        settings = self._settings
        if settings.move_to is not None and path.startswith(f"{settings.move_to.strip('/')}/"):
            return False
        if not settings.recursive and "/" in path:
            return False
        name = path.rpartition("/")[2].casefold()
        if settings.pattern is not None and not fnmatchcase(name, settings.pattern.casefold()):
            return False
        return settings.exclude is None or not fnmatchcase(name, settings.exclude.casefold())


@contextmanager
def _source_errors() -> Iterator[None]:
    try:
        with store_errors():
            yield
    except StoreUnavailable as error:
        raise SourceUnavailable(str(error), retryable=error.retryable) from error
    except ObjectGone as error:
        raise SourceUnavailable("there is no such bucket", retryable=False) from error


def _version(meta: Mapping[str, Any]) -> str:
    """Return what changes with an object's content: its ETag, or else the time of its last change."""
    return str(meta.get("e_tag") or meta["last_modified"].isoformat())
