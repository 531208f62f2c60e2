"""Header rows: cells whose words are labels of a table's columns, over one, two or three lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise

from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.lexicon import concepts
from docduck.extraction.page.page_view import PageView, Row, Segment, Token
from docduck.extraction.values.currencies import is_currency_mark

_DEPTH = 3
_STACKED = 0.75
"""Blank space, in line heights, that two lines of one header may have between them."""
_LONGEST = 6
"""Words in a label at most."""
_MOST_TOKENS = 40
"""Words in a line of a header at most."""


@dataclass
class HeaderCell:
    """One cell of a header: its words, its span in points, and what it can be.

    ``forms`` are the label forms that it matches; none for a cell of unknown meaning.
    """

    tokens: list[Token]
    forms: tuple[str, ...] = ()
    shared: bool = False
    target: FieldTarget | None = None
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

    def weight(self, target: FieldTarget) -> float:
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


@cache
def _column_beginnings() -> frozenset[str]:
    return frozenset(_beginnings(column_forms()))


def _beginnings(forms: Iterable[str]) -> Iterator[str]:
    return (form[:end] for form in forms for end in range(1, len(form) + 1))


class HeaderFinder:
    """Finds the headers of one table field on a page."""

    def __init__(self, columns: Sequence[FieldTarget]) -> None:
        self.columns = columns
        self.forms = dict(column_forms())
        for column in columns:
            for form in column.own:
                self.forms.setdefault(form, frozenset())
        own = (form for column in columns for form in column.own)
        self._begun = _column_beginnings().union(_beginnings(own))
        self._announced: dict[str, frozenset[str]] = {}
        self._wholes: dict[int, _Piece] = {}
        self._parted: dict[int, list[_Piece]] = {}

    def find(self, page: PageView) -> list[Header]:
        """The headers on a page, top to bottom, none overlapping another."""
        found = [header for header in self._all(page) if header is not None]
        found.sort(key=lambda h: -h.score)
        kept: list[Header] = []
        taken: set[int] = set()
        for header in found:
            rows = range(header.first_row, header.last_row + 1)
            if taken.isdisjoint(rows):
                kept.append(header)
                taken.update(rows)
        return sorted(kept, key=lambda h: h.first_row)

    def _all(self, page: PageView) -> Iterator[Header | None]:
        self._wholes, self._parted = {}, {}
        promising = [self._hits(row) for row in page.rows]
        for index, hits in enumerate(promising):
            if not hits:
                continue
            for depth in range(1, _DEPTH + 1):
                rows = page.rows[index : index + depth]
                if len(rows) < depth or not _stacks(rows[-2:], page.line_height):
                    break
                if depth > 1 and sum(promising[index : index + depth]) < 2:
                    continue
                yield self._header(page, rows)

    def _hits(self, row: Row) -> int:
        """How many labels a row shows, 0 if it is plainly no header."""
        tokens = row.tokens
        if len(tokens) > _MOST_TOKENS:
            return 0
        count = sum(token.key in self.forms for token in tokens if token.key)
        digits = sum(any(c.isdigit() for c in t.text) for t in tokens) if count else 0
        return 0 if digits > len(tokens) / 3 else count

    def _header(self, page: PageView, rows: Sequence[Row]) -> Header | None:
        cells: list[HeaderCell] = []
        pieces = [p for row in rows for segment in row.segments for p in self._pieces(segment, len(rows))]
        for cluster in _clusters(pieces):
            cells.extend(self._cells(cluster))
        cells.sort(key=lambda cell: cell.left)
        wanted = {name for cell in cells for form in cell.forms for name in self._columns_of(form)}
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

    def _columns_of(self, form: str) -> frozenset[str]:
        """The names of the columns that ``form`` is a label of."""
        if form not in self._announced:
            self._announced[form] = frozenset(c.name for c in self.columns if c.weight(form) > 0)
        return self._announced[form]

    def _pieces(self, segment: Segment, depth: int) -> list[_Piece]:
        """A segment of a header over several lines, parted where labels of several columns stand in it."""
        if segment.index not in self._wholes:
            self._wholes[segment.index] = self._piece(segment.tokens, segment.row)
        whole = self._wholes[segment.index]
        if depth == 1 or whole.form or sum(bool(run.forms) for run in whole.cells) < 2:
            return [whole]
        if segment.index not in self._parted:
            self._parted[segment.index] = [
                self._piece(run.tokens, segment.row, shared=True) for run in whole.cells
            ]
        return self._parted[segment.index]

    def _piece(self, tokens: Sequence[Token], row: int, shared: bool = False) -> _Piece:
        form = self._form(tokens)
        if form is None:
            return _Piece(tokens, row, shared, None, self._runs(tokens))
        cell = HeaderCell(list(tokens), (form,), shared, concepts=self.forms[form])
        return _Piece(tokens, row, shared, form, [cell])

    def _cells(self, cluster: Sequence[_Piece]) -> list[HeaderCell]:
        if len(cluster) == 1:
            return cluster[0].cells
        tokens = [token for piece in cluster for token in piece.tokens]
        shared = any(piece.shared for piece in cluster)
        form = self._form(tokens)
        if form:
            return [HeaderCell(tokens, (form,), shared, concepts=self.forms[form])]
        forms = tuple(piece.form for piece in cluster if piece.form)
        if not forms:
            forms = tuple(dict.fromkeys(f for p in cluster for run in p.cells for f in run.forms))
        names: frozenset[str] = frozenset()
        for one in forms:
            names |= self.forms[one]
        return [HeaderCell(tokens, forms, shared, concepts=names)]

    def _form(self, tokens: Sequence[Token]) -> str | None:
        whole = "".join([t.key for t in tokens])
        if whole in self.forms:
            return whole
        bare = "".join([t.key for t in tokens if not _is_aside(t.text)])
        return bare if bare and bare in self.forms else None

    def _runs(self, tokens: Sequence[Token]) -> list[HeaderCell]:
        """The labels that follow each other in one segment; words between them are cells too."""
        cells: list[HeaderCell] = []
        loose: list[Token] = []
        at = 0
        while at < len(tokens):
            end, form = self._longest(tokens, at)
            if end == at:
                if tokens[at].key and not is_currency_mark(tokens[at].text.strip("()[]")):
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

    def _longest(self, tokens: Sequence[Token], at: int) -> tuple[int, str]:
        """Return the end and the form of the longest label from word ``at`` on; ``at`` if there is none."""
        end, form, joined = at, "", tokens[at].key
        for stop in range(at + 1, min(at + _LONGEST, len(tokens)) + 1):
            if stop > at + 1:
                if not tokens[stop - 1].key:
                    continue
                joined += tokens[stop - 1].key
            if joined not in self._begun:
                break
            if joined in self.forms:
                end, form = stop, joined
        return end, form


@lru_cache(maxsize=8192)
def _is_aside(text: str) -> bool:
    """Whether a word of a header is a currency or stands in brackets."""
    return is_currency_mark(text.strip("()[]")) or text[:1] in "(["


def _stacks(rows: Sequence[Row], height: float) -> bool:
    """Whether rows can be lines of one header: close together, without figures."""
    for upper, lower in pairwise(rows):
        if lower.top - upper.bottom > _STACKED * height or len(lower.tokens) > _MOST_TOKENS:
            return False
        if any(s.has_digit for s in lower.segments):
            return False
    return True


class _Piece:
    """Words of one line of a header that belong to one column; ``shared`` if their segment holds several.

    ``form`` is the label that they are, if they are one; ``cells`` are the cells that they make alone.
    """

    __slots__ = ("cells", "form", "left", "right", "row", "shared", "tokens")

    def __init__(
        self, tokens: Sequence[Token], row: int, shared: bool, form: str | None, cells: list[HeaderCell]
    ) -> None:
        self.tokens = tokens
        self.row = row
        self.shared = shared
        self.form = form
        self.cells = cells
        self.left, self.right = tokens[0].left, max([t.right for t in tokens])

    def shares(self, other: _Piece) -> float:
        """The width that both take; not above 0 where they lie beside each other."""
        return min(self.right, other.right) - max(self.left, other.left)


def _clusters(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Pieces of stacked rows that lie above one another, each cluster in reading order."""
    clusters: list[list[_Piece]] = []
    first = pieces[0].row if pieces else 0
    for piece in pieces:
        if piece.row == first:
            clusters.append([piece])
            continue
        best, widest = None, 0.0
        for cluster in clusters:
            if cluster[-1].row == piece.row:
                continue
            width = piece.shares(cluster[0])
            for other in cluster[1:]:
                width = max(width, piece.shares(other))
            if width > widest:
                best, widest = cluster, width
        if best is not None:
            best.append(piece)
        else:
            clusters.append([piece])
    return clusters
