"""What a task has of the pieces of a long document, which earlier tasks have read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from docduck.workers.context import Context

if TYPE_CHECKING:
    from docduck.documents.document import Document

Purpose = Literal["split", "read"]
"""What a document is read for; it may be read differently to be split."""

PIECE_OUTPUT = "piece"
"""The output of a task that reads a piece."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces to read of a document, as ``parsePages`` expressions, and how many pages they are."""

    purpose: Purpose
    pages: tuple[str, ...]
    page_count: int


class PiecesWanted(Exception):
    """A task needs the pieces of a long document."""

    def __init__(self, wanted: Pieces) -> None:
        super().__init__(wanted.purpose)
        self.wanted = wanted


@dataclass(frozen=True, slots=True)
class KeptPieces:
    """The last input has the pieces that were read for ``purpose``; there are none if that is None."""

    purpose: Purpose | None = None

    def get(self, purpose: Purpose, pages: Sequence[str], context: Context) -> Iterable[Document]:
        """Return the pieces with these pages; raise PiecesWanted if they were not kept."""
        if purpose != self.purpose:
            count = sum(page.count(",") + 1 for page in pages)
            raise PiecesWanted(Pieces(purpose, tuple(pages), count))
        from docduck.documents.pieces import unpack

        return unpack(context.read(-1))
