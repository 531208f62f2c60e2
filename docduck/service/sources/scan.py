"""What a source offers at this moment, and for each file whether it is to be taken."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sqlalchemy.orm import Session

from docduck.files.names import key_of, safe_text
from docduck.service.core.installation import Installation
from docduck.service.sources import ledger
from docduck.service.sources.ledger import TAKEN, Entry, ItemOutcome, Line
from docduck.service.sources.sources import FolderSource, SourceFolder, SourceParser, source_folders
from docduck.settings import Settings
from docduck.sources.folder.walk import Found

LEFT_IN_PLACE = "taken, but left in place: "


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that a source offers; ``key`` names it in the ledger."""

    place: SourceFolder
    found: Found
    key: str

    @property
    def target(self) -> SourceParser:
        return self.place.target

    @property
    def path(self) -> Path:
        return self.place.root / self.found.path

    @property
    def label(self) -> str:
        """The path for people to read."""
        return f"{self.place.root}/{safe_text(self.found.path)}"

    def line(self, outcome: ItemOutcome, message: str, fingerprint: str | None = None) -> Line:
        """What the ledger is to say of this file when it is not taken."""
        return Line(
            team_id=self.target.team_id,
            key=self.key,
            item=safe_text(self.place.prefix + self.found.path),
            fingerprint=fingerprint or self.found.fingerprint,
            outcome=outcome,
            message=message,
            parser_id=self.target.id,
            size=self.found.size,
        )


@dataclass(frozen=True, slots=True)
class SourceScan:
    """A source at one moment; equal signatures mean that nothing in it has changed."""

    folders: list[SourceFolder]
    offers: list[SourceFile]
    problems: list[str]
    signature: str

    def parser_ids(self) -> dict[str, set[str]]:
        """The parsers that the source's files are for, by team."""
        ids: dict[str, set[str]] = defaultdict(set)
        for place in self.folders:
            ids[place.target.team_id].add(place.target.id)
        return ids


class Decision(StrEnum):
    """What is to be done with a file."""

    READY = "ready"
    WAITING = "waiting"
    REFUSED = "refused"
    KNOWN = "known"
    UNFINISHED = "unfinished"


def scan(inst: Installation, source: FolderSource) -> SourceScan:
    """Walk the source's folders; reads no file and, but for the parsers, nothing from the catalog."""
    found, problems = source_folders(inst, source)
    digest = hashlib.blake2b(f"{source.after} {inst.settings.max_file_bytes}".encode(), digest_size=16)
    for place in found:
        digest.update(f"{place.prefix}\0{place.target.id}\0{place.scan.signature()}\0".encode())
    for problem in problems:
        digest.update(problem.encode("utf-8", "surrogateescape"))
    offers = [
        SourceFile(place, file, key_of(place.prefix + file.path))
        for place in found
        for file in place.scan.files
    ]
    return SourceScan(found, offers, problems, digest.hexdigest())


def known_entries(session: Session, source: FolderSource, offers: Iterable[SourceFile]) -> dict[str, Entry]:
    """What the ledger says of these files, by key."""
    entries: dict[str, Entry] = {}
    for team_id, keys in keys_by_team(offers):
        entries.update(ledger.entries(session, team_id, source.name, keys))
    return entries


def keys_by_team(offers: Iterable[SourceFile]) -> Iterator[tuple[str, list[str]]]:
    """The offers' keys, for each team."""
    keys: dict[str, list[str]] = defaultdict(list)
    for offer in offers:
        keys[offer.target.team_id].append(offer.key)
    yield from keys.items()


def decide(
    offer: SourceFile, entry: Entry | None, source: FolderSource, settings: Settings, now: float
) -> tuple[Decision, str]:
    """What is to be done with a file at ``now`` (seconds since the epoch), and why in words."""
    found = offer.found
    same = entry is not None and is_same(entry, offer, found)
    if entry is not None and same and entry.outcome in TAKEN:
        finished = source.after == "keep" or entry.finished_at is not None
        return (Decision.KNOWN if finished else Decision.UNFINISHED), entry.message
    if (words := refusal(found, settings)) is not None:
        return Decision.REFUSED, words
    settle = settings.settle_seconds if found.size else settings.empty_settle_seconds
    age = now - found.changed_ns / 1e9
    if age < 0:
        # Its clock is ahead of ours, so its times say nothing; our own two looks do.
        seen_at = entry.updated_at.timestamp() if entry is not None and same else now
        if now - seen_at < settle:
            return Decision.WAITING, "its time lies in the future, so it is watched first"
    elif age < settle:
        words = "may still be being written" if found.size else "is empty; its content is waited for"
        return Decision.WAITING, words
    return Decision.READY, ""


def is_same(entry: Entry, offer: SourceFile, found: Found) -> bool:
    """Whether the entry is about the file in this very state, for this very parser."""
    return entry.fingerprint == found.fingerprint and entry.parser_id == offer.target.id


def refusal(found: Found, settings: Settings) -> str | None:
    """Why a file can't be taken as it is; None when nothing speaks against it."""
    if found.refusal is None and found.size > settings.max_file_bytes:
        return (
            f"has {found.size:,} bytes, more than the {settings.max_file_bytes:,} allowed;"
            " make it smaller or raise DOCDUCK_MAX_FILE_BYTES"
        )
    return found.refusal
