"""Folders with instructions and without rules: a document is classified to choose one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from docduck.extraction.triage.classify.labels import Label
from docduck.service.core.folder_tree import FolderTree, load_tree
from docduck.service.folders.auto_assignment import RulesVersion, rules_versions


@dataclass(frozen=True, slots=True)
class DescribedFolders:
    """A parser's folders as ``labels`` for a document, in depth-first order, and their ids by label."""

    version: RulesVersion
    labels: tuple[Label, ...]
    ids: Mapping[str, str]


def described_folders(
    session: Session, parser_ids: Collection[str], known: Mapping[str, DescribedFolders]
) -> dict[str, DescribedFolders]:
    """Return the described folders of the parsers that have any; ``known`` ones if nothing has changed."""
    folders: dict[str, DescribedFolders] = {}
    for parser_id, version in rules_versions(session, parser_ids).items():
        before = known.get(parser_id)
        if before is not None and before.version == version:
            folders[parser_id] = before
        else:
            folders[parser_id] = _described(load_tree(session, parser_id), version)
    return folders


def _described(tree: FolderTree, version: RulesVersion) -> DescribedFolders:
    folders: dict[str, tuple[str, str]] = {}
    namesakes = Counter(folder.name.casefold() for folder in tree.folders)
    for folder in tree.folders:
        stored = folder.auto_assignment or {}
        if folder.has_auto_assign and not stored.get("rules") and stored.get("instructions"):
            is_unique = namesakes[folder.name.casefold()] == 1
            label = folder.name if is_unique else tree.label(folder.id)
            folders.setdefault(label, (folder.id, stored["instructions"]))
    labels = tuple(Label(label, instructions) for label, (_, instructions) in folders.items())
    return DescribedFolders(version, labels, {label: folder_id for label, (folder_id, _) in folders.items()})
