"""Pages cut into windows that fit a model's context, so that nothing of a long document is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from docduck.documents.document import Page
from docduck.extraction.extractors.model.page_text import head_rows, page_rows

_BYTES_A_TOKEN = 3
_GAP = re.compile(r" {2,}")
_LARGEST_OVERLAP = 1 / 3
_LEAST_ROWS = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of one page as text, or of a part of one; ``tokens`` is an upper estimate of their size.

    ``picture_tokens`` are those of the page's picture; 0 if it is not shown.
    """

    page: Page
    rows: tuple[str, ...]
    picture_tokens: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def tokens(self) -> int:
        return tokens_of(self.text) + 16 + self.picture_tokens


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces that are read together."""

    pieces: tuple[Piece, ...]

    @property
    def pages(self) -> frozenset[int]:
        """The numbers of its pages."""
        return frozenset(piece.page.number for piece in self.pieces)

    @property
    def is_pictured(self) -> bool:
        """Whether a page of it is shown as a picture."""
        return any(piece.picture_tokens for piece in self.pieces)

    def shared(self, before: Window | None) -> frozenset[int]:
        """Return the pages that it repeats from the window before."""
        if before is None:
            return frozenset()
        repeated = (piece for piece in self.pieces if any(piece is earlier for earlier in before.pieces))
        return frozenset(piece.page.number for piece in repeated)

    def halves(self) -> tuple[Window, Window] | None:
        """Return two windows with half of the content each; None when it is too small for that.

        The heads of a page's tables are in both.
        """
        if len(self.pieces) > 1:
            middle = len(self.pieces) // 2
            return Window(self.pieces[:middle]), Window(self.pieces[middle:])
        piece = self.pieces[0]
        if len(piece.rows) < 2 * _LEAST_ROWS:
            return None
        middle = len(piece.rows) // 2
        first, second = piece.rows[:middle], piece.rows[middle:]
        known = head_rows(piece.page)
        heads = tuple(row for row in first if row in known)
        if len(heads) < len(first):
            second = heads + second
        return (
            Window((replace(piece, rows=first),)),
            Window((replace(piece, rows=second),)),
        )


def tokens_of(text: str) -> int:
    """Return an upper estimate of a text's tokens: one for three bytes of UTF-8; a gap counts as a byte."""
    return len(_GAP.sub(" ", text).encode("utf-8", "replace")) // _BYTES_A_TOKEN + 1


def windows(
    pages: Iterable[Page], room: int, pictures: Mapping[int, int] = MappingProxyType({})
) -> list[Window]:
    """Return windows of at most ``room`` tokens over all pages that have something to read, in order.

    The last page of a window is also the first of the next, unless it is large. ``pictures`` are the tokens
    of pages' pictures by their numbers.
    """
    pieces = [piece for page in pages for piece in _pieces(page, room, pictures.get(page.number, 0))]
    all_windows: list[Window] = []
    current: list[Piece] = []
    for piece in pieces:
        if current and sum(piece.tokens for piece in current) + piece.tokens > room:
            all_windows.append(Window(tuple(current)))
            last = current[-1]
            small = last.tokens <= room * _LARGEST_OVERLAP and last.tokens + piece.tokens <= room
            current = [last] if small and len(current) > 1 else []
        current.append(piece)
    if current:
        all_windows.append(Window(tuple(current)))
    return all_windows


def _pieces(page: Page, room: int, picture_tokens: int) -> list[Piece]:
    rows = page_rows(page)
    if not rows and not picture_tokens:
        return []
    pieces: list[Piece] = []
    current: list[str] = []
    for row in _cut(rows, room // 2):
        if current and Piece(page, (*current, row), picture_tokens).tokens > room:
            pieces.append(Piece(page, tuple(current), picture_tokens))
            current = []
        current.append(row)
    return [*pieces, Piece(page, tuple(current), picture_tokens)]


def _cut(rows: Sequence[str], room: int) -> Iterable[str]:
    """Rows, any that would fill a window cut between words."""
    most = room * _BYTES_A_TOKEN // 4
    for row in rows:
        while len(row) > most:
            at = row.rfind(" ", 1, most)
            at = at if at > 0 else most
            yield row[:at]
            row = row[at:].lstrip()
        yield row
