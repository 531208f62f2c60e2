"""Suggestions of fields from a sample document, made in a worker process."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from docduck.errors import DocumentError, InputError, UnsupportedFile, UnsupportedType
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.document_job import DocumentTask, document_job, suggest, suggest_with_model
from docduck.extraction.result import CONFIDENCE_DIGITS, Extraction
from docduck.fields import Field
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.parsers.parser_settings import read_settings, reading_of
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.side_reading import read_aside, usable_model
from docduck.workers.pool import Job

MAX_SAMPLES = 5
SUGGEST_SECONDS = 60
ALL_SAMPLES_SECONDS = 40
"""After these, no further sample is begun."""
_SHOWN_ROWS = 3


@dataclass(frozen=True, slots=True)
class Sample:
    """A stored file, and the sender's name for it."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class FoundValue:
    """What a sample has for a field; of a table, the first rows, and ``row_count``, the number of all."""

    value: Any
    page: int | None
    confidence: float | None
    row_count: int | None = None


@dataclass(frozen=True, slots=True)
class SuggestedFields:
    """Fields found on samples, those on most samples first.

    ``found`` has for each sample what it has for the fields, and ``found_on`` the number of samples that have
    a field, both by its name.
    """

    fields: Sequence[Field]
    found: Sequence[Mapping[str, FoundValue]]
    found_on: Mapping[str, int]


def sample_of(inst: Installation, team_id: str, parser_id: str, document_id: str) -> Sample:
    """Return a document of the parser as a sample.

    Raise NotFound, and InputError for a document of another parser.
    """
    with inst.catalog.read_session() as session:
        document = get_parser_document(session, team_id, parser_id, document_id)
        return Sample(document.file_name, document.sha256)


def suggest_fields(
    inst: Installation, team_id: str, parser_id: str, samples: Sequence[Sample], *, use_model: bool = False
) -> SuggestedFields:
    """Return the fields that were found on the samples, as those of one kind of documents.

    They are read with the parser's settings; with ``use_model``, the language model proposes further ones.
    Raise Conflict if there is none or the team's budget for it is spent, NotFound for the parser,
    UnsupportedType or InputError for an unreadable file, InputError if they take too long together, and
    Transient if the side workers are busy.
    """
    from docduck.extraction.fields.merging import merge_suggestions

    end = time.monotonic() + ALL_SAMPLES_SECONDS
    readings: list[Extraction] = []
    for sample in samples:
        if readings and time.monotonic() >= end:
            words = "No time is left for this sample: send fewer or shorter ones"
            raise InputError(f"{sample.name}: {words}", "samples")
        readings.append(read_sample(inst, team_id, parser_id, sample, use_model=use_model))
    merged = merge_suggestions(readings)
    values = [
        {name: found_value(reading, own) for name, own in names.items()}
        for reading, names in zip(readings, merged.names, strict=True)
    ]
    return SuggestedFields(merged.fields, values, merged.found_on)


def read_sample(
    inst: Installation, team_id: str, parser_id: str, sample: Sample, *, use_model: bool = False
) -> Extraction:
    """Return what the suggested ``fields`` read from a sample; raise the errors of ``suggest_fields``."""
    parser = get_parser(inst, team_id, parser_id)
    settings = read_settings(parser.settings)
    reading = reading_of(settings, inst.settings)
    limits = worker_limits(inst.settings, SUGGEST_SECONDS)
    model = usable_model(inst, team_id, settings.model) if use_model else None
    work = partial(suggest_with_model, model=model.for_worker()) if model else suggest
    task = DocumentTask(sample.name, work, reading)
    files = map(inst.files.local, [sample.sha256])
    job: Job[DocumentTask[Extraction], Extraction] = document_job(Extraction)
    outcome = read_aside(inst, "samples", team_id, job, limits, task, files, model)
    error = outcome.error
    if isinstance(error, UnsupportedFile):
        raise UnsupportedType(error.content_type or "unknown") from error
    if isinstance(error, DocumentError):
        raise InputError(f"{task.name}: {error.message}", "file") from error
    if error is not None:
        raise error
    assert outcome.result is not None
    return outcome.result


def found_value(reading: Extraction, name: str) -> FoundValue:
    """Return what a reading has for the field ``name``."""
    value, entry = reading.data[name], reading.field_metadata[name]
    if isinstance(entry, list):
        cells = [cell for row in entry for cell in row.values() if cell["confidence"] is not None]
        page = min((cell["page"] for cell in cells if cell["page"]), default=None)
        confidence = round(fmean(cell["confidence"] for cell in cells), CONFIDENCE_DIGITS) if cells else None
        return FoundValue(value[:_SHOWN_ROWS], page, confidence, len(value))
    return FoundValue(value, entry["page"], entry["confidence"])
