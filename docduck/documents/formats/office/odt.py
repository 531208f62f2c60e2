"""OpenDocument texts (.odt, .ott)."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.formats.flow.blocks import Block, Furniture, PageBreak, Paragraph, Section
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.opendocument import OFFICE, STYLE, TEXT, Content, Styles, open_package
from docduck.documents.formats.xml_tree import Element, local


class OdtReader(FlowReader):
    """Reads texts: body, headers, footers, frames, notes; comments and tracked deletions are left out."""

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return a section for each run of pages with one master page."""
        package = open_package(data)
        content = package.tree("content.xml")
        shared = package.optional_tree("styles.xml")
        styles = Styles(shared, content)
        reader = Content(styles)
        body = content.find(f"{OFFICE}body/{OFFICE}text")
        masters = _masters(shared, reader)
        sections: list[Section] = []
        blocks: list[Block] = []
        master = "Standard"
        for child in body if body is not None else ():
            named = styles.find("paragraph", child.get(TEXT + "style-name")).master
            if local(child) in ("p", "h") and named:
                if any(not isinstance(block, Paragraph) or block.text for block in blocks):
                    sections.append(_section(blocks, masters, master))
                    blocks = []
                master = named
                inner = reader.paragraph(child)
                blocks += inner[1:] if isinstance(inner[0], PageBreak) else inner
            else:
                blocks += reader.child_blocks(child)
        sections.append(_section(blocks, masters, master))
        return sections


def _section(blocks: list[Block], masters: dict[str, tuple[Furniture, Furniture]], master: str) -> Section:
    header, footer = masters.get(master) or next(iter(masters.values()), (Furniture(), Furniture()))
    return Section(blocks, header, footer)


def _masters(root: Element | None, reader: Content) -> dict[str, tuple[Furniture, Furniture]]:
    """Return header and footer of each master page."""
    masters: dict[str, tuple[Furniture, Furniture]] = {}
    for page in root.iter(STYLE + "master-page") if root is not None else ():
        masters[page.get(STYLE + "name", "")] = (
            _furniture(page, "header", reader),
            _furniture(page, "footer", reader),
        )
    return masters


def _furniture(page: Element, kind: str, reader: Content) -> Furniture:
    def read(name: str) -> Sequence[Block] | None:
        node = page.find(STYLE + name)
        if node is None or node.get(STYLE + "display") == "false":
            return None
        blocks = reader.blocks(node)
        return blocks if any(not isinstance(b, Paragraph) or b.text for b in blocks) else None

    return Furniture(read(kind) or (), read(f"{kind}-first"), read(f"{kind}-left"))
