"""Dynamic XFA forms: PDFs whose only page asks for another viewer, and whose values are in XML beside it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence

import pypdfium2.raw as pdfium
from lxml import etree

from docduck.documents.formats.flow.blocks import Section
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.markup.xml import xml_sections
from docduck.documents.formats.pdf.handles import Handle, open_page
from docduck.documents.formats.xml_tree import MAX_XML, Element, local, parse_xml
from docduck.errors import DamagedFile, UnsupportedForm

_MOST_PACKETS = 100
_LONGEST_NAME = 256
_MOST_PRINTED = 10_000
"""Characters of a page that only asks for another viewer."""


class XfaForm(FlowReader):
    """The values of a dynamic form, each beside the caption of its field."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = sections

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return the form's values in their order."""
        return self._sections


def dynamic_form(document: Handle) -> XfaForm | None:
    """Return the dynamic form that a PDF is; None for other PDFs.

    Raise ``UnsupportedForm`` if its values can't be read.
    """
    kind = pdfium.FPDF_GetFormType(document)
    if kind not in (pdfium.FORMTYPE_XFA_FULL, pdfium.FORMTYPE_XFA_FOREGROUND):
        return None
    packets = dict(_packets(document))
    try:
        # A form in one packet has everything in it.
        tree = parse_xml(packets.get("datasets") or b"".join(packets.values()))
        data = next((node for node in tree.iter() if local(node) == "data"), None)
        values = [node for node in data if local(node)] if data is not None else []
        texts = {text for value in values for node in value.iter() if (text := (node.text or "").strip())}
        if kind == pdfium.FORMTYPE_XFA_FOREGROUND and not (texts and _is_placeholder(document, texts)):
            return None
        if not texts:
            raise UnsupportedForm()
        return XfaForm(xml_sections(_joined(values), _captions(packets, tree)))
    except DamagedFile as error:
        if kind == pdfium.FORMTYPE_XFA_FOREGROUND:
            return None
        raise UnsupportedForm() from error


def _is_placeholder(document: Handle, texts: Iterable[str]) -> bool:
    """Return whether the file has a single page, without fields, that shows none of the form's values."""
    if pdfium.FPDF_GetPageCount(document) != 1:
        return False
    with open_page(document, 0) as page:
        if pdfium.FPDFPage_GetAnnotCount(page):
            return False
        handle = pdfium.FPDFText_LoadPage(page)
        try:
            count = min(max(pdfium.FPDFText_CountChars(handle), 0), _MOST_PRINTED)
            buffer = (ctypes.c_ushort * (count + 1))()
            pdfium.FPDFText_GetText(handle, 0, count, buffer)
        finally:
            pdfium.FPDFText_ClosePage(handle)
    printed = bytes(buffer).decode("utf-16-le", "replace")
    return count < _MOST_PRINTED and not any(text in printed for text in texts)


def _packets(document: Handle) -> list[tuple[str, bytes]]:
    """Return the parts of the form's XML with their names."""
    packets: list[tuple[str, bytes]] = []
    left = MAX_XML
    for index in range(min(pdfium.FPDF_GetXFAPacketCount(document), _MOST_PACKETS)):
        name = ctypes.create_string_buffer(_LONGEST_NAME)
        pdfium.FPDF_GetXFAPacketName(document, index, name, _LONGEST_NAME)
        size = ctypes.c_ulong()
        pdfium.FPDF_GetXFAPacketContent(document, index, None, 0, ctypes.byref(size))
        left -= size.value
        if left < 0:
            raise UnsupportedForm()
        buffer = (ctypes.c_char * max(size.value, 1))()
        pdfium.FPDF_GetXFAPacketContent(document, index, buffer, size.value, ctypes.byref(size))
        packets.append((name.value.decode("utf-8", "replace"), buffer.raw[: size.value]))
    return packets


def _joined(nodes: Sequence[Element]) -> bytes:
    """Return the values' elements below one."""
    if len(nodes) == 1:
        return bytes(etree.tostring(nodes[0], with_tail=False))
    root = etree.Element("form")
    root.extend(nodes)
    return bytes(etree.tostring(root))


def _captions(packets: Mapping[str, bytes], tree: Element) -> dict[str, str]:
    """Return the captions of the form's fields by their names, those that are not ambiguous."""
    try:
        template = parse_xml(packets["template"]) if packets.get("template") else tree
    except DamagedFile:
        return {}
    found: dict[str, set[str]] = {}
    for field in template.iter("{*}field"):
        name, caption = field.get("name"), field.find("{*}caption")
        text = " ".join("".join(caption.itertext()).split()) if caption is not None else ""
        if name and text:
            found.setdefault(name, set()).add(text.rstrip(" :"))
    return {name: next(iter(texts)) for name, texts in found.items() if len(texts) == 1}
