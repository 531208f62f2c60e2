"""The files of folder sources: copied to the store, and moved or deleted once they are documents."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from docduck import clock
from docduck.documents.detection.sniff import stream_type
from docduck.files import Batch, FileTooLarge
from docduck.files.names import clean_name, safe_text
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import retried
from docduck.service.sources import ledger
from docduck.service.sources.ledger import ItemOutcome, Line
from docduck.service.sources.registration import StoredItem
from docduck.service.sources.scan import LEFT_IN_PLACE, SourceFile, keys_by_team
from docduck.service.sources.sources import FolderSource
from docduck.sources.folder.disposal import move_aside
from docduck.sources.folder.safe_open import UnsafeFile, found_file, open_inside
from docduck.sources.folder.walk import FoundFile


def copy_to_store(inst: Installation, files: Sequence[SourceFile]) -> list[StoredItem | Line]:
    """Copy files to the store, or return a ledger line if one can't be read.

    The copies are durable on return. Only a failing store raises.
    """
    with inst.files.batch() as batch:
        return [_copy(batch, file, inst.settings.max_file_bytes) for file in files]


def _copy(batch: Batch, file: SourceFile, limit: int) -> StoredItem | Line:
    path, began = file.path, clock.now()
    try:
        with open_inside(path, file.folder.bounds) as stream:
            before = found_file(stream, file.found.path)
            stored = batch.add(stream, limit)
            after = found_file(stream, file.found.path)
            path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return file.line(ItemOutcome.VANISHED, "went away before it was taken")
    except FileTooLarge:
        return file.line(ItemOutcome.WAITING, "grew while it was read")
    except UnsafeFile as error:
        return file.line(ItemOutcome.REFUSED, error.message)
    except OSError as error:
        return file.line(ItemOutcome.UNREADABLE, f"can't be read ({error.strerror}); it is tried again")
    if not file.found.fingerprint == before.fingerprint == after.fingerprint:
        return file.line(ItemOutcome.WAITING, "changed while it was read", after.fingerprint)
    name = clean_name(path.name)
    with batch.open(stored) as copy:
        content_type = stream_type(copy, name)
    return StoredItem(
        file.target,
        file.line(ItemOutcome.REGISTERED, "", after.fingerprint),
        file.found.path,
        stored,
        name,
        content_type,
        {"path": safe_text(file.found.path)},
        began=began,
    )


def can_open(file: SourceFile) -> bool:
    """Return whether a file that was unreadable can be opened now."""
    try:
        with open_inside(file.path, file.folder.bounds):
            return True
    except (OSError, UnsafeFile):
        return False


def dispose(inst: Installation, source: FolderSource, files: Sequence[SourceFile]) -> list[str]:
    """Move or delete registered files as configured; return messages about failures.

    A file that has changed since is left: it is a new file.
    """
    if source.after == "keep" or not files:
        return []
    done: list[SourceFile] = []
    failed: dict[str, tuple[SourceFile, str]] = {}
    for file in files:
        try:
            if _dispose(source, file):
                done.append(file)
        except OSError as error:
            failed[file.key] = (file, f"{LEFT_IN_PLACE}can't be {source.after}d ({error.strerror})")

    def write() -> None:
        with inst.catalog.transaction() as session:
            for team_id, keys in keys_by_team(done):
                ledger.mark_finished(session, team_id, source.name, keys)
            for team_id, keys in keys_by_team(file for file, _ in failed.values()):
                ledger.set_messages(session, team_id, source.name, {key: failed[key][1] for key in keys})

    retried(write)
    return [f"{file.label}: {words}" for file, words in failed.values()]


def _dispose(source: FolderSource, file: SourceFile) -> bool:
    try:
        status = os.stat(file.path)  # noqa: PTH116 - as the scan did, through a link
    except FileNotFoundError:
        return True
    now = FoundFile(file.found.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    if now.fingerprint != file.found.fingerprint:
        return False
    if source.after == "delete":
        file.path.unlink(missing_ok=True)
    else:
        # Gone: another process has just moved it.
        with suppress(FileNotFoundError):
            move_aside(file.path, source.taken_folder / file.found.path)
    return True
