"""From bytes to the model, whatever the syntax and the envelope."""

from __future__ import annotations

import base64
import re
from itertools import islice

from lxml import etree

from docduck.documents.detection.encoding import decode_text
from docduck.documents.detection.signed_envelope import is_signed, opened
from docduck.documents.formats.einvoice.mapping import read, syntaxes
from docduck.documents.formats.einvoice.model import Invoice
from docduck.documents.formats.xml_tree import MAX_XML, Element, local, parse_xml
from docduck.errors import DamagedFile, DocumentError

MAX_ELEMENTS = 1_000_000

_DECLARATION = re.compile(r"<\?xml\b[^>]{0,500}\?>")

_DEPTH = 10
"""Nesting of envelopes (StandardBusinessDocument, SOAP, ds:Object) in which a document is searched."""
_MOST_ELEMENTS = 200
"""Elements of one level of envelopes."""
_MOST_PACKED = 3
"""Documents within one another that are the text of an element, as base64 or escaped XML."""
_HEAD = 10
"""Bytes in which an XML begins, after its byte order mark."""
_LEAST_PACKED = 100
"""Characters of such a text."""


def parse_invoice(data: bytes) -> Invoice | None:
    """Return the invoice or order in ``data``, XML or a signed envelope with XML; None when it is neither.

    Raise ``DamagedFile`` when it can't be parsed.
    """
    return invoice_of(plain_tree(opened(data)[0] if is_signed(data) else data))


def invoice_of(root: Element, packed: int = _MOST_PACKED) -> Invoice | None:
    """Return the invoice in a tree of ``plain_tree``, which it may rename; None if it holds none.

    Texts that are documents themselves are searched as well, ``packed`` of them within one another.
    """
    level = [root]
    texts: list[str] = []
    for _ in range(_DEPTH):
        for element in level:
            for syntax in syntaxes():
                if element.tag in syntax.roots and etree.XPath(syntax.proof)(element):
                    return read(syntax, element)
            if not len(element) and len(element.text or "") >= _LEAST_PACKED:
                texts.append(element.text or "")
        children = (child for element in level for child in element if isinstance(child.tag, str))
        level = list(islice(children, _MOST_ELEMENTS))
    return next(filter(None, (_packed_invoice(text, packed - 1) for text in texts)), None) if packed else None


def _packed_invoice(text: str, packed: int) -> Invoice | None:
    """Return the invoice in an element's text, which is XML, or XML or a signed envelope in base64."""
    if len(text) > MAX_XML:
        return None
    try:
        is_escaped = text.lstrip().startswith("<")
        data = text.encode() if is_escaped else base64.b64decode("".join(text.split()), validate=True)
        content, _ = opened(data)
        return invoice_of(plain_tree(content), packed) if b"<" in content[:_HEAD] else None
    except (ValueError, DocumentError):
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
