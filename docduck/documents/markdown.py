"""Pages as markdown: headings and list items where the format tells of them, grids as tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docduck.documents.model import Document, Grid, Line, Page

_ORDINAL = re.compile(r"\d{1,9}[.)]$")


def markdown(document: Document) -> str:
    """The document's text: lines of one row side by side, pages parted by a rule."""
    return "\n\n---\n\n".join(page_markdown(page) for page in document.pages).strip() + "\n"


def page_markdown(page: Page) -> str:
    """One page; a table stands where its first line does, an empty line where the page leaves a gap."""
    parts: list[str] = []
    done: set[int] = set()
    above: list[Line] | None = None
    for row in _rows(page):
        if isinstance(row, int):
            if row not in done:
                parts += ["", _table(page.grids[row]), ""]
                done.add(row)
            above = None
            continue
        if above and (row[0].box.top - above[0].box.bottom > 0.8 * row[0].box.height or row[0].heading):
            parts.append("")
        parts.append(_text(row))
        if row[0].heading:
            parts.append("")
        above = None if row[0].heading else row
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip("\n")


def _rows(page: Page) -> Sequence[list[Line] | int]:
    """Lines of one row together, in reading order; for a line inside a grid the grid's index."""
    rows: list[list[Line] | int] = []
    for line in page.lines:
        grid = _grid_of(line, page.grids)
        last = rows[-1] if rows else None
        if grid is not None:
            rows.append(grid)
        elif isinstance(last, list) and _beside(line, last[0]):
            last.append(line)
        else:
            rows.append([line])
    return rows


def _grid_of(line: Line, grids: Sequence[Grid]) -> int | None:
    for index, grid in enumerate(grids):
        box = grid.box
        if box.top <= line.box.middle <= box.bottom and box.left <= line.box.left <= box.right:
            return index
    return None


def _beside(line: Line, first: Line) -> bool:
    return abs(line.box.middle - first.box.middle) < 0.4 * first.box.height and not line.heading


def _text(row: Sequence[Line]) -> str:
    text = "  ".join(line.text for line in row)
    if row[0].heading:
        return "#" * min(row[0].heading, 6) + " " + text
    if row[0].item:
        label, _, rest = text.partition(" ")
        label = label if _ORDINAL.match(label) else "-" if not label[:1].isalnum() else f"- {label}"
        return "  " * (row[0].item - 1) + f"{label} {rest}"
    return text


def _table(grid: Grid) -> str:
    """A table as GitHub's markdown has it; its first row is the header, as there must be one."""
    rows = [
        ["" if cell.merged else cell.text.replace("|", "\\|").replace("\n", "<br>") for cell in row]
        for row in grid.rows
    ]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])
