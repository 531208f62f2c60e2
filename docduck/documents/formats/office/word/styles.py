"""Paragraph properties of WordprocessingML, with what styles inherit."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.documents.formats.flow.blocks import ALIGNS, Align, TabStop
from docduck.documents.formats.office.word.elements import W, is_on, number, value
from docduck.documents.formats.xml_tree import Element

_TWIP = 1 / 20
_MAX_ANCESTORS = 20


@dataclass(frozen=True, slots=True)
class Style:
    """A style; ``heading`` is 0 for none, ``numbering`` a list and a depth in it."""

    base: str = ""
    heading: int = 0
    numbering: tuple[str, int] | None = None
    hidden: bool = False
    align: Align | None = None
    tabs: tuple[TabStop, ...] = ()


class Styles:
    """The styles of a document by their ids."""

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, Style] = {}
        self._default = ""
        for node in root.findall(W + "style") if root is not None else ():
            name = node.get(W + "styleId", "")
            if node.get(W + "type") == "paragraph" and node.get(W + "default") in ("1", "true"):
                self._default = name
            self._styles[name] = _style(node)

    def hides(self, run_properties: Element | None) -> bool:
        """Return whether the character style of a run hides its text."""
        style = self._styles.get(value(run_properties, "rStyle") or "")
        return style is not None and style.hidden

    def of_paragraph(self, properties: Element | None) -> Style:
        """Return the style of a paragraph, with what it inherits."""
        name = value(properties, "pStyle") or self._default
        inherited = Style()
        for _ in range(_MAX_ANCESTORS):
            style = self._styles.get(name)
            if style is None:
                break
            inherited = Style(
                "",
                inherited.heading or style.heading,
                inherited.numbering or style.numbering,
                inherited.hidden or style.hidden,
                inherited.align or style.align,
                inherited.tabs or style.tabs,
            )
            name = style.base
        return inherited


def _style(node: Element) -> Style:
    properties = node.find(W + "pPr")
    name = (value(node, "name") or "").lower()
    heading = outline(properties)
    if not heading and name == "title":
        heading = 1
    elif not heading and name.startswith("heading ") and name[8:].isdigit():
        heading = min(int(name[8:]), 6)
    run = node.find(W + "rPr")
    return Style(
        value(node, "basedOn") or "",
        heading,
        numbering(properties),
        run is not None and is_on(run, "vanish"),
        alignment(properties),
        tab_stops(properties),
    )


def alignment(properties: Element | None) -> Align | None:
    """Return the alignment of a paragraph, None if it is not set."""
    align = value(properties, "jc")
    return ALIGNS.get(align, "left") if align else None


def outline(properties: Element | None) -> int:
    """Return the heading level of a paragraph, 0 for none."""
    level = value(properties, "outlineLvl")
    return min(int(level) + 1, 6) if level and level.isdigit() and int(level) < 9 else 0


def numbering(properties: Element | None) -> tuple[str, int] | None:
    """Return the list and depth of a paragraph."""
    node = properties.find(W + "numPr") if properties is not None else None
    if node is None:
        return None
    return value(node, "numId") or "", number(node, "ilvl")


def tab_stops(properties: Element | None) -> tuple[TabStop, ...]:
    """Return the tab stops of a paragraph, left to right."""
    node = properties.find(W + "tabs") if properties is not None else None
    stops: list[TabStop] = []
    for tab in node if node is not None else ():
        kind, position = tab.get(W + "val", ""), tab.get(W + "pos", "")
        if kind not in ("clear", "bar", "num") and position.isdigit():
            stops.append(TabStop(int(position) * _TWIP, ALIGNS.get(kind, "left")))
    return tuple(sorted(stops, key=lambda stop: stop.position))
