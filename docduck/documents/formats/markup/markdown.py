"""Markdown (CommonMark with GitHub's tables): the text it stands for, with headings, lists and tables."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from docduck.documents.detection.encoding import decode_text
from docduck.documents.formats.flow.blocks import Block, PageBreak, Paragraph, Section, Table, TableCell
from docduck.documents.formats.flow.list_labels import BULLET
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.markup.html import html_blocks

MARKDOWN = "text/markdown"

_LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])(?:[ \t]+(.*)|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SEPARATOR = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_HTML_TABLE = re.compile(r"\s*<table\b", re.IGNORECASE)
_QUOTE = re.compile(r" {0,3}> ?")
_CELL_BREAK = re.compile(r"(?<!\\)\|")

_LONGEST_COMMENT = 10_000
_MARK = re.compile(r"[*_`~\[<&\\]")
"""Without one of these there is nothing to take out of a text."""
_IMAGE = re.compile(r"!\[([^\]]{0,1000})\]\([^()\s]{0,2000}(?:\s+\"[^\"]{0,500}\")?\)")
_LINK = re.compile(r"\[([^\[\]]{1,1000})\]\((?:[^()\s]|\([^()\s]*\)){0,2000}(?:\s+\"[^\"]{0,500}\")?\)")
_AUTO_LINK = re.compile(r"<((?:https?|mailto):[^<>\s]{1,2000}|[^<>\s@]{1,200}@[^<>\s@]{1,200})>")
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]{0,15}(?:\s[^<>]{0,1000})?/?>")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_CODE = re.compile(r"(`+)(.{1,2000}?)\1")
_STRONG = re.compile(r"(?<![\\*])(\*{1,3})(?=[^\s*])(.{0,2000}?[^\s\\*])\1(?!\*)")
_UNDERSCORED = re.compile(r"(?<![\\\w])(_{1,3})(?=[^\s_])(.{0,2000}?[^\s\\_])\1(?!\w)")
_STRUCK = re.compile(r"~~(?=\S)(.{1,2000}?)(?<=\S)~~")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")

_COLUMNS = re.compile(r"\S {3,}\S")
"""A gap that the author left between columns; a renderer would close it, a reader must not."""
_WRAPPED = 60
"""A line that is shorter ends where its author ended it; longer ones were wrapped."""


class MarkdownReader(FlowReader):
    """Reads ``text/markdown``; a form feed ends a page."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return the text as one section."""
        blocks: list[Block] = []
        for index, page in enumerate(_without_comments(decode_text(data)).split("\f")):
            if index and (page.strip() or blocks):
                blocks.append(PageBreak())
            blocks += _Parser(_LINE_END.split(page), warnings).blocks()
        while blocks and isinstance(blocks[-1], PageBreak):
            blocks.pop()
        return [Section(blocks)]


class _Parser:
    def __init__(self, lines: Sequence[str], warnings: list[str]) -> None:
        self.warnings = warnings
        self.lines = [line.expandtabs(4).rstrip() for line in lines]
        self.filled = _filled(self.lines)
        self.at = 0
        self.open: list[str] = []
        self.found: list[Block] = []
        self.item: tuple[int, str] | None = None
        self.indents: list[int] = []

    def blocks(self) -> list[Block]:
        while self.at < len(self.lines):
            self._line(self.lines[self.at])
        self._close()
        return self.found

    def _line(self, line: str) -> None:
        self.at += 1
        heading, item, fence = _HEADING.match(line), _ITEM.match(line), _FENCE.match(line)
        if not line.strip():
            self._close()
            self.indents = self.indents if self._goes_on() else []
        elif heading:
            self._close()
            text = inline(heading[2] or "")
            self.found += [Paragraph(text, len(heading[1]))] if text else []
        elif self.open and self.item is None and (under := _UNDERLINE.match(line)) and len(self.open) == 1:
            text, self.open = inline(self.open[0]), []
            self.found.append(Paragraph(text, 1 if under[1][0] == "=" else 2))
        elif _RULE.match(line):
            self._close()
        elif fence:
            self._close()
            self._code(fence[1])
        elif "|" in line and self.at < len(self.lines) and _is_table(line, self.lines[self.at]):
            self._close()
            self._table(line)
        elif _HTML_TABLE.match(line):
            self._close()
            self._html(line)
        elif item and (item[3] or self.open == []):
            self._close()
            self._item(item)
        else:
            self.open.append(_QUOTE.sub("", line))

    def _goes_on(self) -> bool:
        """Return whether the text after empty lines still belongs to the list."""
        following = self.lines[self.filled[self.at]] if self.at < len(self.lines) else ""
        return following.startswith("  ") or _ITEM.match(following) is not None

    def _close(self) -> None:
        """End the open paragraph."""
        lines, self.open = self.open, []
        item, self.item = self.item, None
        if item is None and any(_COLUMNS.search(line) for line in lines):
            laid_out = "\n".join(line[: len(line) - len(line.lstrip())] + inline(line) for line in lines)
            self.found.append(Paragraph(laid_out, literal=True))
            return
        parts: list[str] = []
        for line in lines:
            wrapped = parts and len(parts[-1]) >= _WRAPPED and not parts[-1].endswith("  ")
            indented = line.startswith("    ")
            text = line.strip()
            if wrapped and not indented:
                parts[-1] += f" {text}"
            else:
                parts.append(text)
        text = inline("\n".join(parts))
        if not text:
            return
        depth, label = item or (0, "")
        self.found.append(Paragraph(text, item=depth, label=label))

    def _item(self, match: re.Match[str]) -> None:
        indent = len(match[1])
        while self.indents and self.indents[-1] > indent:
            self.indents.pop()
        if not self.indents or self.indents[-1] < indent:
            self.indents.append(indent)
        label = BULLET if match[2] in "-*+" else match[2]
        self.item = (min(len(self.indents), 9), label)
        self.open = [match[3] or ""]

    def _code(self, fence: str) -> None:
        lines: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                break
            lines.append(line)
        if any(lines):
            self.found.append(Paragraph("\n".join(lines), literal=True))

    def _table(self, header: str) -> None:
        rows = [[TableCell(_cell(text), header=True) for text in _cells(header)]]
        self.at += 1
        while self.at < len(self.lines) and "|" in self.lines[self.at]:
            line = self.lines[self.at]
            self.at += 1
            if not _SEPARATOR.match(line):
                cells = [TableCell(_cell(text)) for text in _cells(line)]
                rows.append(cells[: len(rows[0])])
        if not any(cell.blocks for cell in rows[0]):
            rows = rows[1:]
        if rows:
            self.found.append(Table(rows))

    def _html(self, line: str) -> None:
        lines = [line]
        while self.at < len(self.lines) and "</table" not in lines[-1].lower():
            lines.append(self.lines[self.at])
            self.at += 1
        self.found += html_blocks("\n".join(lines), self.warnings)


def _filled(lines: Sequence[str]) -> list[int]:
    """For each line, return the index of the next one with text, itself included, or of the last line."""
    found = [len(lines) - 1] * len(lines)
    for at in range(len(lines) - 2, -1, -1):
        found[at] = at if lines[at] else found[at + 1]
    return found


def _without_comments(text: str) -> str:
    """``text`` without comments of up to ``_LONGEST_COMMENT`` characters, in time linear in its length."""
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
    text = _BREAK.sub("\n", text)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _AUTO_LINK.sub(r"\1", text)
    text = _CODE.sub(r"\2", text)
    for _ in range(3):
        plain = _UNDERSCORED.sub(r"\2", _STRONG.sub(_unmarked, text))
        if plain == text:
            break
        text = plain
    text = _STRUCK.sub(r"\1", text)
    text = _TAG.sub("", text)
    return html.unescape(_ESCAPE.sub(r"\1", text)).strip()


def _unmarked(match: re.Match[str]) -> str:
    """Return what stands between asterisks; between digits and letters they are no marks (``2*3*4``)."""
    before, after = (
        match.string[match.start() - 1 : match.start()],
        match.string[match.end() : match.end() + 1],
    )
    return match[0] if before.isalnum() and after.isalnum() else match[2]


def _is_table(line: str, following: str) -> bool:
    return (
        "-" in following
        and _SEPARATOR.match(following) is not None
        and ("|" in following or len(_cells(line)) == 1)
        and len(_cells(line)) == len(_cells(following))
    )


def _cells(line: str) -> list[str]:
    text = line.strip()
    text = text.removeprefix("|")
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    return [cell.strip() for cell in _CELL_BREAK.split(text)]


def _cell(text: str) -> list[Block]:
    shown = inline(text).strip("* \xa0")
    return [Paragraph(shown)] if shown else []
