"""The folders that are watched: the inbox, and those that pipeline.yaml names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import select

from docduck.catalog.models import Parser
from docduck.files.names import safe_text
from docduck.service.core.installation import Installation
from docduck.service.pipeline.pipeline_spec import load_pipeline
from docduck.sources.folder.walk import Scan, scan

INBOX = "inbox"
TAKEN_FOLDER = ".taken"


@dataclass(frozen=True, slots=True)
class FolderSource:
    """A watched folder. ``parser`` is an id, slug or name; None means a sub-folder per parser slug.

    ``after`` says what becomes of a file that was taken; ``move_to`` is ``<path>/.taken`` unless set.
    """

    name: str
    path: Path
    parser: str | None = None
    pattern: str | None = None
    recursive: bool = True
    after: Literal["keep", "move", "delete"] = "keep"
    move_to: Path | None = None

    @property
    def taken_folder(self) -> Path:
        """Where ``after: move`` puts files."""
        return self.move_to or self.path / TAKEN_FOLDER


@dataclass(frozen=True, slots=True)
class SourceParser:
    """The parser that a folder's files are for."""

    id: str
    team_id: str
    slug: str
    name: str
    is_active: bool


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """One folder of a source and what lies there; ``prefix`` goes before its paths to name an item."""

    root: Path
    bounds: Path
    prefix: str
    target: SourceParser
    scan: Scan


def sources(inst: Installation) -> list[FolderSource]:
    """The inbox, then the folders of pipeline.yaml, if there is one.

    Raises InputError when pipeline.yaml is not right.
    """
    found = [inbox(inst)]
    if inst.settings.pipeline.exists():
        for spec in load_pipeline(inst.settings.pipeline).sources:
            found.append(
                FolderSource(
                    name=spec.name,
                    path=spec.folder,
                    parser=spec.parser,
                    pattern=spec.pattern,
                    recursive=spec.recursive,
                    after=spec.after,
                    move_to=spec.move_to,
                )
            )
    return found


def inbox(inst: Installation) -> FolderSource:
    """The inbox; it needs no configuration."""
    return FolderSource(INBOX, inst.settings.inbox)


def ensure_inbox(inst: Installation) -> None:
    """Make the inbox and each parser's folder in it, where they are missing and the disk allows it."""
    for target in _targets(inst).values():
        _make(inst.settings.inbox / target.slug)


def source_folders(inst: Installation, source: FolderSource) -> tuple[list[SourceFolder], list[str]]:
    """Walk a source's folders; gives them, and sentences about what can't be taken there and why."""
    if source.parser is None:
        return _inbox_places(inst, source)
    wanted = source.parser
    mine = [target for target in _targets(inst).values() if target.team_id == inst.team_id]
    target = next((t for t in mine if wanted in (t.slug, t.id)), None)
    target = target or next((t for t in mine if t.name == wanted), None)
    if target is None:
        return [], [f"Source {source.name}: no parser is called {wanted}; create it or name another"]
    if not target.is_active:
        return [], [f"Source {source.name}: parser {target.slug} is not active; its files wait"]
    found = scan(source.path, pattern=source.pattern, recursive=source.recursive, skip=(source.taken_folder,))
    return [SourceFolder(source.path, source.path, "", target, found)], list(found.problems)


def _inbox_places(inst: Installation, source: FolderSource) -> tuple[list[SourceFolder], list[str]]:
    targets = _targets(inst)
    found: list[SourceFolder] = []
    problems: list[str] = []
    for slug in targets:
        _make(source.path / slug)
    top = scan(source.path, recursive=False)
    problems += top.problems
    problems += [
        f"{source.path}/{safe_text(file.path)}: {file.refusal}" for file in top.files if file.refusal
    ]
    loose = [safe_text(file.path) for file in top.files if not file.refusal]
    if loose:
        more = f" and {len(loose) - 1} more lie" if len(loose) > 1 else " lies"
        problems.append(f"{source.path}/{loose[0]}{more} in no parser's folder; move them into one")
    strays = {stray.path for stray in top.files}
    for folder in _folders(source.path):
        if folder.name in strays:
            continue
        target = targets.get(folder.name)
        content = scan(folder, bounds=source.path)
        label = f"{source.path / safe_text(folder.name)}"
        if target is not None and target.is_active:
            found.append(SourceFolder(folder, source.path, f"{folder.name}/", target, content))
            problems += content.problems
        elif content.files and target is not None:
            problems.append(f"{label}: parser {target.slug} is not active; its files wait")
        elif content.files:
            problems.append(
                f"{label}: no parser is called {safe_text(folder.name)}; create it or move the files"
            )
    return found, problems


def _folders(path: Path) -> Iterator[Path]:
    with suppress(OSError):
        for child in sorted(path.iterdir()):
            if not child.name.startswith(".") and child.is_dir():
                yield child


def _targets(inst: Installation) -> dict[str, SourceParser]:
    """All parsers of all teams, by slug."""
    columns = (Parser.id, Parser.team_id, Parser.slug, Parser.name, Parser.is_active)
    with inst.catalog.read_session() as session:
        rows = session.execute(select(*columns).where(Parser.deleted_at.is_(None)).order_by(Parser.slug))
        return {row.slug: SourceParser(*row) for row in rows}


def _make(folder: Path) -> None:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
