"""XML as a tree without name spaces."""

from __future__ import annotations

import re

from docduck.documents.detection.encoding import decode_text
from docduck.documents.formats.xml_tree import MAX_XML, Element, local, parse_xml
from docduck.errors import DamagedFile

MAX_ELEMENTS = 1_000_000

_DECLARATION = re.compile(r"<\?xml\b[^>]{0,500}\?>")


def plain_tree(data: bytes) -> Element:
    """Return the root of ``data``, with local names as tags; a wrong encoding declaration is put right.

    Raise ``DamagedFile`` as ``parse_xml`` does, and for more than ``MAX_ELEMENTS`` elements.
    """
    if data.count(b"<") > 2 * MAX_ELEMENTS + 100:
        raise DamagedFile("the XML has too many elements")
    data = data.lstrip(b" \t\r\n")
    try:
        root = parse_xml(data)
    except DamagedFile:
        if len(data) > MAX_XML:
            raise
        text = decode_text(data).lstrip("\ufeff")
        declared = _DECLARATION.match(text)
        root = parse_xml(text[declared.end() if declared else 0 :].encode())
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = local(element)
    return root
