"""Row grouping: lines are grouped by ruled lines, filled columns, distance, indent and wording."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from docduck.extraction.extractors.layout.tables.text_tables.body_lines import BodyLine, is_value
from docduck.extraction.extractors.layout.tables.text_tables.header_detection import TableHeader
from docduck.extraction.extractors.layout.tables.text_tables.ruled_lines import RuledLines, ruled_lines
from docduck.extraction.extractors.layout.tables.text_tables.table_body import TableBody
from docduck.extraction.extractors.layout.token_text import text_of
from docduck.extraction.page.page_view import Token

_MIN_INDENT = 2.5
"""Minimum indent, in points."""
_CONNECTING_WORDS = frozenset({
    "and", "or", "of", "the", "und", "oder", "et", "de", "y", "e", "i", "en", "for", "with", "to", "in", "by",
})  # fmt: skip


@dataclass
class BodyRow:
    """One row: its tokens by column, and its lines. ``section`` marks a heading among the rows."""

    cells: dict[int, list[Token]]
    lines: list[BodyLine] = field(default_factory=list)
    section: bool = False

    def add(self, line: BodyLine) -> None:
        """Append a line's tokens to the row's cells."""
        for index, tokens in line.cells.items():
            self.cells.setdefault(index, []).extend(tokens)
        self.lines.append(line)

    def prepend(self, line: BodyLine) -> None:
        """Prepend a line's tokens to the row's cells."""
        for index, tokens in line.cells.items():
            self.cells[index] = [*tokens, *self.cells.get(index, [])]
        self.lines.insert(0, line)


def group_rows(header: TableHeader, body: TableBody) -> list[BodyRow]:
    """Return the rows of a table's body, top to bottom."""
    if not body.lines:
        return []
    left = max(body.left, min(line.left for line in body.lines))
    right = min(body.right, max(t.right for line in body.lines for t in line.tokens))
    rules = ruled_lines(header.page)
    levels = rules.levels(left, right, header.bottom - 1.0, body.bottom + header.page.line_height, 0.6)
    bands = _bands(body.lines, levels)
    is_ruled = any(
        rules.boundaries(boundary - 2, boundary + 2, header.bottom, body.bottom)
        for boundary in body.boundaries[:-1]
    )
    rows: list[BodyRow] = []
    for band in bands:
        if _is_one_row(band, body, is_ruled, len(bands)):
            row = BodyRow({})
            for line in band:
                row.add(line)
            row.section = set(row.cells) == {0} and len(body.boundaries) > 1
            rows.append(row)
        elif any(body.values):
            rows.extend(_by_values(band, body, header.page.line_height))
        else:
            rows.extend(_by_first_column(band, header.page.line_height))
    if is_ruled:
        _copy_merged_cells(header, body, rows)
    while rows and rows[-1].section and len(rows[-1].lines) == 1 and any(body.values):
        rows.pop()
    return rows


def _bands(lines: Sequence[BodyLine], levels: Sequence[float]) -> list[list[BodyLine]]:
    bands: list[list[BodyLine]] = [[lines[0]]]
    for line in lines[1:]:
        if bisect_left(levels, line.middle) > bisect_right(levels, bands[-1][-1].middle):
            bands.append([line])
        else:
            bands[-1].append(line)
    return bands


def _is_one_row(band: Sequence[BodyLine], body: TableBody, is_ruled: bool, count: int) -> bool:
    """Return whether the lines between two ruled lines are one row with wrapped cells."""
    if len(band) == 1:
        return True
    if count < 3 and not is_ruled:
        return False
    with_values = [line for line in band if _value_count(line, body) > 0]
    if any(body.values):
        return len(with_values) <= 1 and (is_ruled or count >= 3)
    return count >= 3 or is_ruled


def _value_count(line: BodyLine, body: TableBody) -> int:
    return sum(body.values[i] and is_value(c) for i, c in line.cells.items())


def _by_values(lines: Sequence[BodyLine], body: TableBody, height: float) -> list[BodyRow]:
    """Return rows around the lines with values; lines of words alone join the row they belong to."""
    anchors = [at for at, line in enumerate(lines) if _value_count(line, body)]
    rows: list[BodyRow] = []
    pending: list[BodyLine] = []
    pitch = _pitch([lines[at] for at in anchors], height)
    for at, line in enumerate(lines):
        if _value_count(line, body):
            row = BodyRow({i: list(t) for i, t in line.cells.items()}, [line])
            for other in reversed(_label_lines(pending, row, rows[-1] if rows else None, pitch)):
                pending.remove(other)
                row.prepend(other)
            rows.extend(BodyRow(dict(p.cells), [p], section=True) for p in pending)
            pending = []
            rows.append(row)
            continue
        ahead = bisect_right(anchors, at)
        following = lines[anchors[ahead]] if ahead < len(anchors) else None
        last = rows[-1] if rows else None
        if (
            not pending
            and last is not None
            and not last.section
            and _continues(line, last, following, height)
        ):
            last.add(line)
        else:
            pending.append(line)
    rows.extend(BodyRow(dict(p.cells), [p], section=True) for p in pending)
    return rows


def _pitch(anchors: Sequence[BodyLine], height: float) -> float:
    gaps = [b.middle - a.middle for a, b in itertools.pairwise(anchors)]
    return median(gaps) if gaps else 1.5 * height


def _continues(line: BodyLine, row: BodyRow, following: BodyLine | None, height: float) -> bool:
    """Return whether a line without values continues the row above it."""
    last = row.lines[-1]
    gap = line.top - last.bottom
    if gap > 1.3 * height:
        return False
    if 0 not in line.cells:
        return gap < 0.8 * height
    text = line.cells[0][0].text
    own = row.cells.get(0)
    if own is None:
        return gap < 0.5 * height
    end = own[-1].text
    if following is None:
        return gap < 0.8 * height and (text[:1].islower() or end.endswith((",", "-", "–")))
    if (
        text[:1].islower()
        or end.endswith((",", "-", "–", "/"))
        or end.lower() in _CONNECTING_WORDS
        or _unclosed(own)
    ):
        return 0 in following.cells or gap < following.top - line.bottom
    if 0 not in following.cells:
        return False
    start = next((o.cells[0][0].left for o in row.lines if 0 in o.cells), line.left)
    here, then = line.cells[0][0].left, following.cells[0][0].left
    ahead = following.top - line.bottom
    if line.cells[0][-1].text.endswith(":"):
        return False
    if here > start + _MIN_INDENT and then < here - _MIN_INDENT:
        return True
    return gap < 0.55 * ahead and abs(here - start) < _MIN_INDENT and ahead > 0.3 * height


def _unclosed(tokens: Sequence[Token]) -> bool:
    text = text_of(tokens)
    return text.count("(") > text.count(")")


def _label_lines(
    pending: Sequence[BodyLine], row: BodyRow, last: BodyRow | None, pitch: float
) -> list[BodyLine]:
    """Return those lines directly above a row that begin its label."""
    taken: list[BodyLine] = []
    first = row.lines[0]
    for line in reversed(pending):
        below = taken[-1] if taken else first
        if below.top - line.bottom > 0.75 * pitch:
            break
        text = line.cells[0][-1].text if 0 in line.cells else ""
        start = below.cells[0][0].text if 0 in below.cells else ""
        hanging = 0 in below.cells and 0 in line.cells
        joined = (
            (0 not in first.cells and not taken)
            or start[:1].islower()
            or text.endswith((",", "-", "–", "/"))
            or text.lower() in _CONNECTING_WORDS
            or (hanging and _unclosed(line.cells[0]))
        )
        if not joined or (text.endswith(":") and 0 in first.cells):
            break
        taken.append(line)
    return list(reversed(taken))


def _by_first_column(lines: Sequence[BodyLine], height: float) -> list[BodyRow]:
    """Return rows without values: one begins at a filled first column, or after a wider gap."""
    gaps = [b.top - a.bottom for a, b in itertools.pairwise(lines)]
    least, widest = (min(gaps), max(gaps)) if gaps else (0.0, 0.0)
    spaced = widest - least > 0.45 * height
    limit = (least + widest) / 2
    rows: list[BodyRow] = []
    for at, line in enumerate(lines):
        apart = at > 0 and gaps[at - 1] > limit
        begins = apart if spaced else 0 in line.cells and (len(line.cells) > 1 or not _wrapped(line, rows))
        if not rows or begins:
            rows.append(BodyRow({}))
        rows[-1].add(line)
    return rows


def _wrapped(line: BodyLine, rows: Sequence[BodyRow]) -> bool:
    return bool(rows) and line.cells[0][0].text[:1].islower()


def _copy_merged_cells(header: TableHeader, body: TableBody, rows: list[BodyRow]) -> None:
    """Copy a cell that spans several rows by its ruled lines into each of them."""
    rules = ruled_lines(header.page)
    if any(row.section for row in rows) or len(rows) < 2 or len(body.boundaries) < 2:
        return
    separated = [
        [
            _are_separated(rules, body, index, row.lines[-1], below.lines[0])
            for index in range(len(body.boundaries))
        ]
        for row, below in pairwise(rows)
    ]
    for index in range(len(body.boundaries)):
        group = [rows[0]]
        for row, between in zip(rows[1:], separated, strict=True):
            if between[index] or not any(between):
                _copy_cell(group, index)
                group = []
            group.append(row)
        _copy_cell(group, index)


def _copy_cell(group: Sequence[BodyRow], index: int) -> None:
    filled = [row for row in group if index in row.cells]
    if len(group) > 1 and len(filled) == 1:
        for row in group:
            row.cells[index] = list(filled[0].cells[index])


def _are_separated(rules: RuledLines, body: TableBody, index: int, above: BodyLine, below: BodyLine) -> bool:
    left = body.boundaries[index - 1] if index else max(body.left, 0.0)
    right = min(body.boundaries[index], body.right)
    return bool(rules.levels(left + 1, right - 1, above.middle, below.middle, 0.7))
