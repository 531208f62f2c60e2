"""HTML as a browser shows it: visible text, lists, tables. Nothing is fetched."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from docduck.documents.detection.encoding import decode_text
from docduck.documents.formats.flow.blocks import (
    ALIGNS,
    Align,
    Block,
    PageBreak,
    Paragraph,
    Section,
    Table,
    TableCell,
)
from docduck.documents.formats.flow.list_labels import BULLET
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.markup.css import StyleSheet
from docduck.documents.formats.markup.nesting import limit_nesting

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode as Node

MAX_DEPTH = 150
"""Nesting of elements; deeper ones are read as plain text."""
MAX_HTML = 64 * 1024 * 1024
"""Bytes that are read of a file."""

_LEFT_OUT = frozenset({
    "head", "script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "math",
    "canvas", "audio", "video", "map", "datalist", "rp", "rt", "frameset", "noframes", "img", "-comment",
    "link", "meta", "base", "title",
})  # fmt: skip
_BLOCKS = frozenset({
    "html", "body", "div", "p", "section", "article", "main", "header", "footer", "nav", "aside",
    "address", "blockquote", "figure", "figcaption", "form", "fieldset", "legend", "details", "summary",
    "dl", "dt", "dd", "ul", "ol", "menu", "dir", "center", "hr", "pre", "h1", "h2", "h3", "h4", "h5",
    "h6", "table", "caption", "li", "tr", "td", "th", "thead", "tbody", "tfoot",
})  # fmt: skip
_CHARSET = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE
)
_SPACE = re.compile(r"[ \t\n\r\f\xa0]+")


class HtmlReader(FlowReader):
    """Reads HTML and XHTML; scripts, styles and hidden elements are left out, nothing is loaded."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return the body as one section."""
        if len(data) > MAX_HTML:
            warnings.append(f"Only the first {MAX_HTML} bytes were read")
        return [Section(html_blocks(decode_html(data[:MAX_HTML]), warnings))]


def decode_html(data: bytes) -> str:
    """Return ``data`` as text: by its byte order mark, its declared encoding, or as UTF-8."""
    match = _CHARSET.search(data[:4096])
    if match and not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name = match[1].decode("ascii", errors="replace").lower()
        name = "cp1252" if name in ("iso-8859-1", "latin1", "us-ascii", "ascii") else name
        try:
            text_codec = codecs.lookup(name)
            if text_codec.name not in ("utf-8", "utf-16", "utf-32") and text_codec._is_text_encoding:
                return data.decode(name, errors="replace")
        except (LookupError, ValueError):
            pass
    return decode_text(data)


def html_blocks(text: str, warnings: list[str]) -> list[Block]:
    """Return the blocks of an HTML text, whole or a fragment."""
    from selectolax.lexbor import LexborHTMLParser

    text, left_out = limit_nesting(text)
    if left_out:
        warnings.append("Some tags of the HTML were left out: it has too many within one another")
    tree = LexborHTMLParser(text)
    sheet = StyleSheet("\n".join(node.text() for node in tree.css("style")))
    reader = _Reader(sheet)
    if tree.root is not None:
        reader.block(tree.root, 0)
    return reader.finish()


class _Reader:
    """Gathers blocks; ``parts`` is the text of the open paragraph."""

    def __init__(self, sheet: StyleSheet) -> None:
        self.sheet = sheet
        self.blocks: list[Block] = []
        self.parts: list[str] = []
        self.heading = 0
        self.item = 0
        self.label = ""
        self.align: Align = "left"
        self.indent = 0.0
        self.literal = False

    def finish(self) -> list[Block]:
        """Return all blocks, the open paragraph included."""
        self.flush()
        return self.blocks

    def flush(self) -> None:
        """End the open paragraph."""
        text = "".join(self.parts)
        self.parts = []
        if self.literal:
            text = text.strip("\n")
        else:
            text = "\n".join(" ".join(line.split(" ")).strip(" ") for line in text.split("\n")).strip("\n ")
        if text.strip():
            self.blocks.append(
                Paragraph(
                    text,
                    self.heading,
                    self.item if self.label else 0,
                    self.label,
                    self.align,
                    self.indent,
                    literal=self.literal,
                )
            )
            self.label = ""

    def block(self, node: Node, depth: int) -> None:
        """Add a block element."""
        style = self.sheet.style(node.tag, node.attributes)
        if style.get("page-break-before", style.get("break-before", "")) in ("always", "page"):
            self.flush()
            self.blocks.append(PageBreak())
        saved = self.heading, self.item, self.align, self.indent, self.literal
        align = style.get("text-align") or (node.attributes.get("align") or "").lower()
        if node.tag == "center":
            align = "center"
        if align:
            self.align = ALIGNS.get(align, "left")
        if node.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.heading = int(node.tag[1])
        elif node.tag in ("blockquote", "dd"):
            self.indent += 18.0
        elif node.tag == "pre" or style.get("white-space", "").startswith("pre"):
            self.literal = True
        if "flex" in style.get("display", "") and "column" not in style.get("flex-direction", ""):
            self._side_by_side(node, depth)
        else:
            self.children(node, depth)
        self.flush()
        self.heading, self.item, self.align, self.indent, self.literal = saved
        if style.get("page-break-after", style.get("break-after", "")) in ("always", "page"):
            self.blocks.append(PageBreak())

    def children(self, node: Node, depth: int) -> None:
        """Add an element's children."""
        if depth >= MAX_DEPTH:
            self.parts.append(_SPACE.sub(" ", node.text(deep=True)))
            return
        for child in node.iter(include_text=True):
            self._child(child, depth + 1)

    def _child(self, node: Node, depth: int) -> None:
        tag = node.tag or ""
        if tag == "-text":
            text = node.text(deep=False) or ""
            self.parts.append(text if self.literal else _SPACE.sub(" ", text))
        elif tag in _LEFT_OUT or self.sheet.hides(tag, node.attributes):
            return
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "table":
            self.flush()
            self.blocks += self._table(node, depth)
        elif tag in ("ul", "ol", "menu", "dir"):
            self.flush()
            self._list(node, depth)
        elif tag in ("input", "select", "textarea", "button", "option", "optgroup"):
            self.parts.append(_control(node))
        elif tag in _BLOCKS or self.sheet.style(tag, node.attributes).get("display") in ("block", "flex"):
            self.flush()
            self.block(node, depth)
        elif tag == "q":
            self.parts.append("“")
            self.children(node, depth)
            self.parts.append("”")
        else:
            self.children(node, depth)

    def _list(self, node: Node, depth: int) -> None:
        ordered = node.tag == "ol"
        start = node.attributes.get("start") or "1"
        number = int(start) if start.lstrip("-").isdigit() and len(start) < 9 else 1
        outer, self.item = self.item, min(self.item + 1, 9)
        bare = self.sheet.style(node.tag or "", node.attributes).get("list-style", "").startswith("none")
        for child in node.iter():
            if child.tag == "li" and not self.sheet.hides("li", child.attributes):
                self.label = "" if bare else f"{number}." if ordered else BULLET
                number += 1
                self.block(child, depth + 1)
                self.label = ""
            elif child.tag in ("ul", "ol"):
                self._list(child, depth + 1)
        self.item = outer

    def _inside(self, node: Node, depth: int) -> list[Block]:
        """Return the blocks of a cell."""
        inner = _Reader(self.sheet)
        inner.children(node, depth)
        return inner.finish()

    def _table(self, node: Node, depth: int) -> list[Block]:
        blocks: list[Block] = []
        rows: list[list[TableCell]] = []
        for row, in_head in self._rows(node, False):
            if row.tag == "caption":
                blocks += self._inside(row, depth + 1)
                continue
            cells: list[TableCell] = []
            for cell in row.iter():
                if cell.tag in ("td", "th") and not self.sheet.hides(cell.tag, cell.attributes):
                    across, down = _span(cell, "colspan"), _span(cell, "rowspan")
                    header = in_head or cell.tag == "th"
                    cells.append(TableCell(self._inside(cell, depth + 1), across, down, header))
            rows.append(cells)
        return [*blocks, Table(rows)]

    def _rows(self, node: Node, in_head: bool) -> Iterator[tuple[Node, bool]]:
        for child in node.iter():
            if self.sheet.hides(child.tag or "", child.attributes):
                continue
            if child.tag in ("tr", "caption"):
                yield child, in_head
            elif child.tag in ("thead", "tbody", "tfoot"):
                yield from self._rows(child, child.tag == "thead")

    def _side_by_side(self, node: Node, depth: int) -> None:
        """Add the children of a flexible row side by side."""
        cells: list[TableCell] = []
        for child in node.iter(include_text=True):
            inner = _Reader(self.sheet)
            inner._child(child, depth + 1)
            blocks = inner.finish()
            if blocks:
                cells.append(TableCell(blocks))
        self.flush()
        if cells:
            self.blocks.append(Table([cells]))


def _control(node: Node) -> str:
    """Return what a form's control shows."""
    attributes = node.attributes
    if node.tag == "input":
        kind = (attributes.get("type") or "text").lower()
        if kind in ("checkbox", "radio"):
            return " ☒ " if "checked" in attributes else " ☐ "
        return (
            "" if kind in ("hidden", "password", "submit", "image") else f" {attributes.get('value') or ''} "
        )
    if node.tag == "select":
        options = node.css("option")
        chosen = [option for option in options if "selected" in option.attributes] or options[:1]
        return " " + ", ".join(option.text().strip() for option in chosen) + " "
    return f" {node.text()} " if node.tag == "textarea" else ""


def _span(cell: Node, name: str) -> int:
    text = (cell.attributes.get(name) or "1").strip()
    return max(1, min(int(text), 1000)) if text.isdigit() and len(text) < 9 else 1
