"""The job of a worker process that makes the fields of a new parser from samples, and reads them so."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any

from docduck.documents.read_options import ReadOptions
from docduck.errors import DocumentError, InputError
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType
from docduck.ids import new_field_id
from docduck.workers.context import Context
from docduck.workers.pool import Job

if TYPE_CHECKING:
    from docduck.documents.document import Document


@dataclass(frozen=True, slots=True)
class SetupTask:
    """Samples to read, the inputs in their order, called ``names``.

    ``truths`` are the right values of each by field name, if they are known: the fields are then theirs.
    Else they are ``fields``, or suggested if there are none.
    """

    names: Sequence[str]
    fields: tuple[Field, ...] = ()
    truths: Sequence[Mapping[str, Any]] | None = None
    reading: ReadOptions = field(default_factory=ReadOptions)
    extraction: ExtractOptions = field(default_factory=ExtractOptions)
    seconds: float = inf
    """After these, no further sample is begun to be read."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Fields with ids, and what each sample that was read in time has for them; the last may be missing.

    Where the truth is known, ``truths`` have it in JSON's notation, and ``lessons`` are what each sample
    teaches. ``unprinted`` are the names of fields whose value is printed on no sample.
    """

    fields: tuple[Field, ...] = ()
    readings: tuple[Extraction, ...] = ()
    truths: tuple[dict[str, Any], ...] = ()
    lessons: tuple[LearnedLayout, ...] = ()
    unprinted: tuple[str, ...] = ()


def set_up(task: SetupTask, context: Context) -> SetUp:
    """Read the samples, and return the fields and what they read.

    Raise InputError for a sample that can't be read, and for values that no field can have.
    """
    from docduck.extraction.run_extractors import extract_document

    documents = _read(task, context)
    if task.truths is not None:
        return _of_truth(task, documents, task.truths)
    fields = _identified(task.fields or _suggested(documents))
    readings = [extract_document(document, fields, task.extraction) for document in documents]
    if not task.fields:
        # On all samples, further fields compete for the values.
        fields = tuple(
            each for each in fields if any(reading.data[each.name] not in (None, []) for reading in readings)
        )
    return SetUp(fields, tuple(reading.complete(fields) for reading in readings))


def _read(task: SetupTask, context: Context) -> list[Document]:
    from docduck.documents.reader import read

    end = time.monotonic() + task.seconds
    reading = replace(task.reading, on_pages=context.pages)
    documents: list[Document] = []
    for number, name in enumerate(task.names):
        if documents and time.monotonic() > end:
            break
        try:
            documents.append(read(context.read(number), name, reading))
        except DocumentError as error:
            raise InputError(f"{name}: {error.message}", f"samples.{number}") from error
    return documents


def _suggested(documents: Sequence[Document]) -> Sequence[Field]:
    from docduck.extraction.fields.merging import merge_suggestions
    from docduck.extraction.suggest.suggester import read_suggestions

    return merge_suggestions([read_suggestions(document) for document in documents]).fields


def _of_truth(task: SetupTask, documents: Sequence[Document], truths: Sequence[Mapping[str, Any]]) -> SetUp:
    from docduck.extraction.extractors.learned.layout_learning import learn_layout
    from docduck.extraction.extractors.learned.printed_values import PrintedValues
    from docduck.extraction.run_extractors import extract_document
    from docduck.extraction.suggest.truth_fields import fields_of_truth, typed_truth
    from docduck.extraction.suggest.truth_labels import PrintedTruth, with_printed_labels

    plain = fields_of_truth(truths)
    typed = [typed_truth(plain, truth, task.extraction.locale.date_order) for truth in truths]
    samples = [
        PrintedTruth(PrintedValues(document), truth)
        for document, truth in zip(documents, typed, strict=False)
    ]
    fields = _identified(with_printed_labels(plain, samples))
    readings = [extract_document(document, fields, task.extraction) for document in documents]
    lessons = (
        learn_layout(sample.printed, fields, sample.truth, reading.data)
        for sample, reading in zip(samples, readings, strict=True)
    )
    unprinted = (
        each.name
        for each in fields
        if each.type not in (FieldType.TABLE, FieldType.BOOLEAN)
        and not any(sample.places(each) for sample in samples)
    )
    return SetUp(
        fields,
        tuple(reading.complete(fields) for reading in readings),
        tuple(typed[: len(readings)]),
        tuple(lessons),
        tuple(unprinted),
    )


def _identified(fields: Sequence[Field]) -> tuple[Field, ...]:
    """Return the fields and their columns with new ids."""
    return tuple(
        each.model_copy(update={"id": new_field_id(), "columns": _identified(each.columns)})
        for each in fields
    )


SETTING_UP = Job(set_up, SetUp, HEAVY)
"""Set up parsers."""
