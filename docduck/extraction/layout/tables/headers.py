"""Header rows: cells whose words are labels of a table's columns, over one, two or three lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from docduck.extraction.lexicon import concepts
from docduck.extraction.targets import Target
from docduck.extraction.values.currencies import is_mark
from docduck.extraction.view import PageView, Row, Segment, Token

_DEPTH = 3
_STACKED = 0.75
"""Blank space, in line heights, that two lines of one header may have between them."""
_LONGEST = 6


@dataclass
class HeaderCell:
    """One cell of a header: its words, its span in points, and what it can be.

    ``forms`` are the label forms that it matches; none for a cell of unknown meaning.
    """

    tokens: list[Token]
    forms: tuple[str, ...] = ()
    shared: bool = False
    target: Target | None = None
    concepts: frozenset[str] = field(default_factory=frozenset)

    @property
    def left(self) -> float:
        return min(t.left for t in self.tokens)

    @property
    def right(self) -> float:
        return max(t.right for t in self.tokens)

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2

    @property
    def text(self) -> str:
        return " ".join(t.text for t in self.tokens)

    def weight(self, target: Target) -> float:
        """How much this cell's words are a label of ``target``, 0–1."""
        return max((target.weight(form) for form in self.forms), default=0.0)


@dataclass
class Header:
    """The header of a table: its cells from left to right and the rows it takes."""

    page: PageView
    first_row: int
    last_row: int
    cells: list[HeaderCell]
    score: float = 0.0

    @property
    def bottom(self) -> float:
        return self.page.rows[self.last_row].bottom

    @property
    def matched(self) -> frozenset[str]:
        """The names of the columns found."""
        return frozenset(cell.target.name for cell in self.cells if cell.target)


@cache
def column_forms() -> dict[str, frozenset[str]]:
    """The label forms of all column concepts, with the concepts that each can name."""
    forms: dict[str, set[str]] = {}
    for concept in concepts("columns").values():
        for form in concept.labels:
            forms.setdefault(form, set()).add(concept.name)
    return {form: frozenset(names) for form, names in forms.items()}


class HeaderFinder:
    """Finds the headers of one table field on a page."""

    def __init__(self, columns: Sequence[Target]) -> None:
        self.columns = columns
        self.forms = dict(column_forms())
        for column in columns:
            for form in column.own:
                self.forms.setdefault(form, frozenset())

    def find(self, page: PageView) -> list[Header]:
        """The headers on a page, top to bottom, none overlapping another."""
        found = [header for header in self._all(page) if header is not None]
        found.sort(key=lambda h: -h.score)
        kept: list[Header] = []
        for header in found:
            if all(header.last_row < k.first_row or k.last_row < header.first_row for k in kept):
                kept.append(header)
        return sorted(kept, key=lambda h: h.first_row)

    def _all(self, page: PageView) -> Iterator[Header | None]:
        promising = [self._hits(row) for row in page.rows]
        for index, hits in enumerate(promising):
            if not hits:
                continue
            for depth in range(1, _DEPTH + 1):
                rows = page.rows[index : index + depth]
                if len(rows) < depth or not _stacks(rows, page.line_height):
                    break
                if depth > 1 and sum(promising[index : index + depth]) < 2:
                    continue
                yield self._header(page, rows)

    def _hits(self, row: Row) -> int:
        """How many labels a row shows, 0 if it is plainly no header."""
        tokens = row.tokens
        digits = sum(any(c.isdigit() for c in t.text) for t in tokens)
        if len(tokens) > 40 or digits > len(tokens) / 3:
            return 0
        count = 0
        for segment in row.segments:
            for token in segment.tokens:
                if token.key and token.key in self.forms:
                    count += 1
        return count

    def _header(self, page: PageView, rows: Sequence[Row]) -> Header | None:
        cells: list[HeaderCell] = []
        pieces = [p for row in rows for segment in row.segments for p in self._pieces(segment, len(rows))]
        for cluster in _clusters(pieces):
            cells.extend(self._cells(cluster))
        cells.sort(key=lambda cell: cell.left)
        wanted = {c.name for cell in cells for c in self.columns if cell.weight(c) > 0}
        known = sum(bool(cell.forms) for cell in cells)
        if len(cells) < 2 or (len(wanted) < 2 and not (wanted and known >= 3)):
            return None
        unknown = len(cells) - known
        if unknown > known:
            return None
        words = sum(len(cell.tokens) for cell in cells if not cell.forms)
        score = len(wanted) + 0.4 * (known - min(len(wanted), known)) - 0.3 * unknown - 0.12 * words
        score -= 0.25 * (len(rows) - 1)
        if score < 1.0:
            return None
        return Header(page, rows[0].index, rows[-1].index, cells, score)

    def _pieces(self, segment: Segment, depth: int) -> list[_Piece]:
        """A segment of a header over several lines, parted where labels of several columns stand in it."""
        whole = _Piece(segment.tokens, segment.row)
        if depth == 1 or self._form(segment.tokens):
            return [whole]
        runs = self._runs(segment.tokens)
        if sum(bool(run.forms) for run in runs) < 2:
            return [whole]
        return [_Piece(run.tokens, segment.row, shared=True) for run in runs]

    def _cells(self, cluster: Sequence[_Piece]) -> list[HeaderCell]:
        tokens = [token for piece in cluster for token in piece.tokens]
        shared = any(piece.shared for piece in cluster)
        form = self._form(tokens)
        if form:
            return [HeaderCell(tokens, (form,), shared, concepts=self.forms[form])]
        if len(cluster) == 1:
            return self._runs(cluster[0].tokens)
        forms = tuple(f for piece in cluster if (f := self._form(piece.tokens)))
        if not forms:
            forms = tuple(
                dict.fromkeys(f for p in cluster for run in self._runs(p.tokens) for f in run.forms)
            )
        names: frozenset[str] = frozenset()
        for one in forms:
            names |= self.forms[one]
        return [HeaderCell(tokens, forms, shared, concepts=names)]

    def _form(self, tokens: Sequence[Token]) -> str | None:
        whole = "".join(t.key for t in tokens)
        if whole in self.forms:
            return whole
        bare = "".join(t.key for t in tokens if not is_mark(t.text.strip("()[]")) and t.text[:1] not in "([")
        return bare if bare and bare in self.forms else None

    def _runs(self, tokens: Sequence[Token]) -> list[HeaderCell]:
        """The labels that follow each other in one segment; words between them are cells too."""
        cells: list[HeaderCell] = []
        loose: list[Token] = []
        at = 0
        while at < len(tokens):
            end, form = at, ""
            for stop in range(min(at + _LONGEST, len(tokens)), at, -1):
                joined = "".join(t.key for t in tokens[at:stop])
                if tokens[at].key and tokens[stop - 1].key and joined in self.forms:
                    end, form = stop, joined
                    break
            if end == at:
                if tokens[at].key and not is_mark(tokens[at].text.strip("()[]")):
                    loose.append(tokens[at])
                elif cells and not loose:
                    cells[-1].tokens.append(tokens[at])
                at += 1
                continue
            if loose:
                cells.append(HeaderCell(loose))
                loose = []
            if cells and cells[-1].tokens[-1].text in ("/", "&"):
                cells[-1].tokens.extend(tokens[at:end])
                cells[-1].concepts |= self.forms[form]
                at = end
                continue
            cells.append(HeaderCell(list(tokens[at:end]), (form,), concepts=self.forms[form]))
            at = end
        if loose:
            cells.append(HeaderCell(loose))
        if len(cells) > 1:
            for cell in cells:
                cell.shared = True
        return cells


def _stacks(rows: Sequence[Row], height: float) -> bool:
    """Whether rows can be lines of one header: close together, without figures."""
    for upper, lower in pairwise(rows):
        if lower.top - upper.bottom > _STACKED * height:
            return False
        tokens = lower.tokens
        if any(any(c.isdigit() for c in t.text) for t in tokens):
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of one line of a header that belong to one column; ``shared`` if their segment holds several."""

    tokens: Sequence[Token]
    row: int
    shared: bool = False

    @property
    def left(self) -> float:
        return self.tokens[0].left

    @property
    def right(self) -> float:
        return max(t.right for t in self.tokens)


def _clusters(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Pieces of stacked rows that lie above one another, each cluster in reading order."""
    clusters: list[list[_Piece]] = []
    for piece in pieces:
        over = [c for c in clusters if any(piece.left < p.right and p.left < piece.right for p in c)]
        over = [c for c in over if all(p.row != piece.row for p in c)]
        if over:
            nearest = max(
                over, key=lambda c: max(min(piece.right, p.right) - max(piece.left, p.left) for p in c)
            )
            nearest.append(piece)
        else:
            clusters.append([piece])
    return clusters
