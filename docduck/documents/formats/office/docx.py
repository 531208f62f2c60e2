"""WordprocessingML (.docx, .docm, .dotx): ECMA-376 part 1, section 17."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from docduck.documents.formats.office.numbering import Numbering, W
from docduck.documents.formats.office.package import Package
from docduck.documents.formats.office.symbols import symbol
from docduck.documents.formats.xml_tree import Element, local

_R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TWIP = 1 / 20
_OFF = ("0", "false", "off", "none")
_ALIGN: dict[str, Align] = {"center": "center", "right": "right", "end": "right"}
_THROUGH = frozenset(
    ("ins", "moveTo", "hyperlink", "smartTag", "fldSimple", "customXml", "dir", "bdo", "ruby", "rubyBase")
)
"""Elements whose content reads as if they were not there; deletions (``del``, ``moveFrom``) are not."""
_BREAK = "\f"
_RENDERED = "\v"


class DocxReader(FlowReader):
    """Reads texts: body, headers, footers, text boxes, notes; comments and tracked deletions are left out."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """The sections of the main part."""
        return _Docx(Package(data)).sections()


@dataclass(frozen=True, slots=True)
class _Style:
    base: str
    heading: int
    numbering: tuple[str, int] | None
    hidden: bool
    align: Align | None
    tabs: tuple[TabStop, ...]


class _Docx:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.main = package.main_part()
        self.relations = package.relations(self.main)
        self.styles, self.plain = self._styles()
        numbering = self._related("numbering")
        self.numbering = Numbering(numbering)
        self.notes = {**self._notes("footnotes", "footnote"), **self._notes("endnotes", "endnote")}
        self.noted = 0
        self.furniture: dict[str, Sequence[Block]] = {}

    def _related(self, kind: str) -> Element | None:
        for known, target in self.relations.values():
            if known == kind:
                return self.package.optional_tree(target)
        return None

    def _styles(self) -> tuple[dict[str, _Style], str]:
        root = self._related("styles")
        found: dict[str, _Style] = {}
        plain = ""
        for node in root.findall(W + "style") if root is not None else ():
            name = node.get(W + "styleId", "")
            if node.get(W + "type") == "paragraph" and node.get(W + "default") in ("1", "true"):
                plain = name
            found[name] = _style(node)
        return found, plain

    def _notes(self, kind: str, tag: str) -> dict[tuple[str, str], Element]:
        root = self._related(kind)
        notes = root.findall(W + tag) if root is not None else ()
        return {(tag, note.get(W + "id", "")): note for note in notes if note.get(W + "type") is None}

    def sections(self) -> list[Section]:
        root = self.package.tree(self.main)
        body = root.find(W + "body")
        settings = self._related("settings")
        even = settings is not None and settings.find(W + "evenAndOddHeaders") is not None
        sections: list[Section] = []
        inherited: dict[tuple[str, str], Sequence[Block]] = {}
        blocks: list[Block] = []
        for node in _children(body) if body is not None else ():
            tag = local(node)
            own = node if tag == "sectPr" else node.find(f"{W}pPr/{W}sectPr") if tag == "p" else None
            if tag != "sectPr":
                blocks += self._blocks([node])
            if own is not None:
                sections.append(self._section(own, blocks, inherited, even))
                blocks = []
        if blocks or not sections:
            sections.append(Section(blocks))
        return sections

    def _section(
        self,
        node: Element,
        blocks: list[Block],
        inherited: dict[tuple[str, str], Sequence[Block]],
        even: bool,
    ) -> Section:
        """A section by its properties; headers it does not name are the ones of the section before."""
        for reference in node:
            kind = local(reference)
            if kind in ("headerReference", "footerReference"):
                _, target = self.relations.get(reference.get(_R_ID, ""), ("", ""))
                if target not in self.furniture:
                    root = self.package.optional_tree(target)
                    inner = self._blocks(_children(root)) if root is not None else []
                    self.furniture[target] = _without_edges(inner)
                inherited[kind[:6], reference.get(W + "type", "default")] = self.furniture[target]
        own_first = _is_on(node, "titlePg")

        def furniture(kind: str) -> Furniture:
            first = inherited.get((kind, "first"), ()) if own_first else None
            return Furniture(
                inherited.get((kind, "default"), ()),
                first,
                inherited.get((kind, "even"), ()) if even else None,
            )

        joined = _value(node, "type") == "continuous"
        return Section(blocks, furniture("header"), furniture("footer"), joined)

    def _blocks(self, nodes: Sequence[Element]) -> list[Block]:
        blocks: list[Block] = []
        for node in nodes:
            tag = local(node)
            if tag == "p":
                blocks += self._paragraph(node)
            elif tag == "tbl":
                blocks.append(self._table(node))
            elif tag == "sdt":
                content = node.find(W + "sdtContent")
                blocks += self._blocks(_children(content)) if content is not None else []
            elif tag in _THROUGH:
                blocks += self._blocks(_children(node))
            elif tag == "altChunk":
                continue
        return blocks

    def _table(self, node: Element) -> Table:
        rows: list[list[TableCell]] = []
        open_: dict[int, TableCell] = {}
        for row in _rows(node):
            properties = row.find(W + "trPr")
            if properties is not None and properties.find(W + "del") is not None:
                continue
            header = properties is not None and _is_on(properties, "tblHeader")
            cells: list[TableCell] = []
            column = _number(properties, "gridBefore")
            if column:
                cells.append(TableCell([], column))
            for cell in _cells(row):
                own = cell.find(W + "tcPr")
                span = max(_number(own, "gridSpan"), 1)
                merge = own.find(W + "vMerge") if own is not None else None
                goes_on = merge is not None and merge.get(W + "val", "continue") == "continue"
                if goes_on and column in open_:
                    open_[column].rows += 1
                else:
                    made = TableCell(self._blocks(_children(cell)), span, header=header)
                    cells.append(made)
                    if merge is not None:
                        open_[column] = made
                    else:
                        open_.pop(column, None)
                column += span
            rows.append(cells)
        return Table(rows)

    def _paragraph(self, node: Element) -> list[Block]:
        properties = node.find(W + "pPr")
        style = self._style(properties)
        runs = _Runs(self)
        runs.read(node)
        made = Paragraph()
        made.heading = _outline(properties) or style.heading
        align = _value(properties, "jc")
        made.align = _ALIGN.get(align, "left") if align else style.align or "left"
        made.tabs = _tabs(properties) or style.tabs
        numbered = _numbered(properties) or style.numbering
        text = runs.text
        if numbered and text.strip(" \t\n\f\v") and not _removed(numbered):
            made.label = self.numbering.label(*numbered)
            made.item = numbered[1] + 1 if made.label and not made.heading else 0
        made.notes = runs.notes
        before: list[Block] = [PageBreak()] if _is_on(properties, "pageBreakBefore") else []
        return [*before, *_divided(made, text), *runs.boxes]

    def _style(self, properties: Element | None) -> _Style:
        """The style of a paragraph, with what it inherits."""
        name = (_value(properties, "pStyle") if properties is not None else None) or self.plain
        found = _Style("", 0, None, False, None, ())
        for _ in range(20):
            style = self.styles.get(name)
            if style is None:
                break
            found = _Style(
                "",
                found.heading or style.heading,
                found.numbering or style.numbering,
                found.hidden or style.hidden,
                found.align or style.align,
                found.tabs or style.tabs,
            )
            name = style.base
        return found

    def note(self, kind: str, number: str) -> tuple[str, str] | None:
        """The label and text of a note, when it has any."""
        node = self.notes.pop((kind, number), None)
        if node is None:
            return None
        blocks = [block for block in self._blocks(_children(node)) if isinstance(block, Paragraph)]
        self.noted += 1
        label = f"[{self.noted}]"
        return label, f"{label} " + " ".join(filter(None, (block.text.strip() for block in blocks)))


class _Runs:
    """The text of a paragraph's runs, with page breaks as ``\\f`` and ``\\v``, and what hangs on them."""

    def __init__(self, docx: _Docx) -> None:
        self.docx = docx
        self.parts: list[str] = []
        self.notes: list[str] = []
        self.boxes: list[Block] = []
        self.fields: list[bool] = []

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def read(self, node: Element) -> None:
        """Takes in a paragraph's or a wrapper's children."""
        for child in _children(node):
            tag = local(child)
            if tag == "r":
                self._run(child)
            elif tag in _THROUGH:
                self.read(child)
            elif tag in ("sdt", "sdtContent"):
                content = child.find(W + "sdtContent") if tag == "sdt" else child
                if content is not None:
                    self.read(content)
            elif tag in ("oMath", "oMathPara"):
                self.parts.append("".join(text.text or "" for text in child.iter("{*}t")))

    def _run(self, run: Element) -> None:
        properties = run.find(W + "rPr")
        hidden = properties is not None and _is_on(properties, "vanish")
        style = self.docx.styles.get(_value(properties, "rStyle") or "") if properties is not None else None
        if hidden or (style is not None and style.hidden):
            return
        for child in _children(run):
            tag = local(child)
            if tag == "fldChar":
                self._field(child.get(W + "fldCharType", ""))
            elif self.fields and self.fields[-1]:
                continue
            elif tag == "t":
                self.parts.append(child.text or "")
            elif tag in ("tab", "ptab"):
                self.parts.append("\t")
            elif tag == "br":
                self.parts.append(_BREAK if child.get(W + "type") == "page" else "\n")
            elif tag == "cr":
                self.parts.append("\n")
            elif tag == "lastRenderedPageBreak":
                self.parts.append(_RENDERED)
            elif tag == "noBreakHyphen":
                self.parts.append("-")
            elif tag == "sym":
                self.parts.append(symbol(child.get(W + "font", ""), child.get(W + "char", "")))
            elif tag in ("footnoteReference", "endnoteReference"):
                noted = self.docx.note(tag.removesuffix("Reference"), child.get(W + "id", ""))
                if noted:
                    self.parts.append(f" {noted[0]}")
                    self.notes.append(noted[1])
            elif tag in ("drawing", "pict", "object"):
                for box in child.iter(W + "txbxContent"):
                    if not _inside_box(box, child):
                        self.boxes += _without_edges(self.docx._blocks(_children(box)))
            elif tag == "ruby":
                self.read(child)

    def _field(self, kind: str) -> None:
        """Between a field's begin and separator stands its code, which nobody sees."""
        if kind == "begin":
            self.fields.append(True)
        elif kind == "separate" and self.fields:
            self.fields[-1] = len(self.fields) > 1 and self.fields[-2]
        elif kind == "end" and self.fields:
            self.fields.pop()


def _children(node: Element) -> list[Element]:
    """A node's children; of alternatives only the first is taken."""
    children: list[Element] = []
    for child in node:
        if local(child) != "AlternateContent":
            children.append(child)
            continue
        choices = [one for one in child if local(one) == "Choice"] or list(child)
        if choices:
            children += _children(choices[0])
    return children


def _inside_box(box: Element, top: Element) -> bool:
    """Whether a text box is part of another one, or of a fallback for a program that can't show the first."""
    parent = box.getparent()
    while parent is not None and parent is not top:
        if local(parent) in ("txbxContent", "Fallback"):
            return True
        parent = parent.getparent()
    return False


def _rows(node: Element) -> list[Element]:
    return _unwrapped(node, "tr")


def _cells(node: Element) -> list[Element]:
    return _unwrapped(node, "tc")


def _unwrapped(node: Element, tag: str) -> list[Element]:
    found: list[Element] = []
    for child in _children(node):
        name = local(child)
        if name == tag:
            found.append(child)
        elif name in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            found += _unwrapped(child, tag)
    return found


def _divided(paragraph: Paragraph, text: str) -> list[Block]:
    """The paragraph, divided where a page ends inside it."""
    blocks: list[Block] = []
    part = ""
    for char in text:
        if char not in (_BREAK, _RENDERED):
            part += char
            continue
        if part.strip():
            blocks.append(_part(paragraph, part, not blocks))
            part = ""
        blocks.append(PageBreak(rendered=char == _RENDERED))
    if part or not blocks:
        first = not any(isinstance(block, Paragraph) for block in blocks)
        blocks.append(_part(paragraph, part, first))
    if paragraph.notes:
        last = next((block for block in reversed(blocks) if isinstance(block, Paragraph)), None)
        if last is not None:
            last.notes = paragraph.notes
    return blocks


def _part(paragraph: Paragraph, text: str, first: bool) -> Paragraph:
    return Paragraph(
        text.strip(" \n") if first else text.strip(),
        paragraph.heading,
        paragraph.item if first else 0,
        paragraph.label if first else "",
        paragraph.align,
        paragraph.indent,
        paragraph.tabs,
    )


def _without_edges(blocks: list[Block]) -> list[Block]:
    """The blocks without empty paragraphs before and after."""
    full = [i for i, block in enumerate(blocks) if not isinstance(block, Paragraph) or block.text.strip()]
    return blocks[full[0] : full[-1] + 1] if full else []


def _style(node: Element) -> _Style:
    properties = node.find(W + "pPr")
    name = (_value(node, "name") or "").lower()
    heading = _outline(properties)
    if not heading and name == "title":
        heading = 1
    elif not heading and name.startswith("heading ") and name[8:].isdigit():
        heading = min(int(name[8:]), 6)
    align = _value(properties, "jc")
    run = node.find(W + "rPr")
    return _Style(
        _value(node, "basedOn") or "",
        heading,
        _numbered(properties),
        run is not None and _is_on(run, "vanish"),
        _ALIGN.get(align, "left") if align else None,
        _tabs(properties),
    )


def _outline(properties: Element | None) -> int:
    level = _value(properties, "outlineLvl")
    return min(int(level) + 1, 6) if level and level.isdigit() and int(level) < 9 else 0


def _numbered(properties: Element | None) -> tuple[str, int] | None:
    node = properties.find(W + "numPr") if properties is not None else None
    if node is None:
        return None
    return _value(node, "numId") or "", _number(node, "ilvl")


def _removed(numbered: tuple[str, int]) -> bool:
    return numbered[0] == "0"


def _tabs(properties: Element | None) -> tuple[TabStop, ...]:
    node = properties.find(W + "tabs") if properties is not None else None
    stops: list[TabStop] = []
    for tab in node if node is not None else ():
        kind, position = tab.get(W + "val", ""), tab.get(W + "pos", "")
        if kind not in ("clear", "bar", "num") and position.isdigit():
            stops.append(TabStop(int(position) * _TWIP, _ALIGN.get(kind, "left")))
    return tuple(sorted(stops, key=lambda stop: stop.position))


def _value(node: Element | None, name: str) -> str | None:
    child = node.find(W + name) if node is not None else None
    value = child.get(W + "val") if child is not None else None
    return str(value) if value is not None else None


def _number(node: Element | None, name: str) -> int:
    value = _value(node, name)
    return min(int(value), 1000) if value and value.isdigit() else 0


def _is_on(node: Element | None, name: str) -> bool:
    child = node.find(W + name) if node is not None else None
    return child is not None and child.get(W + "val", "1") not in _OFF
