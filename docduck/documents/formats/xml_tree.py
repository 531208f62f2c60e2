"""XML that may be hostile, as a tree: no entities, no network, bounded in size and depth."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import IO, Any, TypeAlias

from lxml import etree

from docduck.errors import DamagedFile

Element: TypeAlias = etree._Element

MAX_XML = 64 * 1024 * 1024
"""Bytes of one XML part that is read whole."""

_SAFE: dict[str, Any] = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}


def parse_xml(data: bytes) -> Element:
    """Return the root of an XML text, without comments and processing instructions; entities are not
    expanded.

    Raise ``DamagedFile`` if it is malformed, too large, or nested deeper than 256 elements.
    """
    if len(data) > MAX_XML:
        raise DamagedFile(f"an XML part of {len(data)} bytes is too large")
    parser = etree.XMLParser(remove_comments=True, remove_pis=True, **_SAFE)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise DamagedFile(f"XML: {error}") from error


def iterate_xml(stream: IO[bytes], *tags: str, starts: Collection[str] = ()) -> Iterator[Element]:
    """Yield the elements with the given tags as they end; each is freed afterwards.

    Elements with the tags ``starts`` are yielded as they begin, with their attributes alone. Raise
    ``DamagedFile`` as ``parse_xml`` does.
    """
    events, tags_ = ("start", "end"), (*tags, *starts)
    try:
        parser = etree.iterparse(stream, events, tag=tags_, remove_comments=True, remove_pis=True, **_SAFE)
        for event, element in parser:
            begins = f"{{*}}{local(element)}" in starts
            if begins == (event == "start"):
                yield element
            if event == "end":
                element.clear(keep_tail=False)
                while element.getprevious() is not None and element.getparent() is not None:
                    del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise DamagedFile(f"XML: {error}") from error


def local(element: Element) -> str:
    """Return an element's tag without its namespace; empty for an entity."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
