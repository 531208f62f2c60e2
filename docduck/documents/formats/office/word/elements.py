"""Access to elements and properties of WordprocessingML (ECMA-376 part 1, section 17)."""

from __future__ import annotations

from docduck.documents.formats.xml_tree import Element, local

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TRANSPARENT = frozenset(
    ("ins", "moveTo", "hyperlink", "smartTag", "fldSimple", "customXml", "dir", "bdo", "ruby", "rubyBase")
)
"""Wrappers whose content is read as if it had none; deletions (``del``, ``moveFrom``) are not among them."""

_OFF = ("0", "false", "off", "none")


def children(node: Element) -> list[Element]:
    """Return a node's children; of alternatives only the first."""
    nodes: list[Element] = []
    for child in node:
        if local(child) != "AlternateContent":
            nodes.append(child)
            continue
        choices = [choice for choice in child if local(choice) == "Choice"] or list(child)
        if choices:
            nodes += children(choices[0])
    return nodes


def value(node: Element | None, name: str) -> str | None:
    """Return the ``val`` attribute of the child ``name``, None without one."""
    child = node.find(W + name) if node is not None else None
    attribute = child.get(W + "val") if child is not None else None
    return str(attribute) if attribute is not None else None


def number(node: Element | None, name: str) -> int:
    """Return the ``val`` of the child ``name`` as a number up to 1000, 0 without one."""
    text = value(node, name)
    return min(int(text), 1000) if text and text.isdigit() else 0


def is_on(node: Element | None, name: str) -> bool:
    """Return whether the switch ``name`` is set."""
    child = node.find(W + name) if node is not None else None
    return child is not None and child.get(W + "val", "1") not in _OFF
