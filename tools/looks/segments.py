"""The truth of a page's segments: what each is, what labels it, and whose name or address it shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.reading.page_reading import KINDS, ROLES
from tools.looks.sheet import Piece, place


@dataclass(frozen=True)
class Truth:
    """The truth of one page, by segment: its kind and role as places in ``KINDS`` and ``ROLES``.

    ``captions`` and ``heads`` are the segments that label it and head its column; -1 for none.
    """

    kinds: list[int]
    roles: list[int]
    captions: list[int]
    heads: list[int]


def truth_of(view: PageView, owners: dict[tuple[int, int], Piece]) -> Truth:
    """Return the truth of a page that was drawn with ``owners``, the piece of each word by its place."""
    pieces = [_pieces(segment, owners) for segment in view.segments]
    where: dict[int, int] = {}
    for index, some in enumerate(pieces):
        for piece in some:
            where.setdefault(id(piece), index)
    truth = Truth([], [], [], [])
    for index, some in enumerate(pieces):
        truth.kinds.append(KINDS.index(_kind(some)))
        roles = Counter(p.role for p in some if p.role in ROLES)
        truth.roles.append(ROLES.index(roles.most_common(1)[0][0]) if roles else 0)
        truth.captions.append(_first(where, index, [c for p in some for c in p.captions]))
        truth.heads.append(_first(where, index, [c for p in some for c in p.heads]))
    return truth


def _pieces(segment: Segment, owners: dict[tuple[int, int], Piece]) -> list[Piece]:
    pieces = {}
    for token in segment.tokens:
        piece = owners.get(place(token.left, token.top))
        if piece is not None:
            pieces[id(piece)] = piece
    return list(pieces.values())


def _kind(pieces: list[Piece]) -> str:
    kinds = {p.kind for p in pieces}
    if "label" in kinds and kinds & {"value", "option"}:
        return "both"
    order = ("value", "label", "head", "cell", "option", "heading", "prose", "furniture")
    return next((kind for kind in order if kind in kinds), "furniture")


def _first(where: dict[int, int], own: int, pieces: list[Piece]) -> int:
    """Return the segment of the first piece that is on the page, and not in this very segment."""
    places = [where[id(p)] for p in pieces if id(p) in where]
    return next((place for place in places if place != own), -1)
