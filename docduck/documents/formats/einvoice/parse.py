"""From bytes to the model, whatever the syntax and the envelope."""

from __future__ import annotations

import re

from lxml import etree

from docduck.documents.detection.encoding import decode_text
from docduck.documents.detection.signed_envelope import is_signed, signed_content
from docduck.documents.formats.einvoice.mapping import read, syntaxes
from docduck.documents.formats.einvoice.model import Invoice
from docduck.documents.formats.xml_tree import MAX_XML, Element, local, parse_xml
from docduck.errors import DamagedFile

MAX_ELEMENTS = 1_000_000

_DECLARATION = re.compile(r"<\?xml\b[^>]{0,500}\?>")

_DEPTH = 5
"""Nesting of envelopes (StandardBusinessDocument, SOAP) in which a document is searched."""


def parse_invoice(data: bytes) -> Invoice | None:
    """Return the invoice or order in ``data``, XML or a signed envelope with XML; None when it is neither.

    Raise ``DamagedFile`` when it can't be parsed.
    """
    return invoice_of(plain_tree(signed_content(data) if is_signed(data) else data))


def invoice_of(root: Element) -> Invoice | None:
    """Return the invoice in a tree of ``plain_tree``, which it may rename; None if it holds none."""
    level = [root]
    for _ in range(_DEPTH):
        for element in level:
            for syntax in syntaxes():
                if element.tag in syntax.roots and etree.XPath(syntax.proof)(element):
                    return read(syntax, element)
        level = [child for element in level for child in element if isinstance(child.tag, str)][:200]
    return None


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
