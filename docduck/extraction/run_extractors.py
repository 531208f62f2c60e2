"""Runs the extractors over a document and puts their findings into one result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from docduck.documents.document import Document, Page
from docduck.documents.page_markdown import markdown
from docduck.extraction.added_extractors import added_extractors
from docduck.extraction.arithmetic import check_extraction
from docduck.extraction.extractor import Extractor, Findings
from docduck.extraction.extractors.codes.extractor import CodesExtractor
from docduck.extraction.extractors.layout.extractor import LayoutExtractor
from docduck.extraction.extractors.learned.extractor import LearnedExtractor, layouts_like
from docduck.extraction.extractors.learned.revision import revise
from docduck.extraction.extractors.learned.vocabulary import with_printed_labels, with_taught_labels
from docduck.extraction.extractors.mail.extractor import MailExtractor
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.extractors.prose.extractor import ProseExtractor
from docduck.extraction.extractors.structured.extractor import StructuredExtractor
from docduck.extraction.extractors.value_forms import with_form
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.result import Extraction, Finding, PageFacts
from docduck.extraction.values.storable import is_storable
from docduck.fields import Field, FieldType
from docduck.plugins import broken

__all__ = ["ExtractOptions", "ReadingLocale", "extract_document"]

_SHOWN = 40
"""Characters of a value in a warning."""

_EXACT: tuple[Extractor, ...] = (
    StructuredExtractor(),
    MailExtractor(),
    LearnedExtractor(corrected=True),
    CodesExtractor(),
)
_GENERAL: tuple[Extractor, ...] = (
    ProseExtractor(),
    LayoutExtractor(),
    LearnedExtractor(corrected=False),
)


@cache
def extractors() -> tuple[Extractor, ...]:
    """Return the extractors in their order; those of domains come before the general ones."""
    return (*_EXACT, *added_extractors(), *_GENERAL)


def extract_document(
    document: Document,
    fields: Sequence[Field],
    options: ExtractOptions | None = None,
    model_context: ModelContext | None = None,
) -> Extraction:
    """Return the values of ``fields`` in a document, each with its evidence and confidence.

    Every field is in ``data``; a field with ``extract`` false is left empty. ``model_context`` is for the
    language model of ``options``.
    """
    options = options or ExtractOptions()
    similar = layouts_like(document, options.learned_layouts)
    extracted = [field for field in fields if field.extract]
    labelled = with_taught_labels(extracted, similar, options.learned_layouts)
    options = replace(options, learned_layouts=similar)
    findings = find_values(labelled, document, options)
    usage = None
    if options.model is not None or options.no_model:
        told = with_printed_labels(labelled, similar)
        usage = _read_with_model(told, document, findings, options, model_context or ModelContext())
    revise(document, extracted, findings, options.learned_layouts)
    _leave_out_unstorable(extracted, findings)
    for field in fields:
        if field.required and field.extract and field.type is not FieldType.TABLE:
            _require(field, findings)
    data, metadata = findings.as_json(fields)
    warnings = [*document.warnings, *findings.warnings, *broken("extractors")]
    extraction = Extraction(
        data=data,
        field_metadata=metadata,
        markdown=markdown(document) if options.markdown else "",
        pages=[_facts(page) for page in document.pages],
        page_count=document.page_count,
        content_type=document.content_type,
        warnings=warnings,
        usage=usage,
        extras=findings.extras,
    )
    return check_extraction(extraction, fields)


def find_values(fields: Sequence[Field], document: Document, options: ExtractOptions) -> Findings:
    """Return the likeliest value of each field: among what extractors find, and what else the pages show."""
    findings = run_extractors(fields, document, options)
    if findings.chooser is not None:
        chosen = findings.chooser.choose(findings)
        findings.scalars = {name: found for name, found in findings.scalars.items() if name not in chosen}
        answers = Findings({name: found for name, found in chosen.items() if found is not None})
        findings.add(with_form(answers, list(map(query_of, fields)), findings.scalars))
    return findings


def run_extractors(fields: Sequence[Field], document: Document, options: ExtractOptions) -> Findings:
    """Return the findings of each extractor for the fields that those before it left open.

    A value that can't be that of its field leaves it open.
    """
    findings = Findings()
    every = [query_of(field) for field in fields]
    for extractor in extractors():
        queries = findings.open(every)
        if not queries:
            break
        findings.add(with_form(extractor.find(document, queries, options), every, findings.scalars))
    return findings


def _leave_out_unstorable(fields: Sequence[Field], findings: Findings) -> None:
    """Empty the values that can't be stored, with a warning for each."""

    def is_left_out(field: Field, finding: Finding | None) -> bool:
        if finding is None or is_storable(field.type, finding.value):
            return False
        text = (finding.raw_text or str(finding.value))[:_SHOWN]
        findings.warnings.append(f"'{field.name}' is left empty: '{text}' is beyond what can be stored")
        return True

    for field in fields:
        if field.type is FieldType.TABLE:
            for row in findings.tables.get(field.name, ()):
                for column in field.columns:
                    if is_left_out(column, row.get(column.name)):
                        del row[column.name]
        elif is_left_out(field, findings.scalars.get(field.name)):
            del findings.scalars[field.name]
    findings.extras = findings.extras.filtered(lambda extra: is_storable(FieldType.NUMBER, extra))


def _read_with_model(
    fields: Sequence[Field],
    document: Document,
    findings: Findings,
    options: ExtractOptions,
    model_context: ModelContext,
) -> ModelUsage | None:
    """Improve ``findings`` with the language model; warn if there should be one and is none."""
    if options.model is None:
        if options.no_model:
            findings.warnings.append(f"{options.no_model}; the document was read without one")
        return None
    from docduck.extraction.extractors.model.second_reading import read_with_model

    return read_with_model(document, fields, findings, options.model, options, model_context)


def _require(field: Field, findings: Findings) -> None:
    """Say of a required field without a value that it was not found."""
    finding = findings.scalars.setdefault(field.name, Finding(None, 0.0))
    if finding.value is None:
        message = f"'{field.name}' is required and was not found"
        finding.validation = [{"rule": "required", "message": message}, *finding.validation]


def _facts(page: Page) -> PageFacts:
    source: Literal["text", "ocr", "none"] = "none"
    for line in page.lines:
        if line.words:
            source = line.words[0].source
            break
    return PageFacts(page.number, page.width, page.height, source, page.turn)
