"""Header detection: rows whose cells are labels of a table's columns, over one to three lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise

from docduck.extraction.extractors.layout.token_text import text_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import concepts
from docduck.extraction.page.page_view import PageView, Row, Segment, Token
from docduck.extraction.values.currencies import is_currency_mark

_MAX_LINES = 3
_STACKED = 0.75
"""Maximum gap between two lines of one header, in line heights."""
_MAX_WORDS = 6
"""Maximum number of words in a label."""
_MOST_TOKENS = 40
"""Maximum number of words in a header line."""


@dataclass
class HeaderCell:
    """A header cell: its tokens, its span in points, and its possible meanings.

    ``forms`` are the label forms that match; empty for a cell of unknown meaning.
    """

    tokens: list[Token]
    forms: tuple[str, ...] = ()
    shared: bool = False
    target: FieldQuery | None = None
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
        return text_of(self.tokens)

    def weight(self, target: FieldQuery) -> float:
        """Return how well, 0–1, the cell's words label ``target``."""
        return max((target.weight(form) for form in self.forms), default=0.0)


@dataclass
class Header:
    """The header of a table: its cells from left to right, and its rows."""

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
        """The names of the assigned columns."""
        return frozenset(cell.target.name for cell in self.cells if cell.target)


@cache
def column_forms() -> dict[str, frozenset[str]]:
    """Return the label forms of all column concepts, with the concepts of each."""
    forms: dict[str, set[str]] = {}
    for concept in concepts("columns").values():
        for form in concept.labels:
            forms.setdefault(form, set()).add(concept.name)
    return {form: frozenset(names) for form, names in forms.items()}


@cache
def _column_prefixes() -> frozenset[str]:
    return frozenset(_form_prefixes(column_forms()))


def _form_prefixes(forms: Iterable[str]) -> Iterator[str]:
    return (form[:end] for form in forms for end in range(1, len(form) + 1))


class HeaderFinder:
    """Finds the headers of one table field on a page."""

    def __init__(self, columns: Sequence[FieldQuery]) -> None:
        self.columns = columns
        self.forms = dict(column_forms())
        for column in columns:
            for form in column.own:
                self.forms.setdefault(form, frozenset())
        own = (form for column in columns for form in column.own)
        self._prefixes = _column_prefixes().union(_form_prefixes(own))
        self._columns_by_form: dict[str, frozenset[str]] = {}
        self._whole_pieces: dict[int, _Piece] = {}
        self._split_pieces: dict[int, list[_Piece]] = {}

    def find(self, page: PageView) -> list[Header]:
        """Return the non-overlapping headers on a page, top to bottom."""
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
        self._whole_pieces, self._split_pieces = {}, {}
        label_counts = [self._label_count(row) for row in page.rows]
        for index, hits in enumerate(label_counts):
            if not hits:
                continue
            for depth in range(1, _MAX_LINES + 1):
                rows = page.rows[index : index + depth]
                if len(rows) < depth or not _are_stacked(rows[-2:], page.line_height):
                    break
                if depth > 1 and sum(label_counts[index : index + depth]) < 2:
                    continue
                yield self._header(page, rows)

    def _label_count(self, row: Row) -> int:
        """Return the number of labels in a row, 0 if the row can't be a header."""
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
        """Return the names of the columns that ``form`` labels."""
        if form not in self._columns_by_form:
            self._columns_by_form[form] = frozenset(c.name for c in self.columns if c.weight(form) > 0)
        return self._columns_by_form[form]

    def _pieces(self, segment: Segment, depth: int) -> list[_Piece]:
        """Return the pieces of a segment, separating labels of several columns in multi-line headers."""
        if segment.index not in self._whole_pieces:
            self._whole_pieces[segment.index] = self._piece(segment.tokens, segment.row)
        whole = self._whole_pieces[segment.index]
        if depth == 1 or whole.form or sum(bool(run.forms) for run in whole.cells) < 2:
            return [whole]
        if segment.index not in self._split_pieces:
            self._split_pieces[segment.index] = [
                self._piece(run.tokens, segment.row, shared=True) for run in whole.cells
            ]
        return self._split_pieces[segment.index]

    def _piece(self, tokens: Sequence[Token], row: int, shared: bool = False) -> _Piece:
        form = self._form(tokens)
        if form is None:
            return _Piece(tokens, row, shared, None, self._label_cells(tokens))
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

    def _label_cells(self, tokens: Sequence[Token]) -> list[HeaderCell]:
        """Return the consecutive labels of a segment as cells; words between them are cells too."""
        cells: list[HeaderCell] = []
        unlabelled: list[Token] = []
        at = 0
        while at < len(tokens):
            end, form = self._longest_label(tokens, at)
            if end == at:
                if tokens[at].key and not is_currency_mark(tokens[at].text.strip("()[]")):
                    unlabelled.append(tokens[at])
                elif cells and not unlabelled:
                    cells[-1].tokens.append(tokens[at])
                at += 1
                continue
            if unlabelled:
                cells.append(HeaderCell(unlabelled))
                unlabelled = []
            if cells and cells[-1].tokens[-1].text in ("/", "&"):
                cells[-1].tokens.extend(tokens[at:end])
                cells[-1].concepts |= self.forms[form]
                at = end
                continue
            cells.append(HeaderCell(list(tokens[at:end]), (form,), concepts=self.forms[form]))
            at = end
        if unlabelled:
            cells.append(HeaderCell(unlabelled))
        if len(cells) > 1:
            for cell in cells:
                cell.shared = True
        return cells

    def _longest_label(self, tokens: Sequence[Token], at: int) -> tuple[int, str]:
        """Return the end and form of the longest label at token ``at``, or ``at`` if there is none."""
        end, form, joined = at, "", tokens[at].key
        for stop in range(at + 1, min(at + _MAX_WORDS, len(tokens)) + 1):
            if stop > at + 1:
                if not tokens[stop - 1].key:
                    continue
                joined += tokens[stop - 1].key
            if joined not in self._prefixes:
                break
            if joined in self.forms:
                end, form = stop, joined
        return end, form


@lru_cache(maxsize=8192)
def _is_aside(text: str) -> bool:
    """Return whether a header word is a currency or in brackets."""
    return is_currency_mark(text.strip("()[]")) or text[:1] in "(["


def _are_stacked(rows: Sequence[Row], height: float) -> bool:
    """Return whether rows can be lines of one header: close together, without digits."""
    for upper, lower in pairwise(rows):
        if lower.top - upper.bottom > _STACKED * height or len(lower.tokens) > _MOST_TOKENS:
            return False
        if any(s.has_digit for s in lower.segments):
            return False
    return True


class _Piece:
    """Words of one header line that belong to one column; ``shared`` if their segment holds several columns.

    ``form`` is the label form, if any; ``cells`` are the cells of the piece alone.
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

    def overlap(self, other: _Piece) -> float:
        """Return the width of the overlap; 0 or less if there is none."""
        return min(self.right, other.right) - max(self.left, other.left)


def _clusters(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Return the pieces of stacked rows grouped by overlap, each group in reading order."""
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
            width = piece.overlap(cluster[0])
            for other in cluster[1:]:
                width = max(width, piece.overlap(other))
            if width > widest:
                best, widest = cluster, width
        if best is not None:
            best.append(piece)
        else:
            clusters.append([piece])
    return clusters
