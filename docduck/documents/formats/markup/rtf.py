"""Rich Text Format (RTF 1.9.1): text with its code pages, tables, lists, headers, notes and text boxes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Literal, TypeAlias

from docduck.documents.formats.flow.blocks import (
    Align,
    Block,
    Furniture,
    PageBreak,
    Paragraph,
    Section,
    Table,
    TableCell,
    TabStop,
)
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.numbering import BULLET
from docduck.documents.formats.office.symbols import symbol
from docduck.errors import DamagedFile

RTF = "application/rtf"
MAX_DEPTH = 1000
"""Groups inside groups; a deeper file counts as damaged."""

_TOKEN = re.compile(
    rb"\\(?:'([0-9a-fA-F]{2})|([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|([^a-zA-Z]))|([{}])|([^\\{}\r\n]+)|[\r\n]+",
    re.DOTALL,
)
_CHARSETS = {
    0: "cp1252",
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_CHARACTERS = {
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "line": "\n",
    "softline": "\n",
    "tab": "\t",
    "nbsp": " ",
}
_MARKS = {b"~": "\xa0", b"_": "-"}
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop) ([1-9])\b")
_SKIPPED = frozenset(
    [
        "colortbl",
        "info",
        "pict",
        "object",
        "objdata",
        "fldinst",
        "listtable",
        "listoverridetable",
        "revtbl",
        "rsidtbl",
        "generator",
        "themedata",
        "colorschememapping",
        "datastore",
        "latentstyles",
        "xmlnstbl",
        "annotation",
        "atnid",
        "atnauthor",
        "atntime",
        "atnref",
        "atndate",
        "atnparent",
        "atrfstart",
        "atrfend",
        "bkmkstart",
        "bkmkend",
        "filetbl",
        "pnseclvl",
        "template",
        "mmathPr",
        "userprops",
        "docvar",
        "nonshppict",
        "sp",
        "private",
        "tc",
        "xe",
        "nonesttables",
        "footnotesep",
        "ftnsep",
        "ftnsepc",
        "ftncn",
        "aftnsep",
        "aftnsepc",
        "aftncn",
    ]
)
_APART = frozenset(
    [
        "header",
        "headerl",
        "headerr",
        "headerf",
        "footer",
        "footerl",
        "footerr",
        "footerf",
        "footnote",
        "shptxt",
    ]
)
"""Destinations whose text stands elsewhere."""
_THROUGH = frozenset(["shpinst", "nesttableprops", "shpgrp"])
"""Starred destinations that are read all the same."""
_ALIGNS: dict[str, Align] = {"ql": "left", "qj": "left", "qc": "center", "qr": "right"}
_Kind: TypeAlias = Literal["text", "skip", "fonts", "styles", "label"]


class RtfReader(FlowReader):
    """Reads RTF; deleted and hidden text, comments and pictures are left out."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """The file's sections with their headers and footers."""
        if not data.startswith(b"{\\rtf"):
            raise DamagedFile("no RTF header")
        return _Rtf(data).sections()


@dataclass(slots=True)
class _State:
    """What a group inherits and, at its end, gives back."""

    kind: _Kind = "text"
    font: int = 0
    unicode_skip: int = 1
    hidden: bool = False
    depth: int = 0
    heading: int = 0
    align: Align = "left"
    tabs: tuple[TabStop, ...] = ()


@dataclass(slots=True)
class _Story:
    """One run of paragraphs: the body, a header, a note, a text box; ``rows`` are its tables by depth."""

    role: str = ""
    blocks: list[Block] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    label: str = ""
    notes: list[str] = field(default_factory=list)
    boxes: list[Block] = field(default_factory=list)
    levels: dict[int, _Level] = field(default_factory=dict)


@dataclass(slots=True)
class _Level:
    """A table that is open: rows, the open row's cells, the open cell's blocks.

    ``above`` is the last cell of the rows that begins at each column.
    """

    table: Table = field(default_factory=Table)
    cells: list[TableCell] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    above: dict[int, TableCell] = field(default_factory=dict)


@dataclass(slots=True)
class _RowFormat:
    """A row's definition: for each cell whether it goes on the one to its left, or the one above."""

    merges: list[tuple[bool, bool]] = field(default_factory=list)
    left: bool = False
    above: bool = False
    header: bool = False


class _Rtf:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.state = _State()
        self.stack: list[tuple[_State, _Story]] = []
        self.story = _Story()
        self.done: list[Section] = []
        self.furniture: dict[str, list[Block]] = {}
        self.joined = False
        self.page = "cp1252"
        self.fonts: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self.headings: dict[int, int] = {}
        self.style = 0
        self.bytes = bytearray()
        self.skip = 0
        self.high = 0
        self.starred = False
        self.noted = 0
        self.tab_align: Align = "left"
        self.row = _RowFormat()

    def sections(self) -> list[Section]:
        """Interprets the file from its beginning to its end."""
        at, end = 0, len(self.data)
        while at < end:
            match = _TOKEN.match(self.data, at)
            if match is None:
                at += 1
                continue
            at = match.end()
            code, word, number, mark, brace, text = match.groups()
            if code is not None or text is not None:
                self._bytes(bytes([int(code, 16)]) if code is not None else text)
                continue
            self._decode()
            if word is not None:
                name, value = word.decode("ascii"), int(number) if number is not None else None
                if name == "bin":
                    at += max(value or 0, 0)
                else:
                    self._word(name, value)
            elif mark is not None:
                self._mark(mark)
            elif brace == b"{":
                self._open()
            elif brace == b"}" and self._close():
                break
        self._decode()
        self._end_section(False)
        return self.done

    def _open(self) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise DamagedFile(f"groups are nested deeper than {MAX_DEPTH}")
        self.stack.append((self.state, self.story))
        self.state = replace(self.state)
        self.starred = False
        self.skip = 0

    def _close(self) -> bool:
        """Ends a group; whether it was the outermost."""
        state, story = self.state, self.story
        if not self.stack:
            return True
        self.state, self.story = self.stack.pop()
        if story is not self.story:
            self._hand_over(story)
        elif state.kind == "label" and self.state.kind != "label":
            story.label = story.label.strip()
        return not self.stack

    def _hand_over(self, story: _Story) -> None:
        """Puts a story that has ended where it belongs."""
        self._end_paragraph(story, always=False)
        self._end_tables(story, 0)
        if story.role == "footnote":
            text = " ".join(b.text for b in story.blocks if isinstance(b, Paragraph) and b.text)
            if text:
                self.noted += 1
                self.story.parts.append(f" [{self.noted}]")
                self.story.notes.append(f"[{self.noted}] {text}")
        elif story.role == "shptxt":
            self.story.boxes += story.blocks
        elif story.role:
            self.furniture[story.role] = story.blocks

    def _mark(self, mark: bytes) -> None:
        if mark == b"*":
            self.starred = True
        elif mark in _MARKS:
            self._text(_MARKS[mark])
        elif mark in b"\r\n":
            self._word("par", None)
        elif mark in b"\\{}":
            self._bytes(mark)

    def _bytes(self, data: bytes) -> None:
        if self.skip:
            used = min(self.skip, len(data))
            self.skip -= used
            data = data[used:]
        self.starred = False
        self.bytes += data

    def _decode(self) -> None:
        """Turns gathered bytes into text by the font's code page."""
        if not self.bytes:
            return
        data, self.bytes = bytes(self.bytes), bytearray()
        page = self.fonts.get(self.state.font, self.page)
        if page == "symbol":
            name = self.names.get(self.state.font, "symbol")
            self._text("".join(symbol(name, f"{byte:x}") if byte > 32 else chr(byte) for byte in data))
        else:
            self._text(data.decode(page, errors="replace"))

    def _text(self, text: str) -> None:
        kind = self.state.kind
        if kind == "fonts":
            name = self.names.get(self.state.font, "") + text
            self.names[self.state.font] = name.partition(";")[0]
        elif kind == "styles":
            match = _HEADING.match(text.strip().lower())
            if match:
                self.headings[self.style] = min(int(match[1]), 6)
        elif kind == "label":
            self.story.label += text
        elif kind == "text" and not self.state.hidden:
            self.story.parts.append(text)

    def _word(self, name: str, value: int | None) -> None:
        starred, self.starred = self.starred, False
        if name in _SKIPPED or (starred and name not in _THROUGH and name not in _APART):
            self.state.kind = "skip"
        elif self.state.kind == "skip":
            if name == "result":
                self.state.kind = "text"
        elif name == "u":
            self._unicode(value or 0)
        elif name in _CHARACTERS:
            self._text(_CHARACTERS[name])
        elif name in _APART:
            self.story = _Story(name)
            self.state = _State(font=self.state.font, unicode_skip=self.state.unicode_skip)
        elif self.state.kind == "fonts" or name in ("f", "fcharset"):
            self._font(name, value or 0)
        elif not (self._character(name, value) or self._cell_format(name) or self._end(name)):
            self._paragraph(name, value)

    def _unicode(self, value: int) -> None:
        code = value + 0x10000 if value < 0 else value
        self.skip = self.state.unicode_skip
        if 0xD800 <= code < 0xDC00:
            self.high = code
            return
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((self.high - 0xD800) << 10) + (code - 0xDC00) if self.high else 0xFFFD
        self.high = 0
        if 0xF000 <= code <= 0xF0FF:
            self._text(symbol(self.names.get(self.state.font, "symbol"), f"{code:x}"))
        elif code <= 0x10FFFF:
            self._text(chr(code))

    def _font(self, name: str, value: int) -> None:
        if name == "f":
            self.state.font = value
        elif name == "fcharset" and value == 2:
            self.fonts[self.state.font] = "symbol"
        elif name == "fcharset" and value > 1 and value in _CHARSETS:
            self.fonts[self.state.font] = _CHARSETS[value]

    def _character(self, name: str, value: int | None) -> bool:
        """Words about the file and about characters."""
        state = self.state
        if name == "fonttbl":
            state.kind = "fonts"
        elif name == "stylesheet":
            state.kind = "styles"
        elif name in ("listtext", "pntext"):
            state.kind = "label"
            self.story.label = ""
        elif name == "ansicpg":
            self.page = _page(value or 1252)
        elif name in ("mac", "pc", "pca"):
            self.page = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[name]
        elif name == "uc":
            state.unicode_skip = min(max(value or 0, 0), 16)
        elif name in ("v", "deleted"):
            state.hidden = value != 0
        elif name == "plain":
            state.hidden = False
        else:
            return False
        return True

    def _paragraph(self, name: str, value: int | None) -> None:
        """Words about paragraphs and sections."""
        state = self.state
        if name == "pard":
            state.depth, state.heading, state.align, state.tabs = 0, 0, "left", ()
        elif name == "s":
            self.style = value or 0
            state.heading = self.headings.get(self.style, 0)
        elif name == "outlinelevel" and value is not None and value < 9:
            if state.kind == "styles":
                self.headings[self.style] = min(value + 1, 6)
            state.heading = min(value + 1, 6)
        elif name == "intbl":
            state.depth = max(state.depth, 1)
        elif name == "itap":
            state.depth = min(max(value or 0, 0), 20)
        elif name in _ALIGNS:
            state.align = _ALIGNS[name]
        elif name in ("tqr", "tqc"):
            self.tab_align = "right" if name == "tqr" else "center"
        elif name == "tx":
            state.tabs = (*state.tabs[:100], TabStop((value or 0) / 20, self.tab_align))
            self.tab_align = "left"
        elif name == "pagebb":
            self._break()
        elif name == "sectd":
            self.joined = False
        elif name == "sbknone":
            self.joined = True

    def _cell_format(self, name: str) -> bool:
        """Words that define a row."""
        if name == "trowd":
            self.row = _RowFormat()
        elif name == "trhdr":
            self.row.header = True
        elif name == "clmrg":
            self.row.left = True
        elif name == "clvmrg":
            self.row.above = True
        elif name == "cellx":
            if len(self.row.merges) < 1000:
                self.row.merges.append((self.row.left, self.row.above))
            self.row.left = self.row.above = False
        else:
            return False
        return True

    def _end(self, name: str) -> bool:
        """Words that end a paragraph, cell, row, page or section."""
        if name == "par":
            self._end_paragraph(self.story)
        elif name in ("cell", "nestcell"):
            depth = 1 if name == "cell" else max(self.state.depth, 2)
            self.state.depth = depth
            self._end_paragraph(self.story, always=False)
            self._end_tables(self.story, depth)
            level = self.story.levels.setdefault(depth, _Level())
            level.cells.append(TableCell(level.blocks))
            level.blocks = []
        elif name in ("row", "nestrow"):
            self._end_row(1 if name == "row" else max(self.state.depth, 2))
        elif name == "page":
            self._end_paragraph(self.story, always=False)
            self._break()
        elif name == "sect":
            self._end_section(self.joined)
        else:
            return False
        return True

    def _break(self) -> None:
        if not self.story.role and not self.story.levels:
            self.story.blocks.append(PageBreak())

    def _end_paragraph(self, story: _Story, always: bool = True) -> None:
        """Ends the open paragraph, an empty one only if ``always``."""
        text = "".join(story.parts).strip(" \n")
        depth = self.state.depth if story is self.story else 0
        self._end_tables(story, depth)
        target = story.levels.setdefault(depth, _Level()).blocks if depth else story.blocks
        if text.strip() or story.notes or always:
            label = story.label if text.strip() else ""
            label = BULLET if label and not any(char.isalnum() for char in label) else label
            item = 1 if label and not self.state.heading else 0
            target.append(
                Paragraph(
                    text, self.state.heading, item, label, self.state.align, 0.0, self.state.tabs, story.notes
                )
            )
        target += story.boxes
        story.parts, story.label, story.notes, story.boxes = [], "", [], []

    def _end_row(self, depth: int) -> None:
        level = self.story.levels.get(depth)
        if level is None or not level.cells:
            return
        row: list[TableCell] = []
        column = 0
        for index, cell in enumerate(level.cells):
            left, above = self.row.merges[index] if index < len(self.row.merges) else (False, False)
            cell.header = self.row.header
            if left and row:
                row[-1].columns += 1
                column += 1
            elif above and column in level.above:
                level.above[column].rows += 1
            else:
                row.append(cell)
                column += cell.columns
        level.table.rows.append(row)
        starts = accumulate((cell.columns for cell in row), initial=0)
        level.above.update(zip(starts, row, strict=False))
        level.cells = []

    def _end_tables(self, story: _Story, depth: int) -> None:
        """Closes the tables deeper than ``depth`` and sets them where they stand."""
        for deeper in sorted((level for level in story.levels if level > depth), reverse=True):
            level = story.levels.pop(deeper)
            if level.cells or level.blocks:
                rest = [TableCell(level.blocks)] if level.blocks else []
                level.table.rows.append([*level.cells, *rest])
            outer = story.levels.get(deeper - 1)
            if level.table.rows:
                (outer.blocks if outer is not None else story.blocks).append(level.table)

    def _end_section(self, joined: bool) -> None:
        while self.story.role and self.stack:
            self._close()
        story = self.story
        self.state.depth = 0
        self._end_paragraph(story, always=False)
        if story.blocks or not self.done:
            header, footer = (_furniture(self.furniture, kind) for kind in ("header", "footer"))
            self.done.append(Section(story.blocks, header, footer, joined))
        story.blocks = []


def _furniture(found: dict[str, list[Block]], kind: str) -> Furniture:
    left, right = found.get(f"{kind}l"), found.get(f"{kind}r")
    return Furniture(right or found.get(kind) or (), found.get(f"{kind}f"), left)


def _page(number: int) -> str:
    """The codec of a Windows code page."""
    name = {0: "cp1252", 10000: "mac_roman", 65001: "utf-8", 936: "gbk"}.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
