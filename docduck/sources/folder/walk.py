"""A walk through a folder that opens no file and follows no link out of it."""

from __future__ import annotations

import fnmatch
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from docduck.files.names import is_temporary


class FoundFile(NamedTuple):
    """A file found by a walk: ``path`` below the folder, size in bytes, times in nanoseconds.

    For a link, size and times are its target's. ``refusal`` is why it can't be registered.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    refusal: str | None = None

    @property
    def fingerprint(self) -> str:
        """A text that changes whenever the file changes."""
        return f"{self.size}:{self.mtime_ns}:{self.ctime_ns}"

    @property
    def changed_ns(self) -> int:
        """The later of its times, in nanoseconds since the epoch."""
        return max(self.mtime_ns, self.ctime_ns)


@dataclass(frozen=True, slots=True)
class WalkResult:
    """The files of a folder by path; ``problems`` are messages about unreadable folders.

    ``unmatched`` counts files that the pattern excludes.
    """

    files: tuple[FoundFile, ...] = ()
    problems: tuple[str, ...] = ()
    unmatched: int = 0

    def signature(self) -> str:
        """Equal for two scans that found the same files in the same state."""
        digest = hashlib.blake2b(digest_size=16)
        for file in self.files:
            line = f"{file.path}\0{file.fingerprint}\0{file.refusal or ''}\0"
            digest.update(line.encode("utf-8", "surrogateescape"))
        for problem in self.problems:
            digest.update(problem.encode("utf-8", "surrogateescape"))
        digest.update(str(self.unmatched).encode())
        return digest.hexdigest()


@dataclass(slots=True)
class _Walk:
    """The state of one walk."""

    bounds: str
    skip: frozenset[str]
    pattern: re.Pattern[str] | None
    by_path: bool
    recursive: bool
    files: list[FoundFile] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unmatched: int = 0
    folders: list[tuple[str, str]] = field(default_factory=list)
    linked: list[tuple[str, str]] = field(default_factory=list)
    visited: set[tuple[int, int]] = field(default_factory=set)

    def run(self) -> None:
        # Real folders first, so that links to them add nothing.
        while self.folders or self.linked:
            folder, prefix = self.folders.pop() if self.folders else self.linked.pop()
            try:
                for entry in _entries(folder, self.visited):
                    if not is_temporary(entry.name):
                        self._meet(entry, prefix + entry.name)
            except FileNotFoundError:
                continue
            except OSError as error:
                self.problems.append(f"{folder}: the folder can't be read ({error.strerror})")

    def _meet(self, entry: os.DirEntry[str], path: str) -> None:
        try:
            if entry.is_symlink():
                self._meet_link(entry, path)
            elif entry.is_dir(follow_symlinks=False):
                if self.recursive and entry.path not in self.skip:
                    self.folders.append((entry.path, path + "/"))
            else:
                self._add(path, entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            return
        except OSError as error:
            self.problems.append(f"{entry.path}: can't be looked at ({error.strerror})")

    def _meet_link(self, entry: os.DirEntry[str], path: str) -> None:
        own = entry.stat(follow_symlinks=False)
        try:
            target = os.path.realpath(entry.path, strict=True)
        except OSError:
            self._add(path, own, "is a link that leads nowhere; replace it with the file")
            return
        if not is_inside(target, self.bounds):
            self._add(path, own, f"is a link that leads out of {self.bounds}; replace it with the file")
        elif entry.is_dir():
            if self.recursive:
                self.linked.append((entry.path, path + "/"))
        else:
            self._add(path, entry.stat())

    def _add(self, path: str, status: os.stat_result, refusal: str | None = None) -> None:
        name = path if self.by_path else path.rpartition("/")[2]
        if self.pattern and not self.pattern.match(name.casefold()):
            self.unmatched += 1
            return
        if refusal is None and not stat.S_ISREG(status.st_mode):
            refusal = "is not a regular file; remove it"
        self.files.append(FoundFile(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, refusal))


def walk(
    root: Path,
    *,
    bounds: Path | None = None,
    pattern: str | None = None,
    recursive: bool = True,
    skip: tuple[Path, ...] = (),
) -> WalkResult:
    """Walk ``root``; never raise for what is found.

    Links are followed within ``bounds`` (default: ``root``). ``pattern`` is a case-insensitive shell pattern
    for the name, or with a slash for the path below ``root``. Hidden and temporary files and the folders
    ``skip`` are omitted.
    """
    try:
        top = os.path.realpath(root, strict=True)
    except FileNotFoundError:
        return WalkResult(problems=(f"There is no folder {root}; create it",))
    except OSError as error:
        return WalkResult(problems=(f"{root}: the folder can't be read ({error.strerror})",))
    limit = os.path.realpath(bounds) if bounds else top
    if not is_inside(top, limit):
        return WalkResult(
            problems=(f"{root} is a link that leads out of {limit}; name the folder as a source",)
        )
    if not Path(top).is_dir():
        return WalkResult(problems=(f"{root} is not a folder",))
    running = _Walk(
        bounds=limit,
        skip=frozenset(os.path.realpath(folder) for folder in skip),
        pattern=re.compile(fnmatch.translate(pattern.casefold())) if pattern else None,
        by_path=pattern is not None and "/" in pattern,
        recursive=recursive,
        folders=[(top, "")],
    )
    running.run()
    files = sorted(running.files, key=lambda file: file.path)
    return WalkResult(tuple(files), tuple(sorted(running.problems)), running.unmatched)


def is_inside(path: str, folder: str) -> bool:
    """Return whether ``path`` is ``folder`` or below it; both are real paths."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _entries(folder: str, visited: set[tuple[int, int]]) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of ``folder``, unless a link has led there before."""
    status = Path(folder).stat()
    identity = (status.st_dev, status.st_ino)
    if identity in visited:
        return
    visited.add(identity)
    with os.scandir(folder) as entries:
        yield from entries
