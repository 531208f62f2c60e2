"""The pieces of long documents, kept in the home until their documents are done.

    pieces/<document id>/<key>/<number>     a piece, by the key of its reading
    pieces/<document id>/<key>/whole        all of them in one file, once all are there

A piece appears whole or not at all. The key changes with the file, the way it is read, and docduck's version.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

from sqlalchemy import select

from docduck import __version__
from docduck.catalog.models import Document
from docduck.documents.read_options import ReadOptions
from docduck.extraction.jobs.kept_pieces import PIECE_OUTPUT
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.statuses import IN_PROGRESS

_WHOLE = "whole"


class PieceFolder:
    """The kept pieces of one reading of a document."""

    def __init__(self, inst: Installation, document_id: str, sha256: str, reading: ReadOptions) -> None:
        described = "\n".join((__version__, sha256, repr(reading)))
        key = hashlib.sha256(described.encode("utf-8", "replace")).hexdigest()[:16]
        self._folder = _pieces(inst) / document_id / key

    def numbers(self) -> set[int]:
        """Return the numbers of the pieces that are kept."""
        with suppress(FileNotFoundError):
            return {int(path.name) for path in self._folder.iterdir() if path.name.isdigit()}
        return set()

    def keep(self, number: int, outputs: Path | None) -> None:
        """Keep a piece that a worker has written to the folder ``outputs``; raise OSError."""
        if outputs is None:
            raise FileNotFoundError(f"piece {number} was not written")
        # Don't follow links: a malicious document may control the worker and point to any file.
        descriptor = os.open(outputs / PIECE_OUTPUT, os.O_RDONLY | os.O_NOFOLLOW)
        with open(descriptor, "rb") as content:  # noqa: PTH123 - there is no path to open
            aside = self._aside()
            with aside.open("wb") as target:
                shutil.copyfileobj(content, target)
            aside.replace(self._folder / f"{number}")

    def whole(self, count: int) -> Path:
        """Return the file of all ``count`` pieces."""
        path = self._folder / _WHOLE
        if not path.exists():
            aside = self._aside()
            with aside.open("wb") as target:
                for number in range(count):
                    with (self._folder / f"{number}").open("rb") as piece:
                        shutil.copyfileobj(piece, target)
            aside.replace(path)
        return path

    def _aside(self) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder / f".{new_id()}"


def forget_pieces(inst: Installation) -> None:
    """Delete the pieces of documents that are done or deleted."""
    try:
        kept = {path.name: path for path in _pieces(inst).iterdir()}
    except FileNotFoundError:
        return
    with inst.catalog.read_session() as session:
        wanted = select(Document.id).where(Document.id.in_(kept), Document.status.in_(IN_PROGRESS))
        needed = set(session.scalars(wanted)) if kept else set()
    for document_id, path in kept.items():
        if document_id not in needed:
            shutil.rmtree(path, ignore_errors=True)


def _pieces(inst: Installation) -> Path:
    return inst.settings.home.absolute() / "pieces"
