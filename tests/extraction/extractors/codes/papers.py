"""Documents of codes and lines, and fields, for the tests of this folder."""

from __future__ import annotations

from docduck.documents.document import Barcode, Box, Document, Line, Page, Word
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field


def paper(*lines: tuple[str, float, float], codes: tuple[tuple[str, str], ...] = ()) -> Document:
    """Return a page of lines, each with the left and the top of its first word, and codes by kind."""
    page = []
    for text, left, top in lines:
        words, at = [], left
        for word in text.split():
            words.append(Word(word, Box(at, top, 0.008 * len(word), 0.015), "ocr"))
            at += 0.008 * (len(word) + 1)
        page.append(Line(tuple(words), Box.around(word.box for word in words)))
    barcodes = [
        Barcode(kind, text, Box(0.1, 0.1 + 0.2 * n, 0.2, 0.1)) for n, (kind, text) in enumerate(codes)
    ]
    return Document("image/png", [Page(1, 595, 842, page, barcodes=barcodes)], 1)


def read(document: Document, **types: str) -> Extraction:
    """Return the values of fields by name, with ``_`` for blanks, and type; a choice is that of the sex."""
    fields = []
    for name, type_ in types.items():
        field: dict[str, object] = {"name": name.replace("_", " "), "type": type_}
        if type_ == "choice":
            field["options"] = ["Male", "Female"]
        fields.append(Field.model_validate(field))
    return extract_document(document, fields)
