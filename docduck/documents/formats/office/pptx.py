"""PresentationML (.pptx, .pptm, .ppsx): ECMA-376 part 1, section 19."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docduck.documents.formats.flow.blocks import Align, Block, Paragraph, Table, TableCell
from docduck.documents.formats.flow.list_labels import BULLET, ordinal
from docduck.documents.formats.flow.pages import PageDraft
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.package import R_ID, Package
from docduck.documents.formats.office.slides import Slide, SlideShape, slide_drafts
from docduck.documents.formats.xml_tree import Element, local

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R_DM = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm"

_EMU = 72 / 914_400
_TITLES = ("title", "ctrTitle")
_NUMBERS = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}
_ALIGN: dict[str, Align] = {"ctr": "center", "r": "right"}


class PptxReader(FlowReader):
    """Reads slides, a page each: text in shapes and groups, tables, diagrams, then the speaker's notes.

    Hidden slides, comments and what only the master shows are left out.
    """

    def drafts(self, data: bytes, warnings: list[str]) -> Sequence[PageDraft]:
        """Return a page for every visible slide."""
        return slide_drafts(_slides(Package(data)))


class _Frame(NamedTuple):
    left: float
    top: float
    width: float
    height: float


class _Scale(NamedTuple):
    """Where a group's inner coordinates lie on the slide: factor and offset for both axes."""

    x: float = _EMU
    y: float = _EMU
    dx: float = 0.0
    dy: float = 0.0

    def frame(self, node: Element | None, off: str = "off", ext: str = "ext") -> _Frame | None:
        """Return the frame of an ``xfrm`` element."""
        corner, size = (node.find(_A + off), node.find(_A + ext)) if node is not None else (None, None)
        if corner is None or size is None:
            return None
        left, top = _number(corner, "x") * self.x + self.dx, _number(corner, "y") * self.y + self.dy
        return _Frame(left, top, _number(size, "cx") * self.x, _number(size, "cy") * self.y)

    def inside(self, group: Element) -> _Scale:
        """Return the scale inside a group shape."""
        node = group.find(f"{_P}grpSpPr/{_A}xfrm")
        outer, inner = self.frame(node), _Scale(1.0, 1.0).frame(node, "chOff", "chExt")
        if outer is None or inner is None or not inner.width or not inner.height:
            return self
        x, y = outer.width / inner.width, outer.height / inner.height
        return _Scale(x, y, outer.left - inner.left * x, outer.top - inner.top * y)


def _slides(package: Package) -> Iterator[Slide]:
    main = package.main_part()
    root, relations = package.tree(main), package.relations(main)
    size = root.find(_P + "sldSz")
    width = min(max(_number(size, "cx") * _EMU or 720.0, 100.0), 5000.0)
    height = min(max(_number(size, "cy") * _EMU or 540.0, 100.0), 5000.0)
    for entry in root.iter(_P + "sldId"):
        kind, part = relations.get(entry.get(R_ID, ""), ("", ""))
        if kind != "slide" or part not in package:
            continue
        slide = package.tree(part)
        if slide.get("show", "1") in ("0", "false"):
            continue
        reader = _SlideReader(package, part)
        yield Slide(reader.shapes(slide), reader.notes(), width, height)


class _SlideReader:
    def __init__(self, package: Package, part: str) -> None:
        self.package = package
        self.relations = package.relations(part)
        self.frames: dict[tuple[str, str], _Frame] = {}
        layout = package.first_part(self.relations, "slideLayout")
        if layout:
            self._inherit(package.tree(layout))
            self._inherit(package.related_tree(package.relations(layout), "slideMaster"))

    def _inherit(self, root: Element | None) -> None:
        """Add the frames of placeholders, used where a slide has none."""
        for shape in root.iter(_P + "sp") if root is not None else ():
            frame = _Scale().frame(shape.find(f"{_P}spPr/{_A}xfrm"))
            kind, index = _placeholder(shape)
            if frame and kind:
                for key in ((kind, index), ("", index), (kind, "")):
                    if key != ("", ""):
                        self.frames.setdefault(key, frame)

    def shapes(self, slide: Element) -> list[SlideShape]:
        tree = slide.find(f"{_P}cSld/{_P}spTree")
        return list(self._inside(tree, _Scale())) if tree is not None else []

    def notes(self) -> list[Block]:
        """Return the speaker's notes."""
        root = self.package.related_tree(self.relations, "notesSlide")
        blocks: list[Block] = []
        for shape in root.iter(_P + "sp") if root is not None else ():
            if _placeholder(shape)[0] == "body":
                blocks += _paragraphs(shape.find(_P + "txBody"), plain=True)
        return blocks

    def _inside(self, tree: Element, scale: _Scale) -> Iterator[SlideShape]:
        for node in tree:
            tag = local(node)
            if tag == "AlternateContent":
                choice = next((child for child in node if local(child) in ("Choice", "Fallback")), None)
                if choice is not None:
                    yield from self._inside(choice, scale)
            elif tag == "grpSp":
                yield from self._inside(node, scale.inside(node))
            elif tag == "sp" and not _is_hidden(node):
                yield from self._shape(node, scale)
            elif tag == "graphicFrame" and not _is_hidden(node):
                frame = scale.frame(node.find(_P + "xfrm")) or _Frame(0, 0, 0, 0)
                for table in node.iter(_A + "tbl"):
                    yield SlideShape([_table(table)], *frame)
                diagram = self._diagram(node)
                if diagram:
                    yield SlideShape(diagram, *frame)

    def _shape(self, node: Element, scale: _Scale) -> Iterator[SlideShape]:
        kind, index = _placeholder(node)
        if kind in ("sldNum", "dt", "sldImg"):
            return
        known = self.frames
        frame = scale.frame(node.find(f"{_P}spPr/{_A}xfrm"))
        frame = frame or known.get((kind, index)) or known.get(("", index)) or known.get((kind, ""))
        blocks: list[Block] = [*_paragraphs(node.find(_P + "txBody"), plain=kind not in ("body", "obj"))]
        if kind in _TITLES:
            blocks = [Paragraph(b.text, 1, align=b.align) for b in blocks if isinstance(b, Paragraph)]
        yield SlideShape(blocks, *(frame or _Frame(0, 0, 0, 0)))

    def _diagram(self, node: Element) -> list[Block]:
        """Return the texts of a diagram (SmartArt), whose data is a separate part."""
        blocks: list[Block] = []
        for ids in node.iter("{*}relIds"):
            _, part = self.relations.get(ids.get(_R_DM, ""), ("", ""))
            root = self.package.optional_tree(part)
            for point in root.iter("{*}pt") if root is not None else ():
                if point.get("type", "node") in ("node", "asst"):
                    blocks += [b for b in _paragraphs(point.find("{*}t"), plain=True) if b.text]
        return blocks


def _placeholder(shape: Element) -> tuple[str, str]:
    """Return a placeholder's type and index; empty for an ordinary shape."""
    node = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    if node is None:
        return "", ""
    return node.get("type", "obj"), node.get("idx", "")


def _is_hidden(node: Element) -> bool:
    return any(
        local(child) == "cNvPr" and child.get("hidden", "0") in ("1", "true")
        for part in node
        for child in part
    )


def _paragraphs(body: Element | None, plain: bool) -> list[Paragraph]:
    """Return a text body's paragraphs; in a ``plain`` one only those with a bullet are list items."""
    paragraphs: list[Paragraph] = []
    counts: dict[int, int] = {}
    for node in body.iter(_A + "p") if body is not None else ():
        text = _text(node)
        properties = node.find(_A + "pPr")
        depth = int(_number(properties, "lvl")) + 1
        paragraph = Paragraph(text.strip())
        align = properties.get("algn", "") if properties is not None else ""
        paragraph.align = _ALIGN.get(align, "left")
        numbered = properties.find(_A + "buAutoNum") if properties is not None else None
        bullet = properties is not None and properties.find(_A + "buChar") is not None
        bare = properties is not None and properties.find(_A + "buNone") is not None
        for deeper in [level for level in counts if level > depth]:
            del counts[deeper]
        if text.strip() and numbered is not None:
            counts[depth] = counts.get(depth, int(_number(numbered, "startAt")) or 1) + (depth in counts)
            kind = numbered.get("type", "arabicPeriod")
            name = next((value for key, value in _NUMBERS.items() if kind.startswith(key)), "decimal")
            closing = ")" if "Paren" in kind else "."
            paragraph.label, paragraph.item = ordinal(counts[depth], name) + closing, depth
        elif text.strip() and (bullet or (not plain and not bare)):
            paragraph.label, paragraph.item = BULLET, depth
        paragraphs.append(paragraph)
    return paragraphs


def _text(paragraph: Element) -> str:
    parts: list[str] = []
    for node in paragraph.iter(_A + "t", _A + "br", _A + "tab"):
        tag = local(node)
        parts.append(node.text or "" if tag == "t" else "\n" if tag == "br" else "")
    return "".join(parts).replace("\v", "\n")


def _table(node: Element) -> Table:
    properties = node.find(_A + "tblPr")
    heads = properties is not None and properties.get("firstRow", "0") in ("1", "true")
    rows: list[list[TableCell]] = []
    for index, row in enumerate(node.findall(_A + "tr")):
        cells: list[TableCell] = []
        for cell in row.findall(_A + "tc"):
            if cell.get("hMerge", "0") in ("1", "true") or cell.get("vMerge", "0") in ("1", "true"):
                continue
            blocks: list[Block] = list(_paragraphs(cell.find(_A + "txBody"), plain=True))
            across, down = int(_number(cell, "gridSpan")) or 1, int(_number(cell, "rowSpan")) or 1
            cells.append(TableCell(blocks, across, down, heads and index == 0))
        rows.append(cells)
    return Table(rows)


def _number(node: Element | None, name: str) -> float:
    text = node.get(name, "") if node is not None else ""
    return float(text) if text.lstrip("-").isdigit() and len(text) < 16 else 0.0
