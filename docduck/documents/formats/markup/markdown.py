"""Markdown (CommonMark with GitHub's tables): its text with headings, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from docduck.documents.detection.encoding import decode_text
from docduck.documents.formats.flow.blocks import Block, PageBreak, Paragraph, Section, Table, TableCell
from docduck.documents.formats.flow.list_labels import BULLET
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.markup.html import html_blocks

MAX_NESTING = 100
"""Nesting of lists and quotes; deeper ones are left out."""

_LONGEST_COMMENT = 10_000
_LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_HTML_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_HTML_TABLE_END = re.compile(r"</table", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>$", re.IGNORECASE)
_RULE_CELL = re.compile(r":?-+:?$")
_MARK = re.compile(r"[*_`~\[<&\\]")
"""A text without any of these characters has no inline marks."""
_COLUMNS = re.compile(r"\S {3,}\S")
"""A gap between columns: such paragraphs keep their spaces."""
_WRAPPED = 60
"""Characters from which a line was wrapped; a line break after a shorter one is kept."""


class MarkdownReader(FlowReader):
    """Reads ``text/markdown``; a form feed ends a page."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return the text as one section."""
        blocks: list[Block] = []
        for index, page in enumerate(_without_comments(decode_text(data)).split("\f")):
            if index and (page.strip() or blocks):
                blocks.append(PageBreak())
            blocks += _Converter(page, warnings).blocks()
        while blocks and isinstance(blocks[-1], PageBreak):
            blocks.pop()
        return [Section(blocks)]


def _html_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse an HTML table up to its end tag as a block (a rule of markdown-it)."""
    if not _HTML_TABLE.match(state.src, state.bMarks[start] + state.tShift[start]):
        return False
    if not silent:
        last = start
        while last + 1 < end and not _HTML_TABLE_END.search(
            state.src, state.bMarks[last], state.eMarks[last]
        ):
            last += 1
        state.line = last + 1
        state.push("html_table", "", 0).content = state.getLines(start, state.line, 0, False)
    return True


def _block_parser() -> MarkdownIt:
    """Return a parser of blocks that takes indented text as paragraphs and leaves inline marks alone."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    parser.enable("table").disable(["code", "reference", "html_block"])
    parser.core.ruler.disable(["inline", "text_join"])
    parser.block.ruler.before(
        "table", "html_table", _html_table, {"alt": ["paragraph", "blockquote", "list"]}
    )
    return parser


_BLOCKS = _block_parser()
_INLINE = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("strikethrough")


class _Converter:
    """Converts the tokens of markdown-it to blocks; ``_label`` is that of the open list item."""

    def __init__(self, page: str, warnings: list[str]) -> None:
        self._lines = [line.expandtabs(4).rstrip() for line in _LINE_END.split(page)]
        self._warnings = warnings
        self._tokens = iter(_BLOCKS.parse("\n".join(self._lines)))
        self._depth = self._nesting = 0
        self._label = ""

    def blocks(self) -> list[Block]:
        return [block for token in self._tokens for block in self._block(token)]

    def _block(self, token: Token) -> Iterator[Block]:
        self._nesting += token.nesting
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._depth -= 1
        elif token.type == "list_item_open":
            self._label = f"{token.info}{token.markup}" if token.info else BULLET
        elif token.type == "list_item_close":
            self._label = ""
        elif token.type == "heading_open":
            yield from self._heading(int(token.tag[1]), token.markup[0] == "#", next(self._tokens))
        elif token.type == "inline":
            yield from self._paragraph(token)
        elif token.type == "fence" and token.content.strip():
            yield Paragraph(token.content.strip("\n"), literal=True)
        elif token.type == "table_open":
            yield from self._table()
        elif token.type == "html_table":
            yield from html_blocks(token.content, self._warnings)

    def _heading(self, level: int, numbered: bool, token: Token) -> Iterator[Block]:
        """Yield a heading; several underlined lines are a paragraph above a rule."""
        if not numbered and "\n" in token.content:
            yield from self._paragraph(token)
        elif text := inline(token.content):
            yield Paragraph(text, level)

    def _paragraph(self, token: Token) -> Iterator[Block]:
        lines = token.content.split("\n")
        if self._nesting == 1 and token.map:
            lines = self._lines[token.map[0] : token.map[1]]
        label, self._label = self._label, ""
        if not label and any(_COLUMNS.search(line) for line in lines):
            laid_out = "\n".join(line[: len(line) - len(line.lstrip())] + inline(line) for line in lines)
            yield Paragraph(laid_out, literal=True)
        elif text := inline("\n".join(_unwrapped(lines))):
            yield Paragraph(text, item=min(self._depth, 9) if label else 0, label=label)

    def _table(self) -> Iterator[Block]:
        """Yield a table; an empty header and rows of dashes are left out."""
        rows: list[list[TableCell]] = []
        header = False
        for token in self._tokens:
            if token.type == "table_close":
                self._nesting -= 1
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                header = token.type == "th_open"
            elif token.type == "inline":
                text = inline(token.content).strip("* \xa0")
                rows[-1].append(TableCell([Paragraph(text)] if text else [], header=header))
        filled_rows = [
            row
            for row in rows
            if not all(map(_is_rule, row)) and (any(cell.blocks for cell in row) or not row[0].header)
        ]
        if filled_rows:
            yield Table(filled_rows)


def _is_rule(cell: TableCell) -> bool:
    return any(isinstance(block, Paragraph) and _RULE_CELL.match(block.text) for block in cell.blocks)


def _unwrapped(lines: Sequence[str]) -> list[str]:
    """Return the lines with those joined that were wrapped."""
    parts: list[str] = []
    for line in lines:
        if parts and len(parts[-1]) >= _WRAPPED and not line.startswith("    "):
            parts[-1] += f" {line.strip()}"
        else:
            parts.append(line.strip())
    return parts


def _without_comments(text: str) -> str:
    """Return ``text`` without comments of up to ``_LONGEST_COMMENT`` characters, in linear time."""
    parts: list[str] = []
    done = end = 0
    at = text.find("<!--")
    while at >= 0:
        if end < at + 4:
            end = text.find("-->", at + 4)
            if end < 0:
                break
        if end - at - 4 <= _LONGEST_COMMENT:
            parts.append(text[done:at])
            done = end + 3
        at = text.find("<!--", max(done, at + 4))
    return "".join([*parts, text[done:]])


def inline(text: str) -> str:
    """Return a text without the marks for emphasis, links, code and entities."""
    if not _MARK.search(text):
        return text.strip()
    (token,) = _INLINE.parseInline(text)
    return _plain(token.children or ()).strip()


def _plain(tokens: Sequence[Token]) -> str:
    """Return the text of inline tokens; emphasis inside a word or number (``2*3*4``) keeps its marks."""
    parts: list[str] = []
    opened: list[tuple[int, bool]] = []
    for at, token in enumerate(tokens):
        if token.type in ("softbreak", "hardbreak") or (
            token.type == "html_inline" and _BREAK.match(token.content)
        ):
            parts.append("\n")
        elif token.type == "image":
            parts.append(_plain(token.children or ()))
        elif token.type in ("em_open", "strong_open"):
            opened.append((len(parts), bool(parts) and parts[-1][-1:].isalnum()))
            parts.append("")
        elif token.type in ("em_close", "strong_close"):
            start, inside = opened.pop()
            if inside and at + 1 < len(tokens) and tokens[at + 1].content[:1].isalnum():
                parts[start] = token.markup
                parts.append(token.markup)
        elif token.type != "html_inline":
            parts.append(token.content)
    return "".join(parts)
