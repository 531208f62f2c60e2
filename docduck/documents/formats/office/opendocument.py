"""Elements shared by OpenDocument texts and spreadsheets (OASIS ODF 1.3, parts 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.documents.formats.flow.blocks import (
    ALIGNS,
    Align,
    Block,
    PageBreak,
    Paragraph,
    Table,
    TableCell,
    TabStop,
)
from docduck.documents.formats.flow.list_labels import BULLET, ordinal
from docduck.documents.formats.office.package import Package
from docduck.documents.formats.xml_tree import Element, local
from docduck.errors import DamagedFile, EncryptedFile

_NS = "urn:oasis:names:tc:opendocument:xmlns:"
TEXT, TABLE, OFFICE = f"{{{_NS}text:1.0}}", f"{{{_NS}table:1.0}}", f"{{{_NS}office:1.0}}"
STYLE, FO = f"{{{_NS}style:1.0}}", f"{{{_NS}xsl-fo-compatible:1.0}}"

MAX_REPEAT = 1000
"""Times that a cell, row or space is repeated at most."""
MAX_CELLS = 500_000
"""Cells in the tables of one file, repeated ones counted each time; a file with more is damaged."""

_LEFT_OUT = frozenset({
    "annotation", "tracked-changes", "forms", "sequence-decls", "variable-decls", "user-field-decls",
    "table-of-content-source", "shapes", "binary-data", "desc", "title", "bibliography-mark-source",
})  # fmt: skip
_LENGTHS = {"cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}


def open_package(data: bytes) -> Package:
    """Return the parts of an OpenDocument file; raise ``EncryptedFile`` if its manifest lists encryption."""
    package = Package(data)
    manifest = package.optional_tree("META-INF/manifest.xml")
    if manifest is not None and any(True for _ in manifest.iter("{*}encryption-data")):
        raise EncryptedFile()
    return package


def length(text: str | None) -> float:
    """Return a length such as ``2.5cm`` in points; 0 for none."""
    text = text or ""
    unit = _LENGTHS.get(text[-2:])
    try:
        return float(text[:-2]) * unit if unit else 0.0
    except ValueError:
        return 0.0


@dataclass(frozen=True, slots=True)
class _Style:
    parent: str = ""
    align: Align | None = None
    tabs: tuple[TabStop, ...] = ()
    breaks: str = ""
    master: str = ""
    hidden: bool = False


class Styles:
    """Styles by family and name, from several XML parts."""

    def __init__(self, *roots: Element | None) -> None:
        self._styles: dict[tuple[str, str], _Style] = {}
        self._numbers: dict[str, dict[int, tuple[str, str, str]]] = {}
        for root in roots:
            for node in root.iter(STYLE + "style") if root is not None else ():
                key = node.get(STYLE + "family", ""), node.get(STYLE + "name", "")
                self._styles[key] = _style(node)
            for node in root.iter(TEXT + "list-style") if root is not None else ():
                self._numbers[node.get(STYLE + "name", "")] = _list_levels(node)

    def find(self, family: str, name: str | None) -> _Style:
        """Return a style with what it inherits (but for page breaks and master pages, which are its own)."""
        own = style = self._styles.get((family, name or ""), _Style())
        for _ in range(20):
            parent = self._styles.get((family, style.parent))
            if parent is None:
                break
            style = _Style(
                parent.parent,
                style.align or parent.align,
                style.tabs or parent.tabs,
                own.breaks,
                own.master,
                style.hidden or parent.hidden,
            )
        return style

    def level(self, name: str, depth: int) -> tuple[str, str, str] | None:
        """Return format, prefix and suffix of a list style's level, from 1; None for bullets and unknown
        ones.
        """
        return self._numbers.get(name, {}).get(depth)


def _style(node: Element) -> _Style:
    paragraph = node.find(STYLE + "paragraph-properties")
    text = node.find(STYLE + "text-properties")
    align = paragraph.get(FO + "text-align", "") if paragraph is not None else ""
    stops = paragraph.iter(STYLE + "tab-stop") if paragraph is not None else ()
    hidden = text is not None and text.get(TEXT + "display") == "none"
    return _Style(
        node.get(STYLE + "parent-style-name", ""),
        ALIGNS.get(align, "left") if align else None,
        tuple(
            TabStop(length(stop.get(STYLE + "position")), ALIGNS.get(stop.get(STYLE + "type", ""), "left"))
            for stop in stops
        ),
        paragraph.get(FO + "break-before", "") if paragraph is not None else "",
        node.get(STYLE + "master-page-name", ""),
        hidden,
    )


def _list_levels(node: Element) -> dict[int, tuple[str, str, str]]:
    levels: dict[int, tuple[str, str, str]] = {}
    for level in node.iter(TEXT + "list-level-style-number"):
        depth = level.get(TEXT + "level", "")
        if depth.isdigit():
            levels[int(depth)] = (
                level.get(STYLE + "num-format", ""),
                level.get(STYLE + "num-prefix", ""),
                level.get(STYLE + "num-suffix", ""),
            )
    return levels


_FORMATS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


class Content:
    """Reads blocks out of OpenDocument elements, in reading order."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self.noted = 0
        self._cells = 0
        self._counts: dict[tuple[str, int], int] = {}

    def blocks(self, node: Element) -> list[Block]:
        """Return the blocks of a node's children."""
        return [block for child in node for block in self.child_blocks(child)]

    def child_blocks(self, node: Element) -> list[Block]:
        """Return the blocks that a node is, or those of its children where it only holds them together."""
        tag = local(node)
        if tag in ("p", "h"):
            return self.paragraph(node)
        if tag == "list":
            return self._list(node, 1, "")
        if tag == "table":
            return [self.table(node)]
        if tag == "soft-page-break":
            return [PageBreak(rendered=True)]
        if tag in _LEFT_OUT or (tag == "section" and node.get(TEXT + "display") == "none"):
            return []
        return self.blocks(node)

    def paragraph(self, node: Element) -> list[Block]:
        """Return a paragraph or heading, with its page break before and its text boxes after it."""
        style = self.styles.find("paragraph", node.get(TEXT + "style-name"))
        if style.hidden:
            return []
        text = _Text(self)
        text.read(node)
        made = Paragraph(
            text.text.strip(" \n"), align=style.align or "left", tabs=style.tabs, notes=text.notes
        )
        if local(node) == "h":
            depth = node.get(TEXT + "outline-level", "1")
            made.heading = min(int(depth), 6) if depth.isdigit() else 1
        before: list[Block] = [PageBreak()] if style.breaks == "page" or style.master else []
        if text.turned:
            before.append(PageBreak(rendered=True))
        return [*before, made, *text.boxes]

    def _list(self, node: Element, depth: int, style: str) -> list[Block]:
        style = node.get(TEXT + "style-name", "") or style
        blocks: list[Block] = []
        if node.get(TEXT + "continue-numbering") != "true":
            self._counts.pop((style, depth), None)
        for item in node:
            tag = local(item)
            if tag == "list-header":
                blocks += self.blocks(item)
            if tag != "list-item":
                continue
            label = self._label(item, depth, style)
            for child in item:
                if local(child) == "list":
                    blocks += self._list(child, depth + 1, style)
                    continue
                inner: list[Block] = self.paragraph(child) if local(child) in ("p", "h") else []
                for block in inner:
                    if isinstance(block, Paragraph) and label:
                        block.label, label = label, ""
                        block.item = 0 if block.heading else depth
                blocks += inner
                if local(child) == "table":
                    blocks.append(self.table(child))
        return blocks

    def _label(self, item: Element, depth: int, style: str) -> str:
        level = self.styles.level(style, depth)
        if level is None:
            return BULLET
        kind, prefix, suffix = level
        if not kind:
            return ""
        start = item.get(TEXT + "start-value", "")
        count = int(start) if start.isdigit() else self._counts.get((style, depth), 0) + 1
        self._counts[style, depth] = count
        return prefix + ordinal(count, _FORMATS.get(kind, "decimal")) + suffix

    def table(self, node: Element) -> Table:
        """Return a table; repetitions beyond ``MAX_REPEAT`` are left out."""
        rows: list[list[TableCell]] = []
        for row, header in table_rows(node):
            cells: list[TableCell] = []
            before = self._cells
            for cell in row:
                if local(cell) != "table-cell":
                    continue
                repeat = repeated(cell, "number-columns-repeated")
                columns = repeated(cell, "number-columns-spanned")
                down = repeated(cell, "number-rows-spanned")
                for _ in range(repeat):
                    self._count(1)
                    cells.append(TableCell(self.blocks(cell), columns, down, header))
            full = any(cell.blocks for cell in cells)
            times = repeated(row, "number-rows-repeated") if full else 1
            self._count((times - 1) * (self._cells - before))
            rows += [cells] * times
        return Table(rows)

    def _count(self, cells: int) -> None:
        """Count cells, which tables within repeated ones multiply; raise DamagedFile for too many."""
        self._cells += cells
        if self._cells > MAX_CELLS:
            raise DamagedFile(f"tables of more than {MAX_CELLS} cells")


class _Text:
    """The text of a paragraph, its notes, text boxes, and whether a page ended inside it."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.parts: list[str] = []
        self.notes: list[str] = []
        self.boxes: list[Block] = []
        self.turned = False

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def read(self, node: Element) -> None:
        """Add an element's text and children; white space runs are one space (part 3, 6.1.2)."""
        self._add(node.text)
        for child in node:
            self._child(child, local(child))
            self._add(child.tail)

    def _child(self, child: Element, tag: str) -> None:
        if tag == "s":
            self.parts.append(" " * repeated(child, "c", TEXT))
        elif tag == "tab":
            self.parts.append("\t")
        elif tag == "line-break":
            self.parts.append("\n")
        elif tag == "soft-page-break":
            self.turned = True
        elif tag == "note":
            self._note(child)
        elif tag in ("text-box", "table"):
            self.boxes += self.content.child_blocks(child)
        elif tag == "ruby-text" or tag in _LEFT_OUT:
            return
        elif tag in ("p", "h", "list"):
            self.boxes += self.content.child_blocks(child)
        elif tag == "span":
            if not self.content.styles.find("text", child.get(TEXT + "style-name")).hidden:
                self.read(child)
        elif tag not in ("hidden-text", "hidden-paragraph"):
            self.read(child)

    def _note(self, note: Element) -> None:
        body = note.find(TEXT + "note-body")
        if body is None:
            return
        inner = [block for block in self.content.blocks(body) if isinstance(block, Paragraph)]
        self.content.noted += 1
        label = f"[{self.content.noted}]"
        self.parts.append(f" {label}")
        self.notes.append(f"{label} " + " ".join(filter(None, (block.text for block in inner))))

    def _add(self, text: str | None) -> None:
        if text:
            folded = " ".join(text.split())
            before = " " if text[0].isspace() else ""
            after = " " if text[-1].isspace() and folded else ""
            self.parts.append(before + folded + after)


def table_rows(node: Element) -> Sequence[tuple[Element, bool]]:
    """Return a table's visible rows, and whether each is a header row."""
    rows: list[tuple[Element, bool]] = []
    for child in node:
        tag = local(child)
        if tag == "table-row":
            if child.get(TABLE + "visibility", "visible") == "visible":
                rows.append((child, False))
        elif tag == "table-header-rows":
            rows += [(row, True) for row, _ in table_rows(child)]
        elif tag in ("table-rows", "table-row-group") and child.get(TABLE + "display") != "false":
            rows += table_rows(child)
    return rows


def repeated(node: Element, name: str, space: str = TABLE, most: int = MAX_REPEAT) -> int:
    """Return a count attribute, at least 1 and at most ``most``."""
    text = node.get(space + name, "1")
    return max(1, min(int(text), most)) if text.isdigit() else 1
