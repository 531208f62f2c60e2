"""The fields of a PDF's form (AcroForm): names, values, states and places."""

from __future__ import annotations

import ctypes
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

import pypdfium2.raw as pdfium

from docduck.documents.document import Box, FormField, Word
from docduck.documents.formats.pdf.drawn_marks import EMPTY, TICKED
from docduck.documents.formats.pdf.frame import Frame
from docduck.documents.formats.pdf.handles import Handle, utf16

MAX_WIDGETS = 2000
"""Fields read of one page."""
MAX_FIELDS = 20_000
"""Fields read of one file; PDFium searches all of them for each."""
_SLACK = 0.002
_middle = attrgetter("middle")

_KINDS: dict[int, Literal["text", "choice", "check", "radio"]] = {
    pdfium.FPDF_FORMFIELD_TEXTFIELD: "text",
    pdfium.FPDF_FORMFIELD_COMBOBOX: "choice",
    pdfium.FPDF_FORMFIELD_LISTBOX: "choice",
    pdfium.FPDF_FORMFIELD_CHECKBOX: "check",
    pdfium.FPDF_FORMFIELD_RADIOBUTTON: "radio",
}


@dataclass(frozen=True, slots=True)
class Widget:
    """A form field on a page, in the page's own coordinates: left, bottom, right, top in points."""

    name: str
    kind: Literal["text", "choice", "check", "radio"]
    value: str
    title: str
    checked: bool
    rectangle: tuple[float, float, float, float]

    def placed(self, number: int, frame: Frame) -> FormField:
        """Return the field on the upright page."""
        box = frame.box(*self.rectangle)
        return FormField(self.name, self.kind, self.value, number, box, self.title, self.checked)


def read_widgets(document: Handle, form: Handle, index: int, most: int = MAX_WIDGETS) -> list[Widget]:
    """Return at most ``most`` fields of page ``index`` (from 0); call it before the page is flattened."""
    page = pdfium.FPDF_LoadPage(document, index)
    if not page:
        return []
    pdfium.FORM_OnAfterLoadPage(page, form)
    try:
        widgets = []
        for at in range(min(pdfium.FPDFPage_GetAnnotCount(page), most)):
            annotation = pdfium.FPDFPage_GetAnnot(page, at)
            if annotation:
                try:
                    widget = _widget(form, annotation)
                finally:
                    pdfium.FPDFPage_CloseAnnot(annotation)
                if widget is not None:
                    widgets.append(widget)
        return widgets
    finally:
        pdfium.FORM_OnBeforeClosePage(page, form)
        pdfium.FPDF_ClosePage(page)


def missing_words(fields: Sequence[FormField], words: Sequence[Word]) -> list[Word]:
    """Return the words of those values, and the marks of those boxes, that the page's text does not show."""
    missing: list[Word] = []
    boxes = sorted((word.box for word in words), key=_middle) if fields else []
    for field in fields:
        first = bisect_left(boxes, field.box.top - _SLACK, key=_middle)
        last = bisect_right(boxes, field.box.bottom + _SLACK, key=_middle)
        if any(_within(boxes[at].centre, field.box) for at in range(first, last)):
            continue
        if field.kind in ("check", "radio"):
            missing.append(Word(TICKED if field.checked else EMPTY, field.box))
        else:
            missing += spread_words(field.value, field.box)
    return missing


def _widget(form: Handle, annotation: Handle) -> Widget | None:
    if pdfium.FPDFAnnot_GetSubtype(annotation) != pdfium.FPDF_ANNOT_WIDGET:
        return None
    if pdfium.FPDFAnnot_GetFlags(annotation) & pdfium.FPDF_ANNOT_FLAG_HIDDEN:
        return None
    kind = _KINDS.get(pdfium.FPDFAnnot_GetFormFieldType(form, annotation))
    rectangle = pdfium.FS_RECTF()
    if kind is None or not pdfium.FPDFAnnot_GetRect(annotation, ctypes.byref(rectangle)):
        return None
    checked = False
    if kind in ("check", "radio"):
        checked = bool(pdfium.FPDFAnnot_IsChecked(form, annotation))
        value = utf16(pdfium.FPDFAnnot_GetFormFieldExportValue, form, annotation)
    elif kind == "choice":
        value = _chosen(form, annotation) or utf16(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    else:
        value = utf16(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    return Widget(
        utf16(pdfium.FPDFAnnot_GetFormFieldName, form, annotation),
        kind,
        value.replace("\r\n", "\n").replace("\r", "\n").strip(),
        utf16(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation).strip(),
        checked,
        (rectangle.left, rectangle.bottom, rectangle.right, rectangle.top),
    )


def _chosen(form: Handle, annotation: Handle) -> str:
    """Return the labels of the entries of a list that are chosen; empty for free text."""
    count = min(pdfium.FPDFAnnot_GetOptionCount(form, annotation), MAX_WIDGETS)
    chosen = (at for at in range(count) if pdfium.FPDFAnnot_IsOptionSelected(form, annotation, at))
    return "\n".join(utf16(pdfium.FPDFAnnot_GetOptionLabel, form, annotation, at) for at in chosen)


def _within(centre: float, field: Box) -> bool:
    return field.left - _SLACK <= centre <= field.right + _SLACK


def spread_words(text: str, box: Box) -> list[Word]:
    """Return the words of ``text`` spread over a box, line by line."""
    lines = [line for line in text.split("\n") if line.strip()]
    longest = max((len(line) for line in lines), default=0)
    words: list[Word] = []
    for row, line in enumerate(lines):
        top, height = box.top + box.height * row / len(lines), box.height / len(lines)
        at = 0
        for part in line.split():
            at = line.index(part, at)
            left = box.left + box.width * at / longest
            words.append(Word(part, Box(left, top, box.width * len(part) / longest, height)))
            at += len(part)
    return words
