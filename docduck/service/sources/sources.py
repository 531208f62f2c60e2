"""The sources: the inbox and those in pipeline.yaml. Folders are walked here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from docduck.files.names import safe_text
from docduck.service.core.installation import Installation
from docduck.service.pipeline.pipeline_spec import load_pipeline
from docduck.service.pipeline.source_specs import BucketSpec, MailboxSpec, RemoteSpec, SourceSpec, UrlSpec
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.remote_sources import (
    ItemOrigin,
    RemoteSource,
    added_source,
    bucket_source,
    mailbox_source,
    url_source,
)
from docduck.service.sources.targets import Target, find_target, parsers_by_slug
from docduck.sources.folder.walk import WalkResult, walk

INBOX = "inbox"
TAKEN_FOLDER = ".taken"


@dataclass(frozen=True, slots=True)
class FolderSource:
    """A watched folder; ``parser`` is an id, slug or name, ``classifier`` an id or name.

    Without either, it has a subfolder per parser slug. ``after`` is what to do with registered files;
    ``move_to`` defaults to ``<path>/.taken``. With ``folders``, documents are filed in folders of the parser
    that are named as those below ``path``.
    """

    name: str
    path: Path
    parser: str | None = None
    pattern: str | None = None
    recursive: bool = True
    after: Literal["keep", "move", "delete"] = "keep"
    move_to: Path | None = None
    classifier: str | None = None
    folders: bool = False

    @property
    def kind(self) -> str:
        return "folder"

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return str(self.path)

    @property
    def origin(self) -> ItemOrigin:
        """Where its files come from, as the ledger knows it: one that went away and came back is new."""
        return ItemOrigin(
            name=self.name,
            document_source="folder",
            folders=self.folders,
            known_outcomes=frozenset(ItemOutcome) - {ItemOutcome.VANISHED},
            is_finished=self.after == "keep",
        )

    @property
    def taken_folder(self) -> Path:
        """The folder to which ``after: move`` moves files."""
        return self.move_to or self.path / TAKEN_FOLDER


Source = FolderSource | RemoteSource


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """A folder of a source and its files; ``prefix`` precedes paths in item names."""

    root: Path
    bounds: Path
    prefix: str
    target: Target
    content: WalkResult


def sources(inst: Installation) -> list[Source]:
    """Return the inbox and the sources of pipeline.yaml, if it exists; raise InputError if it is invalid."""
    known: list[Source] = [inbox(inst)]
    if inst.settings.pipeline.exists():
        known += [source_of(spec) for spec in load_pipeline(inst.settings.pipeline).sources]
    return known


def source_of(spec: SourceSpec) -> Source:
    """Return the source that ``spec`` describes."""
    if isinstance(spec, UrlSpec):
        return url_source(spec)
    if isinstance(spec, MailboxSpec):
        return mailbox_source(spec)
    if isinstance(spec, BucketSpec):
        return bucket_source(spec)
    if isinstance(spec, RemoteSpec):
        return added_source(spec)
    return FolderSource(
        name=spec.name,
        path=spec.folder,
        parser=spec.parser,
        pattern=spec.pattern,
        recursive=spec.recursive,
        after=spec.after,
        move_to=spec.move_to,
        classifier=spec.classifier,
        folders=spec.folders,
    )


def inbox(inst: Installation) -> FolderSource:
    """Return the inbox, which needs no configuration."""
    return FolderSource(INBOX, inst.settings.inbox)


def ensure_inbox(inst: Installation) -> None:
    """Create the inbox and its folder for each parser where missing and possible."""
    for target in parsers_by_slug(inst).values():
        _make(inst.settings.inbox / target.label)


def source_folders(inst: Installation, source: FolderSource) -> tuple[list[SourceFolder], list[str]]:
    """Walk a source's folders; return them and messages about what can't be registered."""
    if source.parser is None and source.classifier is None:
        return _inbox_folders(inst, source)
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        return [], [f"Source {source.name}: {problem}"]
    result = walk(
        source.path, pattern=source.pattern, recursive=source.recursive, skip=(source.taken_folder,)
    )
    return [SourceFolder(source.path, source.path, "", target, result)], list(result.problems)


def _inbox_folders(inst: Installation, source: FolderSource) -> tuple[list[SourceFolder], list[str]]:
    targets = parsers_by_slug(inst)
    folders: list[SourceFolder] = []
    problems: list[str] = []
    for slug in targets:
        _make(source.path / slug)
    top = walk(source.path, recursive=False)
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
        content = walk(folder, bounds=source.path)
        label = f"{source.path / safe_text(folder.name)}"
        if target is not None and target.is_active:
            folders.append(SourceFolder(folder, source.path, f"{folder.name}/", target, content))
            problems += content.problems
        elif content.files and target is not None:
            problems.append(f"{label}: parser {target.label} is not active; its files wait")
        elif content.files:
            problems.append(
                f"{label}: no parser is called {safe_text(folder.name)}; create it or move the files"
            )
    return folders, problems


def _folders(path: Path) -> Iterator[Path]:
    with suppress(OSError):
        for child in sorted(path.iterdir()):
            if not child.name.startswith(".") and child.is_dir():
                yield child


def _make(folder: Path) -> None:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
