"""The text of a paragraph's runs, with its notes and text boxes."""

from __future__ import annotations

from collections.abc import Callable

from docduck.documents.formats.flow.blocks import Block
from docduck.documents.formats.office.word.elements import TRANSPARENT, W, children, is_on
from docduck.documents.formats.office.word.styles import Styles
from docduck.documents.formats.symbol_fonts import symbol
from docduck.documents.formats.xml_tree import Element, local

PAGE_BREAK, RENDERED_BREAK = "\f", "\v"


class Runs:
    """Gathers the text of runs, with ``PAGE_BREAK`` and ``RENDERED_BREAK``, their notes and text boxes.

    ``note`` returns the label and text of a note by its kind and id, ``box`` the blocks of a text box.
    """

    def __init__(
        self,
        styles: Styles,
        note: Callable[[str, str], tuple[str, str] | None],
        box: Callable[[Element], list[Block]],
    ) -> None:
        self._styles, self._note, self._box = styles, note, box
        self.parts: list[str] = []
        self.notes: list[str] = []
        self.boxes: list[Block] = []
        self.fields: list[bool] = []

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def read(self, node: Element) -> None:
        """Add a paragraph's or a wrapper's children."""
        for child in children(node):
            tag = local(child)
            if tag == "r":
                self._run(child)
            elif tag in TRANSPARENT:
                self.read(child)
            elif tag in ("sdt", "sdtContent"):
                content = child.find(W + "sdtContent") if tag == "sdt" else child
                if content is not None:
                    self.read(content)
            elif tag in ("oMath", "oMathPara"):
                self.parts.append("".join(text.text or "" for text in child.iter("{*}t")))

    def _run(self, run: Element) -> None:
        properties = run.find(W + "rPr")
        if is_on(properties, "vanish") or self._styles.hides(properties):
            return
        for child in children(run):
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
                self.parts.append(PAGE_BREAK if child.get(W + "type") == "page" else "\n")
            elif tag == "cr":
                self.parts.append("\n")
            elif tag == "lastRenderedPageBreak":
                self.parts.append(RENDERED_BREAK)
            elif tag == "noBreakHyphen":
                self.parts.append("-")
            elif tag == "sym":
                self.parts.append(symbol(child.get(W + "font", ""), child.get(W + "char", "")))
            elif tag in ("footnoteReference", "endnoteReference"):
                noted = self._note(tag.removesuffix("Reference"), child.get(W + "id", ""))
                if noted:
                    self.parts.append(f" {noted[0]}")
                    self.notes.append(noted[1])
            elif tag in ("drawing", "pict", "object"):
                for box in child.iter(W + "txbxContent"):
                    if not _inside_box(box, child):
                        self.boxes += self._box(box)
            elif tag == "ruby":
                self.read(child)

    def _field(self, kind: str) -> None:
        """Skip a field's code, which is between its begin and its separator."""
        if kind == "begin":
            self.fields.append(True)
        elif kind == "separate" and self.fields:
            self.fields[-1] = len(self.fields) > 1 and self.fields[-2]
        elif kind == "end" and self.fields:
            self.fields.pop()


def _inside_box(box: Element, top: Element) -> bool:
    """Return whether a text box is part of another one or of a fallback for it."""
    parent = box.getparent()
    while parent is not None and parent is not top:
        if local(parent) in ("txbxContent", "Fallback"):
            return True
        parent = parent.getparent()
    return False
