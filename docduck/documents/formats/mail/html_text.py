"""A mail's HTML body to the text that it shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docduck.documents.formats.markup.nesting import limit_nesting

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_HIDDEN_TAGS = frozenset(
    {
        "head", "script", "style", "title", "template", "noscript", "object", "iframe", "svg", "select",
        "textarea", "audio", "video", "-comment",
    }
)  # fmt: skip
_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "div", "dl", "dt",
        "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li",
        "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
    }
)  # fmt: skip
_SPACED = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table"})
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|"
    r"font-size\s*:\s*0+(?![.\d])|(?<!-)\bopacity\s*:\s*0+(?![.\d])",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_INVISIBLE = str.maketrans(dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f") | {"\u00a0": " "})
_GAP = "   "
_MOST_TABLES = 2000
_LONGEST_CELL = 300
_LONGEST_LINE = 20_000
"""Characters after which a line ends at the next space."""
_MOST_COLUMNS = 60


def visible_text(html: str) -> str:
    """Return the visible text: a line for each block, tables in columns, ``>`` before quotes.

    Scripts, styles and hidden elements are left out, and nothing is fetched.
    """
    from selectolax.lexbor import LexborHTMLParser

    text, _ = limit_nesting(html.replace("\x00", ""))
    root = LexborHTMLParser(text).root
    if root is None:
        return ""
    lines = _Writer(_data_tables(root)).write(root)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _data_tables(root: LexborNode) -> frozenset[int]:
    """Return the tables without another table inside; the outer ones only arrange the page."""
    tables = root.css("table")
    if len(tables) > _MOST_TABLES:
        return frozenset()
    outer: set[int] = set()
    for table in tables:
        node = table.parent
        while node is not None and node.mem_id not in outer:
            if node.tag == "table":
                outer.add(node.mem_id)
            node = node.parent
    return frozenset(table.mem_id for table in tables) - outer


class _Writer:
    """Writes a node's text in lines."""

    def __init__(self, data_tables: frozenset[int] = frozenset()) -> None:
        self.data_tables = data_tables
        self.lines: list[str] = []
        self.line = ""
        self.quotes = 0
        self.preformatted = 0

    def write(self, root: LexborNode) -> list[str]:
        """Return the lines of ``root`` and all below it."""
        node, entering = root, True
        while True:
            child = node.first_child if entering and self._enter(node) else None
            if child is not None:
                node = child
                continue
            self._leave(node)
            if node.mem_id == root.mem_id:
                break
            entering = node.next is not None
            following = node.next or node.parent
            if following is None:
                break
            node = following
        self._end_block()
        return self.lines

    def _enter(self, node: LexborNode) -> bool:
        """Begin a node; return whether its children are written."""
        tag = node.tag or ""
        if tag == "-text":
            self._text(node.text_content or "")
            return False
        if tag in _HIDDEN_TAGS or _is_hidden(node):
            return False
        if tag == "br":
            self._end_line()
        elif tag in ("td", "th"):
            self.line = self.line.rstrip() + _GAP if self.line.strip() else ""
        elif tag in _BLOCKS:
            self._end_block(tag in _SPACED)
            self.quotes += tag == "blockquote"
            self.preformatted += tag == "pre"
            if tag == "li":
                self.line = "• "
            if tag == "table" and node.mem_id in self.data_tables and (rows := _rows(node)):
                for row in rows:
                    self.line = row
                    self._end_line()
                return False
        return True

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS and not _is_hidden(node):
            self._end_block(tag in _SPACED)
            self.quotes -= tag == "blockquote"
            self.preformatted -= tag == "pre"

    def _text(self, text: str) -> None:
        text = text.translate(_INVISIBLE)
        if self.preformatted:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self.line += first
            for line in rest:
                self._end_line()
                self.line = line
            return
        text = _SPACES.sub(" ", text)
        if len(self.line) > _LONGEST_LINE and text.startswith(" "):
            self._end_line()
        self.line += text.lstrip(" ") if not self.line or self.line.endswith(" ") else text

    def _end_line(self) -> None:
        self.lines.append((">" * self.quotes + " " * bool(self.quotes) + self.line).rstrip())
        self.line = ""

    def _end_block(self, space: bool = False) -> None:
        if self.line.strip():
            self._end_line()
        self.line = ""
        if space and self.lines and self.lines[-1].strip("> "):
            self._end_line()


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    style = attributes.get("style")
    return "hidden" in attributes or bool(style and _HIDDEN_STYLE.search(style))


def _rows(table: LexborNode) -> list[str]:
    """Return a table's rows as lines with aligned columns; none for one column or running text."""
    grid: list[dict[int, list[str]]] = []
    for row in table.css("tr"):
        if _is_hidden(row):
            continue
        cells: dict[int, list[str]] = {}
        column = 0
        for cell in row.iter():
            if cell.tag not in ("td", "th") or _is_hidden(cell):
                continue
            lines = [line for line in _Writer().write(cell) if line]
            if sum(map(len, lines)) > _LONGEST_CELL:
                return []
            if lines:
                cells[column] = lines
            column += _span(cell)
        grid.append(cells)
    used = sorted({column for cells in grid for column in cells})
    if not 2 <= len(used) <= _MOST_COLUMNS:
        return []
    starts, at = {}, 0
    for index, column in enumerate(used):
        starts[column] = at
        following = used[index + 1] if index + 1 < len(used) else None
        widths = [
            len(line)
            for cells in grid
            for line in cells.get(column, ())
            if following is None or following in cells or max(cells) > column
        ]
        at += max(widths, default=0) + len(_GAP)
    return [line for cells in grid for line in _aligned(cells, starts)]


def _aligned(cells: dict[int, list[str]], starts: dict[int, int]) -> list[str]:
    height = max((len(lines) for lines in cells.values()), default=0)
    rows = []
    for index in range(height):
        row = ""
        for column, lines in cells.items():
            if index < len(lines):
                row = row.ljust(starts[column]) if len(row) < starts[column] else row + _GAP * bool(row)
                row += lines[index]
        rows.append(row)
    return rows


def _span(cell: LexborNode) -> int:
    stated = cell.attributes.get("colspan") or "1"
    return min(int(stated), 100) if stated.isdecimal() and int(stated) > 0 else 1
