"""XML to a tree without name spaces, safely: no entities, no network, bounded size and depth."""

from __future__ import annotations

from typing import Any

from lxml import etree

from docduck.errors import DamagedFile

MAX_BYTES = 50_000_000
MAX_ELEMENTS = 1_000_000

Element = Any
"""An element of lxml, which has no types of its own."""


def parse_xml(data: bytes) -> Element:
    """The root of ``data``, with local names as tags, comments and processing instructions left out.

    A wrong encoding declaration is put right. Entities are never expanded, and nesting deeper than 256 or
    a text past 10 MB is refused, as libxml2 does by default. Raises ``DamagedFile``.
    """
    if len(data) > MAX_BYTES or data.count(b"<") > 2 * MAX_ELEMENTS + 100:
        raise DamagedFile(f"the XML is too large: {len(data)} bytes")
    data = data.lstrip(b" \t\r\n\x00") if data[:1] in b" \t\r\n" else data
    try:
        root = _parse(data, None)
    except etree.XMLSyntaxError as error:
        try:
            root = _parse(data, _real_encoding(data))
        except (etree.XMLSyntaxError, LookupError, ValueError):
            raise DamagedFile(f"XML: {error}") from error
    except ValueError as error:
        raise DamagedFile(f"XML: {error}") from error
    for element in root.iter(etree.Element):
        tag = element.tag
        if isinstance(tag, str) and tag[:1] == "{":
            element.tag = tag[tag.index("}") + 1 :]
    return root


def _parse(data: bytes, encoding: str | None) -> Element:
    parser = etree.XMLParser(
        encoding=encoding,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    root = etree.fromstring(data, parser)
    if root is None:
        raise ValueError("no root element")
    return root


def _real_encoding(data: bytes) -> str:
    """The encoding of bytes that are not what their declaration says."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"
