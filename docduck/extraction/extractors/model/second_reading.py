"""The second reading of a document, with a language model."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.model.doubts import asked_for
from docduck.extraction.extractors.model.evidence import Evidence
from docduck.extraction.extractors.model.extractor import ModelExtractor
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.extractors.model.reading_comparison import merge_readings
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field


def read_with_model(
    document: Document,
    fields: Sequence[Field],
    findings: Findings,
    model: ModelOptions,
    options: ExtractOptions,
    model_context: ModelContext,
) -> ModelUsage | None:
    """Improve ``findings`` by what a model reads; return its usage, None if it is asked for nothing.

    Values that the file states as data, and those it is known not to have, are never asked for.
    """
    wanted = asked_for(fields, findings, options)
    if not wanted:
        return None
    evidence = Evidence(document)
    reading = ModelExtractor(model, model_context).read(document, wanted, evidence, options)
    findings.warnings += reading.warnings
    if reading.read:
        merge_readings(reading, findings, fields, document, evidence)
    return reading.usage
