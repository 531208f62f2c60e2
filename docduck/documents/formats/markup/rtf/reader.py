"""The interpreter of RTF: text with its code pages, tables, lists, headers, notes and text boxes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from docduck.documents.formats.flow.blocks import (
    Align,
    Block,
    Furniture,
    PageBreak,
    Paragraph,
    Section,
    TabStop,
)
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.markup.rtf.control_words import (
    CHARACTERS,
    CHARSETS,
    HEADING_STYLE,
    MARKS,
    SKIPPED,
    STARRED,
    STORIES,
)
from docduck.documents.formats.markup.rtf.stories import ParagraphFormat, RowFormat, Story
from docduck.documents.formats.symbol_fonts import symbol
from docduck.errors import DamagedFile

MAX_DEPTH = 1000
"""Nesting of groups; a deeper file is damaged."""
_MAX_TABLE_DEPTH = 20
_MAX_TABS = 100

_TOKEN = re.compile(
    rb"\\(?:'([0-9a-fA-F]{2})|([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|([^a-zA-Z]))|([{}])|([^\\{}\r\n]+)|[\r\n]+",
    re.DOTALL,
)
_ALIGNS: dict[str, Align] = {"ql": "left", "qj": "left", "qc": "center", "qr": "right"}
_Kind: TypeAlias = Literal["text", "skip", "fonts", "styles", "label"]


class RtfReader(FlowReader):
    """Reads RTF; deleted and hidden text, comments and pictures are left out."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return the sections with their headers and footers."""
        if not data.startswith(b"{\\rtf"):
            raise DamagedFile("no RTF header")
        return _Interpreter(data).sections()


@dataclass(slots=True)
class _State(ParagraphFormat):
    """The state of a group: inherited from the group around it, dropped at its end."""

    kind: _Kind = "text"
    font: int = 0
    unicode_skip: int = 1
    hidden: bool = False


class _Interpreter:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.state = _State()
        self.stack: list[tuple[_State, Story]] = []
        self.story = Story()
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
        self.row = RowFormat()

    def sections(self) -> list[Section]:
        """Return the sections of the whole file."""
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
        """End a group; return whether it was the outermost."""
        state, story = self.state, self.story
        if not self.stack:
            return True
        self.state, self.story = self.stack.pop()
        if story is not self.story:
            self._end_story(story)
        elif state.kind == "label" and self.state.kind != "label":
            story.label = story.label.strip()
        return not self.stack

    def _end_story(self, story: Story) -> None:
        """Add a story that has ended to the one around it."""
        story.end_paragraph(replace(self.state, depth=0), always=False)
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
        elif mark in MARKS:
            self._text(MARKS[mark])
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
        """Add the gathered bytes as text in the font's code page."""
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
            match = HEADING_STYLE.match(text.strip().lower())
            if match:
                self.headings[self.style] = min(int(match[1]), 6)
        elif kind == "label":
            self.story.label += text
        elif kind == "text" and not self.state.hidden:
            self.story.parts.append(text)

    def _word(self, name: str, value: int | None) -> None:
        starred, self.starred = self.starred, False
        if name in SKIPPED or (starred and name not in STARRED and name not in STORIES):
            self.state.kind = "skip"
        elif self.state.kind == "skip":
            if name == "result":
                self.state.kind = "text"
        elif name == "u":
            self._unicode(value or 0)
        elif name in CHARACTERS:
            self._text(CHARACTERS[name])
        elif name in STORIES:
            self.story = Story(name)
            self.state = _State(font=self.state.font, unicode_skip=self.state.unicode_skip)
        elif self.state.kind == "fonts" or name in ("f", "fcharset"):
            self._font(name, value or 0)
        elif not (self._character(name, value) or self._row_format(name) or self._end(name)):
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
        elif name == "fcharset" and value > 1 and value in CHARSETS:
            self.fonts[self.state.font] = CHARSETS[value]

    def _character(self, name: str, value: int | None) -> bool:
        """Handle words about the file and about characters."""
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
        """Handle words about paragraphs and sections."""
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
            state.depth = min(max(value or 0, 0), _MAX_TABLE_DEPTH)
        elif name in _ALIGNS:
            state.align = _ALIGNS[name]
        elif name in ("tqr", "tqc"):
            self.tab_align = "right" if name == "tqr" else "center"
        elif name == "tx":
            state.tabs = (*state.tabs[:_MAX_TABS], TabStop((value or 0) / 20, self.tab_align))
            self.tab_align = "left"
        elif name == "pagebb":
            self._break()
        elif name == "sectd":
            self.joined = False
        elif name == "sbknone":
            self.joined = True

    def _row_format(self, name: str) -> bool:
        """Handle words that define a row."""
        if name == "trowd":
            self.row = RowFormat()
        elif name in ("trhdr", "clmrg", "clvmrg", "cellx"):
            self.row.apply(name)
        else:
            return False
        return True

    def _end(self, name: str) -> bool:
        """Handle words that end a paragraph, cell, row, page or section."""
        if name == "par":
            self.story.end_paragraph(self.state)
        elif name in ("cell", "nestcell"):
            self.state.depth = 1 if name == "cell" else max(self.state.depth, 2)
            self.story.end_cell(self.state)
        elif name in ("row", "nestrow"):
            self.story.end_row(1 if name == "row" else max(self.state.depth, 2), self.row)
        elif name == "page":
            self.story.end_paragraph(self.state, always=False)
            self._break()
        elif name == "sect":
            self._end_section(self.joined)
        else:
            return False
        return True

    def _break(self) -> None:
        if not self.story.role and not self.story.open_tables:
            self.story.blocks.append(PageBreak())

    def _end_section(self, joined: bool) -> None:
        while self.story.role and self.stack:
            self._close()
        story = self.story
        self.state.depth = 0
        story.end_paragraph(self.state, always=False)
        if story.blocks or not self.done:
            header, footer = (_furniture(self.furniture, kind) for kind in ("header", "footer"))
            self.done.append(Section(story.blocks, header, footer, joined))
        story.blocks = []


def _furniture(blocks: dict[str, list[Block]], kind: str) -> Furniture:
    left, right = blocks.get(f"{kind}l"), blocks.get(f"{kind}r")
    return Furniture(right or blocks.get(kind) or (), blocks.get(f"{kind}f"), left)


def _page(number: int) -> str:
    """Return the codec of a Windows code page."""
    name = {0: "cp1252", 10000: "mac_roman", 65001: "utf-8", 936: "gbk"}.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
