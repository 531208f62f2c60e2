"""The files of a source, and the decision about each."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from sqlalchemy.orm import Session

from docduck.files.names import key_of, safe_text
from docduck.service.core.installation import Installation
from docduck.service.sources import ledger
from docduck.service.sources.ledger import TAKEN, Entry, ItemOutcome, Line
from docduck.service.sources.sources import FolderSource, SourceFolder, source_folders
from docduck.service.sources.targets import Target
from docduck.settings import Settings
from docduck.sources.folder.walk import FoundFile

EMPTY_SETTLE_SECONDS = 10
"""An empty file is waited for this long."""

_MANY = 2000
LEFT_IN_PLACE = "taken, but left in place: "


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a source; ``key`` identifies it in the ledger."""

    folder: SourceFolder
    found: FoundFile
    key: str

    @property
    def target(self) -> Target:
        return self.folder.target

    @property
    def path(self) -> Path:
        return self.folder.root / self.found.path

    @property
    def label(self) -> str:
        """Its readable path."""
        return f"{self.folder.root}/{safe_text(self.found.path)}"

    def line(self, outcome: ItemOutcome, message: str, fingerprint: str | None = None) -> Line:
        """Return the ledger line of this file if it is not registered."""
        return Line(
            team_id=self.target.team_id,
            key=self.key,
            item=safe_text(self.folder.prefix + self.found.path),
            fingerprint=fingerprint or self.found.fingerprint,
            outcome=outcome,
            message=message,
            parser_id=self.target.parser_id,
            classifier_id=self.target.classifier_id,
            size=self.found.size,
        )


@dataclass(frozen=True)
class SourceScan:
    """A scan of a source; equal signatures mean that nothing has changed."""

    folders: list[SourceFolder]
    problems: list[str]
    signature: str

    @cached_property
    def files(self) -> list[SourceFile]:
        """The files of all folders; made when they are needed, as they may be many."""
        return [
            SourceFile(folder, file, key_of(folder.prefix + file.path))
            for folder in self.folders
            for file in folder.content.files
        ]

    def refused(self, settings: Settings) -> list[str]:
        """Return messages about the files that can't be registered."""
        return [
            f"{SourceFile(folder, file, '').label}: {words}"
            for folder in self.folders
            for file in folder.content.files
            if (words := refusal(file, settings)) is not None
        ]

    def target_ids(self) -> dict[str, set[str]]:
        """The parsers and classifiers of the source's files, by team."""
        ids: dict[str, set[str]] = defaultdict(set)
        for folder in self.folders:
            ids[folder.target.team_id].add(folder.target.id)
        return ids


class Decision(StrEnum):
    """What to do with a file."""

    READY = "ready"
    WAITING = "waiting"
    REFUSED = "refused"
    KNOWN = "known"
    UNFINISHED = "unfinished"


def scan(inst: Installation, source: FolderSource) -> SourceScan:
    """Scan the source's folders without reading files; of the catalog, only parsers are read."""
    folders, problems = source_folders(inst, source)
    digest = hashlib.blake2b(f"{source.after} {inst.settings.max_file_bytes}".encode(), digest_size=16)
    for folder in folders:
        digest.update(f"{folder.prefix}\0{folder.target.id}\0{folder.content.signature()}\0".encode())
    for problem in problems:
        digest.update(problem.encode("utf-8", "surrogateescape"))
    return SourceScan(folders, problems, digest.hexdigest())


def open_files(
    session: Session, source: FolderSource, scanned: SourceScan
) -> tuple[list[SourceFile], dict[str, Entry]]:
    """Return the files that may need work, and what the ledger knows of them."""
    files: Sequence[SourceFile] = scanned.files
    if len(files) > _MANY:
        targets = {folder.target.id: folder.target for folder in scanned.folders}
        done = {
            target.id: ledger.fingerprints(
                session, target.team_id, source.name, target.id, finished=source.after != "keep"
            )
            for target in targets.values()
        }
        files = [file for file in files if done[file.target.id].get(file.key) != file.found.fingerprint]
    return list(files), known_entries(session, source, files)


def known_entries(session: Session, source: FolderSource, files: Iterable[SourceFile]) -> dict[str, Entry]:
    """Return the ledger's entries of these files, by key."""
    entries: dict[str, Entry] = {}
    for team_id, keys in keys_by_team(files):
        entries.update(ledger.entries(session, team_id, source.name, keys))
    return entries


def keys_by_team(files: Iterable[SourceFile]) -> Iterator[tuple[str, list[str]]]:
    """Yield the files' keys by team."""
    keys: dict[str, list[str]] = defaultdict(list)
    for file in files:
        keys[file.target.team_id].append(file.key)
    yield from keys.items()


def decide(
    file: SourceFile, entry: Entry | None, source: FolderSource, settings: Settings, now: float
) -> tuple[Decision, str]:
    """Return what to do with a file at ``now`` (seconds since the epoch), and the reason."""
    state = file.found
    same = entry is not None and is_same(entry, file, state)
    if entry is not None and same and entry.outcome in TAKEN:
        finished = source.after == "keep" or entry.finished_at is not None
        return (Decision.KNOWN if finished else Decision.UNFINISHED), entry.message
    if (words := refusal(state, settings)) is not None:
        return Decision.REFUSED, words
    settle = settings.settle_seconds if state.size else EMPTY_SETTLE_SECONDS
    age = now - state.changed_ns / 1e9
    if age < 0:
        # The file's clock is ahead of ours: wait until two scans agree.
        seen_at = entry.updated_at.timestamp() if entry is not None and same else now
        if now - seen_at < settle:
            return Decision.WAITING, "its time lies in the future, so it is watched first"
    elif age < settle:
        words = "may still be being written" if state.size else "is empty; its content is waited for"
        return Decision.WAITING, words
    return Decision.READY, ""


def is_same(entry: Entry, file: SourceFile, state: FoundFile) -> bool:
    """Return whether the entry describes the file in this state, for this target."""
    return entry.fingerprint == state.fingerprint and entry.target_id == file.target.id


def refusal(file: FoundFile, settings: Settings) -> str | None:
    """Return why the file can't be registered, or None."""
    if file.refusal is None and file.size > settings.max_file_bytes:
        return (
            f"has {file.size:,} bytes, more than the {settings.max_file_bytes:,} allowed;"
            " make it smaller or raise DOCDUCK_MAX_FILE_BYTES"
        )
    return file.refusal
