"""Finds values and tables in a document, each with its location and a confidence.

``run_extractors`` runs the ``extractors`` in order for the ``fields``, resolved to queries; ``jobs`` does it
in worker processes. ``triage`` classifies and splits documents, ``suggest`` proposes fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docduck.fields import Field, parse_fields

if TYPE_CHECKING:
    from docduck.extraction.options import Mode
    from docduck.extraction.result import Extraction


def extract(
    source: str | Path | bytes, fields: Sequence[Field] | Any, mode: Mode = "balanced", name: str = ""
) -> Extraction:
    """Read a file, a path or bytes, and return the values of ``fields`` in it.

        extraction = docduck.extract("invoice.pdf", [{"name": "Total", "type": "currency"}])
        print(extraction.data["Total"], extraction.field_metadata["Total"]["confidence"])

    ``fields`` are Field objects or the API's JSON shape. Mode ``accurate`` also uses the language model
    of the settings. Raise InputError for invalid fields and DocumentError (EmptyFile,
    DamagedFile …) for a file that can't be read.
    """
    from docduck.documents.read_options import ReadOptions
    from docduck.documents.reader import read
    from docduck.extraction.extraction_settings import extract_options
    from docduck.extraction.extractors.codes.code_fields import barcodes_wanted
    from docduck.extraction.extractors.model.model_context import ModelContext
    from docduck.extraction.options import OCR
    from docduck.extraction.run_extractors import extract_document
    from docduck.settings import settings

    parsed = fields if _are_fields(fields) else parse_fields(fields)
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    title = name or ("" if isinstance(source, bytes) else Path(source).name)
    if mode not in OCR:
        from docduck.errors import InputError

        raise InputError(f"Mode '{mode}' is not known; choose fast, balanced or accurate", "mode")
    reading = ReadOptions(ocr=OCR[mode], barcodes=barcodes_wanted(parsed))
    document = read(data, title, reading)
    options = extract_options(settings(), mode)
    extraction = extract_document(document, parsed, options, ModelContext.for_file(data, title))
    return extraction.complete(parsed)


def _are_fields(fields: Any) -> bool:
    return isinstance(fields, (list, tuple)) and all(isinstance(field, Field) for field in fields)
