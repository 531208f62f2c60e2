"""WordprocessingML (.docx, .docm, .dotx): ECMA-376 part 1, section 17."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.formats.flow.blocks import (
    Block,
    Furniture,
    PageBreak,
    Paragraph,
    Section,
    Table,
    TableCell,
)
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.package import R_ID, Package
from docduck.documents.formats.office.word.elements import TRANSPARENT, W, children, is_on, number, value
from docduck.documents.formats.office.word.numbering import Numbering
from docduck.documents.formats.office.word.runs import PAGE_BREAK, RENDERED_BREAK, Runs
from docduck.documents.formats.office.word.styles import Styles, alignment, numbering, outline, tab_stops
from docduck.documents.formats.xml_tree import Element, local

_NO_LIST = ("", "0")
"""Ids of lists that number nothing; ``0`` takes a paragraph out of the list of its style."""


class DocxReader(FlowReader):
    """Reads texts: body, headers, footers, text boxes, notes; comments and tracked deletions are left out."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return the sections of the main part."""
        return _Docx(Package(data)).sections()


class _Docx:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.main = package.main_part()
        self.relations = package.relations(self.main)
        self.styles = Styles(package.related_tree(self.relations, "styles"))
        self.numbering = Numbering(package.related_tree(self.relations, "numbering"))
        self.notes = {**self._notes("footnotes", "footnote"), **self._notes("endnotes", "endnote")}
        self.noted = 0
        self.furniture: dict[str, Sequence[Block]] = {}

    def _notes(self, kind: str, tag: str) -> dict[tuple[str, str], Element]:
        root = self.package.related_tree(self.relations, kind)
        notes = root.findall(W + tag) if root is not None else ()
        return {(tag, note.get(W + "id", "")): note for note in notes if note.get(W + "type") is None}

    def sections(self) -> list[Section]:
        root = self.package.tree(self.main)
        body = root.find(W + "body")
        settings = self.package.related_tree(self.relations, "settings")
        even = settings is not None and settings.find(W + "evenAndOddHeaders") is not None
        sections: list[Section] = []
        inherited: dict[tuple[str, str], Sequence[Block]] = {}
        blocks: list[Block] = []
        for node in children(body) if body is not None else ():
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
        """Return a section; headers and footers that it does not name are those of the section before."""
        for reference in node:
            kind = local(reference)
            if kind in ("headerReference", "footerReference"):
                _, target = self.relations.get(reference.get(R_ID, ""), ("", ""))
                if target not in self.furniture:
                    root = self.package.optional_tree(target)
                    inner = self._blocks(children(root)) if root is not None else []
                    self.furniture[target] = _without_edges(inner)
                inherited[kind[:6], reference.get(W + "type", "default")] = self.furniture[target]
        own_first = is_on(node, "titlePg")

        def furniture(kind: str) -> Furniture:
            first = inherited.get((kind, "first"), ()) if own_first else None
            return Furniture(
                inherited.get((kind, "default"), ()),
                first,
                inherited.get((kind, "even"), ()) if even else None,
            )

        joined = value(node, "type") == "continuous"
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
                blocks += self._blocks(children(content)) if content is not None else []
            elif tag in TRANSPARENT:
                blocks += self._blocks(children(node))
        return blocks

    def _table(self, node: Element) -> Table:
        rows: list[list[TableCell]] = []
        open_: dict[int, TableCell] = {}
        for row in _unwrapped(node, "tr"):
            properties = row.find(W + "trPr")
            if properties is not None and properties.find(W + "del") is not None:
                continue
            header = properties is not None and is_on(properties, "tblHeader")
            cells: list[TableCell] = []
            column = number(properties, "gridBefore")
            if column:
                cells.append(TableCell([], column))
            for cell in _unwrapped(row, "tc"):
                own = cell.find(W + "tcPr")
                span = max(number(own, "gridSpan"), 1)
                merge = own.find(W + "vMerge") if own is not None else None
                goes_on = merge is not None and merge.get(W + "val", "continue") == "continue"
                if goes_on and column in open_:
                    open_[column].rows += 1
                else:
                    made = TableCell(self._blocks(children(cell)), span, header=header)
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
        style = self.styles.of_paragraph(properties)
        runs = Runs(self.styles, self._note, self._box)
        runs.read(node)
        made = Paragraph()
        made.heading = outline(properties) or style.heading
        made.align = alignment(properties) or style.align or "left"
        made.tabs = tab_stops(properties) or style.tabs
        list_id, depth = numbering(properties) or style.numbering or ("", 0)
        text = runs.text
        if list_id not in _NO_LIST and text.strip(" \t\n\f\v"):
            made.label = self.numbering.label(list_id, depth)
            made.item = depth + 1 if made.label and not made.heading else 0
        made.notes = runs.notes
        before: list[Block] = [PageBreak()] if is_on(properties, "pageBreakBefore") else []
        return [*before, *_divided(made, text), *runs.boxes]

    def _box(self, node: Element) -> list[Block]:
        return _without_edges(self._blocks(children(node)))

    def _note(self, kind: str, identifier: str) -> tuple[str, str] | None:
        """Return the label and text of a note at its first reference, else None."""
        node = self.notes.pop((kind, identifier), None)
        if node is None:
            return None
        blocks = [block for block in self._blocks(children(node)) if isinstance(block, Paragraph)]
        self.noted += 1
        label = f"[{self.noted}]"
        return label, f"{label} " + " ".join(filter(None, (block.text.strip() for block in blocks)))


def _unwrapped(node: Element, tag: str) -> list[Element]:
    elements: list[Element] = []
    for child in children(node):
        name = local(child)
        if name == tag:
            elements.append(child)
        elif name in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            elements += _unwrapped(child, tag)
    return elements


def _divided(paragraph: Paragraph, text: str) -> list[Block]:
    """Return the paragraph, divided at page breaks."""
    blocks: list[Block] = []
    part = ""
    for char in text:
        if char not in (PAGE_BREAK, RENDERED_BREAK):
            part += char
            continue
        if part.strip():
            blocks.append(_part(paragraph, part, not blocks))
            part = ""
        blocks.append(PageBreak(rendered=char == RENDERED_BREAK))
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
    """Return the blocks without empty paragraphs before and after."""
    full = [i for i, block in enumerate(blocks) if not isinstance(block, Paragraph) or block.text.strip()]
    return blocks[full[0] : full[-1] + 1] if full else []
