"""Lines put together to rows: by ruled lines, by which columns they fill, by distance, indent and wording."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from docduck.extraction.extractors.layout.tables.generic.body_lines import BodyLine, is_value
from docduck.extraction.extractors.layout.tables.generic.header_detection import TableHeader
from docduck.extraction.extractors.layout.tables.generic.ruled_lines import RuledLines, ruled_lines
from docduck.extraction.extractors.layout.tables.generic.table_body import TableBody
from docduck.extraction.page.page_view import Token

_HANGING = 2.5
"""Points that a line must be indented to be seen as such."""
_OPEN = (
    "and",
    "or",
    "of",
    "the",
    "und",
    "oder",
    "et",
    "de",
    "y",
    "e",
    "i",
    "en",
    "for",
    "with",
    "to",
    "in",
    "by",
)


@dataclass
class BodyRow:
    """One row: its words by column, and its lines. ``section`` marks a heading among the rows."""

    cells: dict[int, list[Token]]
    lines: list[BodyLine] = field(default_factory=list)
    section: bool = False

    def add(self, line: BodyLine) -> None:
        """Puts a line's words behind the row's own."""
        for index, tokens in line.cells.items():
            self.cells.setdefault(index, []).extend(tokens)
        self.lines.append(line)

    def put_before(self, line: BodyLine) -> None:
        """Puts a line's words before the row's own."""
        for index, tokens in line.cells.items():
            self.cells[index] = [*tokens, *self.cells.get(index, [])]
        self.lines.insert(0, line)


def group_rows(head: TableHeader, body: TableBody) -> list[BodyRow]:
    """The rows of a table's body, top to bottom."""
    if not body.lines:
        return []
    left = max(body.left, min(line.left for line in body.lines))
    right = min(body.right, max(t.right for line in body.lines for t in line.tokens))
    rules = ruled_lines(head.page)
    levels = rules.levels(left, right, head.bottom - 1.0, body.bottom + head.page.line_height, 0.6)
    strips = _strips(body.lines, levels)
    boxed = any(rules.walls(wall - 2, wall + 2, head.bottom, body.bottom) for wall in body.walls[:-1])
    rows: list[BodyRow] = []
    for strip in strips:
        if _is_one_row(strip, body, boxed, len(strips)):
            row = BodyRow({})
            for line in strip:
                row.add(line)
            row.section = set(row.cells) == {0} and len(body.walls) > 1
            rows.append(row)
        elif any(body.values):
            rows.extend(_by_values(strip, body, head.page.line_height))
        else:
            rows.extend(_by_first(strip, head.page.line_height))
    if boxed:
        _repeat_merged(head, body, rows)
    while rows and rows[-1].section and len(rows[-1].lines) == 1 and any(body.values):
        rows.pop()
    return rows


def _strips(lines: Sequence[BodyLine], levels: Sequence[float]) -> list[list[BodyLine]]:
    strips: list[list[BodyLine]] = [[lines[0]]]
    for line in lines[1:]:
        if bisect_left(levels, line.middle) > bisect_right(levels, strips[-1][-1].middle):
            strips.append([line])
        else:
            strips[-1].append(line)
    return strips


def _is_one_row(strip: Sequence[BodyLine], body: TableBody, boxed: bool, count: int) -> bool:
    """Whether what stands between two ruled lines is one row, its cells wrapped."""
    if len(strip) == 1:
        return True
    if count < 3 and not boxed:
        return False
    full = [line for line in strip if _filled(line, body) > 0]
    if any(body.values):
        return len(full) <= 1 and (boxed or count >= 3)
    return count >= 3 or boxed


def _filled(line: BodyLine, body: TableBody) -> int:
    return sum(body.values[i] and is_value(c) for i, c in line.cells.items())


def _by_values(lines: Sequence[BodyLine], body: TableBody, height: float) -> list[BodyRow]:
    """Rows around the lines that have figures; lines of words alone go to the row that they belong to."""
    anchors = [at for at, line in enumerate(lines) if _filled(line, body)]
    rows: list[BodyRow] = []
    pending: list[BodyLine] = []
    pitch = _pitch([lines[at] for at in anchors], height)
    for at, line in enumerate(lines):
        if _filled(line, body):
            row = BodyRow({i: list(t) for i, t in line.cells.items()}, [line])
            for other in reversed(_taken(pending, row, rows[-1] if rows else None, pitch)):
                pending.remove(other)
                row.put_before(other)
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
    """Whether a line without figures goes on a row above it."""
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
    if text[:1].islower() or end.endswith((",", "-", "–", "/")) or end.lower() in _OPEN or _unclosed(own):
        return 0 in following.cells or gap < following.top - line.bottom
    if 0 not in following.cells:
        return False
    start = next((o.cells[0][0].left for o in row.lines if 0 in o.cells), line.left)
    here, then = line.cells[0][0].left, following.cells[0][0].left
    ahead = following.top - line.bottom
    if line.cells[0][-1].text.endswith(":"):
        return False
    if here > start + _HANGING and then < here - _HANGING:
        return True
    return gap < 0.55 * ahead and abs(here - start) < _HANGING and ahead > 0.3 * height


def _unclosed(tokens: Sequence[Token]) -> bool:
    text = " ".join(t.text for t in tokens)
    return text.count("(") > text.count(")")


def _taken(pending: Sequence[BodyLine], row: BodyRow, last: BodyRow | None, pitch: float) -> list[BodyLine]:
    """Which of the lines right above a row are the beginning of its label."""
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
            or text.lower() in _OPEN
            or (hanging and _unclosed(line.cells[0]))
        )
        if not joined or (text.endswith(":") and 0 in first.cells):
            break
        taken.append(line)
    return list(reversed(taken))


def _by_first(lines: Sequence[BodyLine], height: float) -> list[BodyRow]:
    """Rows of words alone: a line with the first column and others begins one, or a wider distance does."""
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


def _repeat_merged(head: TableHeader, body: TableBody, rows: list[BodyRow]) -> None:
    """Writes a cell that ruled lines stretch over several rows into each of them."""
    rules = ruled_lines(head.page)
    if any(row.section for row in rows) or len(rows) < 2 or len(body.walls) < 2:
        return
    parted = [
        [_parted(rules, body, index, row.lines[-1], below.lines[0]) for index in range(len(body.walls))]
        for row, below in pairwise(rows)
    ]
    for index in range(len(body.walls)):
        group = [rows[0]]
        for row, between in zip(rows[1:], parted, strict=True):
            if between[index] or not any(between):
                _fill(group, index)
                group = []
            group.append(row)
        _fill(group, index)


def _fill(group: Sequence[BodyRow], index: int) -> None:
    filled = [row for row in group if index in row.cells]
    if len(group) > 1 and len(filled) == 1:
        for row in group:
            row.cells[index] = list(filled[0].cells[index])


def _parted(rules: RuledLines, body: TableBody, index: int, above: BodyLine, below: BodyLine) -> bool:
    left = body.walls[index - 1] if index else max(body.left, 0.0)
    right = min(body.walls[index], body.right)
    return bool(rules.levels(left + 1, right - 1, above.middle, below.middle, 0.7))
