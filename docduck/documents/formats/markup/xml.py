"""Any XML as a readable text: elements as labels and values, records that repeat as tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docduck.documents.formats.flow.blocks import Block, Paragraph, Section, Table, TableCell
from docduck.documents.formats.xml_tree import Element, local, parse_xml

MAX_VALUES = 200_000
"""Elements and attributes that are shown of one file."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_.-]+")
_INDENT = 12.0
_MAX_INDENT = 10
_LEAST_ROWS = 2
_NO_LABELS: Mapping[str, str] = {}
_HOUSEKEEPING = frozenset(("schemaLocation", "noNamespaceSchemaLocation", "type", "nil", "space", "base"))
_XSI = ("{http://www.w3.org/2001/XMLSchema-instance}", "{http://www.w3.org/XML/1998/namespace}")


def xml_sections(data: bytes, labels: Mapping[str, str] | None = None) -> list[Section]:
    """Return the elements of an XML file in their order.

    With ``labels``, the names of elements say nothing but these: there are no headings.

    An element with text is a line ``Name: text``, one with children a heading above theirs, mixed content a
    paragraph, and elements of one name that only hold values are the rows of a table. Raise ``DamagedFile``
    for malformed XML.
    """
    writer = _Writer(labels)
    writer.element(parse_xml(data), 0)
    return [Section(writer.blocks)]


class _Writer:
    def __init__(self, labels: Mapping[str, str] | None) -> None:
        self.labels = labels or _NO_LABELS
        self.has_headings = labels is None
        self.blocks: list[Block] = []
        self.left = MAX_VALUES

    def element(self, node: Element, depth: int) -> None:
        """Add an element with its attributes and children."""
        name = self.labels.get(local(node)) or label(local(node))
        values = _attributes(node)
        text = (node.text or "").strip()
        self.left -= 1 + len(values)
        if self.left < 0:
            return
        if not len(node):
            if text or values:
                self._line(f"{name}: {_folded(text)}" if text else name, depth)
            for key, value in values:
                self._line(f"{key}: {value}", depth + 1)
            return
        if _is_mixed(node):
            self._line(_folded("".join(node.itertext())), depth)
            return
        if self.has_headings:
            self._line(name, depth, heading=min(depth + 1, 6))
        for key, value in values:
            self._line(f"{key}: {value}", depth)
        self._children(node, depth)

    def _children(self, node: Element, depth: int) -> None:
        groups: dict[str, list[Element]] = {}
        for child in node:
            if tag := local(child):
                groups.setdefault(tag, []).append(child)
        tables = {tag: self._table(alike) for tag, alike in groups.items() if len(alike) >= _LEAST_ROWS}
        for child in node:
            tag = local(child)
            table = tables.get(tag)
            if table is None and tag:
                self.element(child, depth + 1)
            elif table is not None and child is groups[tag][0]:
                self.blocks.append(table)

    def _table(self, nodes: Sequence[Element]) -> Table | None:
        """Return elements as rows, when each only holds single values and most hold the same ones."""
        names: dict[str, None] = {}
        rows: list[dict[str, str]] = []
        for node in nodes:
            row = record(node, labels=self.labels)
            if row is None:
                return None
            rows.append(row)
            names.update(dict.fromkeys(row))
        if len(names) < 2 or sum(map(len, rows)) < 0.5 * len(names) * len(rows):
            return None
        self.left -= len(names) * len(rows)
        if self.left < 0:
            return None
        head = [TableCell([Paragraph(name)], header=True) for name in names]
        body = [[_cell(row.get(name, "")) for name in names] for row in rows]
        return Table([head, *body])

    def _line(self, text: str, depth: int, heading: int = 0) -> None:
        self.blocks.append(Paragraph(text, heading=heading, indent=_INDENT * min(depth, _MAX_INDENT)))


def _cell(text: str) -> TableCell:
    return TableCell([Paragraph(text)] if text else [])


def record(
    node: Element, prefix: str = "", depth: int = 0, labels: Mapping[str, str] = _NO_LABELS
) -> dict[str, str] | None:
    """Return an element's values by their labels; None if a name repeats or content is mixed.

    Values of nested elements are prefixed with the label of the outer one.
    """
    values = {prefix + key: value for key, value in _attributes(node)}
    text = _folded(node.text or "")
    if not len(node):
        if text or not values:
            values[prefix.strip() or labels.get(local(node)) or label(local(node))] = text
        return values
    if depth > 3 or _is_mixed(node):
        return None
    for child in node:
        name = labels.get(local(child)) or label(local(child))
        inner = record(child, f"{name} ", depth + 1, labels)
        if inner is None or any(key in values for key in inner):
            return None
        values.update(inner)
    return values


def label(tag: str) -> str:
    """Return a tag as words: ``InvoiceNumber`` and ``invoice_number`` are ``Invoice Number``."""
    words = [word for word in _HUMP.split(tag) if word]
    return " ".join(word if word.isupper() or word[:1].isupper() else word.capitalize() for word in words)


def _attributes(node: Element) -> list[tuple[str, str]]:
    attributes: list[tuple[str, str]] = []
    for key, value in node.attrib.items():
        name = str(key)
        if name.startswith(_XSI) or (name in _HOUSEKEEPING and name != "type"):
            continue
        text = _folded(str(value))
        if text:
            attributes.append((label(name.rpartition("}")[2]), text))
    return attributes


def _is_mixed(node: Element) -> bool:
    """Return whether an element has text between its children."""
    return bool((node.text or "").strip()) or any((child.tail or "").strip() for child in node)


def _folded(text: str) -> str:
    return " ".join(text.split())
