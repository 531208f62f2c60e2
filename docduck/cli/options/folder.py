"""Folders as people name them: by a path such as ``Bills / 2026`` or ``bills/2026``, or by id."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.cli.backends.backend import FolderPlace
from docduck.errors import NotFound


def folder_at(folders: Sequence[FolderPlace], ref: str) -> FolderPlace:
    """Return the folder with this id or path; raise NotFound naming those that there are."""
    wanted = _key(ref)
    for folder in folders:
        if ref.strip().lower() == folder.id or wanted == _key(folder.path_label):
            return folder
    known = ", ".join(folder.path_label for folder in folders) or "none"
    raise NotFound(f"There is no folder '{ref}'; the parser's folders: {known}", "folderId", ref)


def ids_below(folders: Sequence[FolderPlace], ref: str) -> list[str]:
    """Return the ids of the folder at ``ref`` and of all folders below it; raise NotFound."""
    top = folder_at(folders, ref).id
    return [folder.id for folder in folders if top in folder.path_ids]


def _key(path: str) -> str:
    return "/".join(part.strip().casefold() for part in path.strip().strip("/").split("/"))
