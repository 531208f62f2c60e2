"""The second reading of a document, with a language model."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.model.evidence import Evidence
from docduck.extraction.extractors.model.extractor import ModelExtractor
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.extractors.model.reading_comparison import merge_readings
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding
from docduck.fields import Field, FieldType

_CERTAIN = frozenset({"structured", "user", "lookup"})


def read_with_model(
    document: Document,
    fields: Sequence[Field],
    findings: Findings,
    model: ModelOptions,
    options: ExtractOptions,
    model_context: ModelContext,
) -> ModelUsage | None:
    """Improve ``findings`` by what a model reads; return its usage, None if all fields are certain.

    Values that the file states as data, and those it is known not to have, are not asked for.
    """
    tables = options.tables != "disabled"
    open_fields = [
        field
        for field in fields
        if _is_open(field, findings) and (tables or field.type is not FieldType.TABLE)
    ]
    if not open_fields:
        return None
    evidence = Evidence(document)
    reading = ModelExtractor(model, model_context).read(document, open_fields, evidence, options)
    findings.warnings += reading.warnings
    if reading.read:
        merge_readings(reading, findings, open_fields, evidence)
    return reading.usage


def _is_open(field: Field, findings: Findings) -> bool:
    if field.name in findings.absent:
        return False
    if field.type is FieldType.TABLE:
        rows = findings.tables.get(field.name, [])
        return not any(_is_certain(cell) for row in rows for cell in row.values())
    return not _is_certain(findings.scalars.get(field.name))


def _is_certain(finding: Finding | None) -> bool:
    return finding is not None and finding.source in _CERTAIN
