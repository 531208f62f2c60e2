"""Registration of files: copy to the store, then write documents and ledger in one transaction."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from docduck import clock
from docduck.documents.detection.content_types import ZIP
from docduck.documents.detection.sniff import stream_type
from docduck.files import Batch, FileTooLarge, Stored
from docduck.files.names import clean_name, safe_text
from docduck.service.core.folder_paths import ensure_folders
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.sources import ledger
from docduck.service.sources.item_registration import folder_of
from docduck.service.sources.ledger import TAKEN, Entry, ItemOutcome, Line
from docduck.service.sources.scan import LEFT_IN_PLACE, SourceFile, is_same, keys_by_team, known_entries
from docduck.service.sources.sources import FolderSource
from docduck.service.sources.split_files import split_before
from docduck.service.sources.targets import Target, documents_by_content, lock_targets
from docduck.sources.folder.disposal import move_aside
from docduck.sources.folder.safe_open import UnsafeFile, found_file, open_inside
from docduck.sources.folder.walk import FoundFile

_TRIES = 3


@dataclass(frozen=True, slots=True)
class CopiedFile:
    """A file copied to the store in the state ``found``; ``name`` is the document's."""

    file: SourceFile
    found: FoundFile
    stored: Stored
    name: str
    content_type: str


def copy_to_store(inst: Installation, files: Sequence[SourceFile]) -> list[CopiedFile | Line]:
    """Copy files to the store, or return a ledger line if one can't be read.

    The copies are durable on return. Only a failing store raises.
    """
    with inst.files.batch() as batch:
        return [_copy(batch, file, inst.settings.max_file_bytes) for file in files]


def _copy(batch: Batch, file: SourceFile, limit: int) -> CopiedFile | Line:
    path = file.path
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
    with batch.open(stored) as kept:
        return CopiedFile(file, after, stored, name, stream_type(kept, name))


def can_open(file: SourceFile) -> bool:
    """Return whether a file that was unreadable can be opened now."""
    try:
        with open_inside(file.path, file.folder.bounds):
            return True
    except (OSError, UnsafeFile):
        return False


@dataclass(slots=True)
class RegisteredFiles:
    """What was written to the ledger: ``lines`` are news, ``touched`` only refresh known files."""

    lines: list[Line]
    touched: list[Line]


def register_files(
    inst: Installation, source: FolderSource, copied: Sequence[CopiedFile], lines: Sequence[Line]
) -> RegisteredFiles:
    """Register copied files and write the ledger in one transaction; return what was written.

    If another process has registered a file meanwhile, it is only refreshed.
    """
    tries = 0
    while True:
        try:
            with inst.catalog.transaction() as session:
                entered = _register(session, inst.settings.max_folders, source, copied)
                ledger.write(session, source.name, [*entered.lines, *entered.touched])
                entered.lines += ledger.write_unregistered(session, source.name, lines)
            return entered
        except (IntegrityError, OperationalError):
            tries += 1
            if tries == _TRIES:
                raise


def _register(
    session: Session, most_folders: int, source: FolderSource, copied: Sequence[CopiedFile]
) -> RegisteredFiles:
    targets = {one.file.target.id: one.file.target for one in copied}
    active = lock_targets(session, targets)
    known = known_entries(session, source, [one.file for one in copied])
    entered = RegisteredFiles([], [])
    for target_id in sorted(active):
        mine = [one for one in copied if one.file.target.id == target_id]
        _register_for(session, most_folders, source, targets[target_id], mine, known, entered)
    for one in copied:
        if one.file.target.id not in active:
            what = "classifier" if one.file.target.is_classifier else "parser"
            entered.lines.append(one.file.line(ItemOutcome.WAITING, f"its {what} is gone or not active"))
    return entered


def _register_for(
    session: Session,
    most_folders: int,
    source: FolderSource,
    target: Target,
    copied: Sequence[CopiedFile],
    known: dict[str, Entry],
    entered: RegisteredFiles,
) -> None:
    fresh: dict[str, CopiedFile] = {}
    archives = {one.stored.sha256 for one in copied if one.content_type == ZIP}
    twins = split_before(session, target.team_id, target.id, archives) if archives else {}
    twins |= documents_by_content(session, target, (one.stored.sha256 for one in copied))
    again: list[CopiedFile] = []
    for one in copied:
        entry = known.get(one.file.key)
        if entry is not None and entry.target_id == target.id:
            if entry.outcome in TAKEN and is_same(entry, one.file, one.found):
                continue
            if entry.sha256 == one.stored.sha256 and _stayed_in_place(entry, source):
                entered.touched.append(_touched(one, entry, source))
                continue
        if one.stored.sha256 in twins or one.stored.sha256 in fresh:
            again.append(one)
        else:
            fresh[one.stored.sha256] = one
    paths = {one.file.key: folder_of(one.file.found.path) for one in fresh.values() if source.folders}
    folders = ensure_folders(session, target.team_id, target.id, paths.values(), most_folders, "intake")
    ids = register(
        session,
        target.team_id,
        target.parser_id,
        [_document(one, source, folders.get(paths.get(one.file.key, ()))) for one in fresh.values()],
        "intake",
        classifier_id=target.classifier_id,
    )
    for one, document_id in zip(fresh.values(), ids, strict=True):
        twins[one.stored.sha256] = (document_id, one.name)
        entered.lines.append(_taken(one, source, ItemOutcome.REGISTERED, "", document_id))
    for one in again:
        document_id, name = twins[one.stored.sha256]
        message = f"same content as {name} (document {document_id}), not read again"
        entered.lines.append(_taken(one, source, ItemOutcome.DUPLICATE, message, document_id))


def _stayed_in_place(entry: Entry, source: FolderSource) -> bool:
    """Return whether the file has not been away since its content was registered."""
    return entry.outcome != ItemOutcome.VANISHED and (source.after == "keep" or entry.finished_at is None)


def _touched(one: CopiedFile, entry: Entry, source: FolderSource) -> Line:
    outcome, message = ItemOutcome.REGISTERED, ""
    if entry.outcome in TAKEN:
        outcome, message = ItemOutcome(entry.outcome), entry.message
    if entry.document_id is None:
        message = "its document was deleted, so it is not taken again"
    line = _taken(one, source, outcome, message, entry.document_id)
    return replace(line, finished_at=entry.finished_at)


def _taken(
    one: CopiedFile, source: FolderSource, outcome: ItemOutcome, message: str, document_id: str | None
) -> Line:
    return replace(
        one.file.line(outcome, message, one.found.fingerprint),
        document_id=document_id,
        sha256=one.stored.sha256,
        size=one.stored.size,
        finished_at=clock.now() if source.after == "keep" else None,
    )


def _document(one: CopiedFile, source: FolderSource, folder_id: str | None) -> NewDocument:
    return NewDocument(
        name=one.name,
        sha256=one.stored.sha256,
        size=one.stored.size,
        content_type=one.content_type,
        source="folder",
        source_detail={"source": source.name, "path": safe_text(one.file.found.path)},
        folder_id=folder_id,
    )


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
    with inst.catalog.transaction() as session:
        for team_id, keys in keys_by_team(done):
            ledger.mark_finished(session, team_id, source.name, keys)
        for team_id, keys in keys_by_team(file for file, _ in failed.values()):
            ledger.set_messages(session, team_id, source.name, {key: failed[key][1] for key in keys})
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
