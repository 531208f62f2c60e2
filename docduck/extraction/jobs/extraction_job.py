"""The job of a worker process that reads a stored file and extracts its fields.

The file is a task's first input. What its parser has learned and its post-processing, if any, follow it.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, Literal

from docduck.documents.document import Document
from docduck.documents.read_options import ReadOptions
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.jobs.kept_pieces import KeptPieces
from docduck.extraction.learned_layout import LayoutFingerprint, LearnedLayout
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extraction, Location, ValueKey
from docduck.fields import Field
from docduck.workers.context import Context
from docduck.workers.pool import Job

_MOST_KEPT_LESSONS = 64


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One document to read and extract.

    ``name`` is the file's name, ``fields`` the parser's fields from ``pack_fields``; workers unpack each set
    once. ``learned_layouts`` names the second input, if there is one: the learned layouts in JSON, the
    newest first, whose content never changes under one name. What ``document_id`` itself has taught is left
    out: the document is read as if nobody had corrected it. ``post_processing`` names the last input, if
    there is one, whose content never changes under one name either. With ``like``, only a document of that
    layout is extracted.
    """

    name: str
    fields: bytes
    reading: ReadOptions = field(default_factory=ReadOptions)
    extraction: ExtractOptions = field(default_factory=ExtractOptions)
    learned_layouts: str | None = None
    document_id: str | None = None
    post_processing: str | None = None
    like: LayoutFingerprint | None = None


@dataclass(frozen=True, slots=True)
class TeachTask:
    """One document to learn from: its right values ``data`` and those read ``before``, by field name.

    ``shown`` are the places, by field name, at which people found values. ``unplaced`` are the values to
    locate, with the place of another value in their row of a table. With ``approved``, a person took all of
    ``data`` as right.
    """

    read: ReadTask
    data: Mapping[str, Any]
    before: Mapping[str, Any]
    shown: Mapping[str, Location] = field(default_factory=dict)
    unplaced: Mapping[ValueKey, Location | None] = field(default_factory=dict)
    approved: bool = False


@dataclass(frozen=True, slots=True)
class Taught:
    """What a document teaches, and where each ``unplaced`` value is printed: nowhere if it is not."""

    layout: LearnedLayout
    places: Sequence[Sequence[Location]]


def pack_fields(fields: Sequence[Field]) -> bytes:
    """Return fields packed for a ReadTask; pack once per parser, not once per document."""
    return pickle.dumps(tuple(fields), pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=256)
def _unpack_fields(packed: bytes) -> tuple[Field, ...]:
    fields: tuple[Field, ...] = pickle.loads(packed)
    return fields


@lru_cache(maxsize=256)
def _barcodes_wanted(packed: bytes) -> Literal["none", "pictures", "all"]:
    from docduck.extraction.extractors.codes.code_fields import barcodes_wanted

    return barcodes_wanted(_unpack_fields(packed))


_lessons: dict[str, tuple[LearnedLayout, ...]] = {}


def _load_layouts(name: str, context: Context) -> tuple[LearnedLayout, ...]:
    """Return the learned layouts of that name, which are read once."""
    from docduck.extraction.extractors.learned.doubts import with_doubts

    if name not in _lessons:
        if len(_lessons) >= _MOST_KEPT_LESSONS:
            _lessons.clear()
        _lessons[name] = with_doubts([LearnedLayout.from_json(item) for item in json.loads(context.read(1))])
    return _lessons[name]


def read_and_extract(task: ReadTask, context: Context) -> Extraction | None:
    """Read ``task``'s file and extract its fields; return None if it has another layout than ``like``.

    Raise the DocumentErrors of ``docduck.documents.reader.read``.
    """
    if task.like is not None:
        from docduck.extraction.extractors.learned.layout_learning import fingerprint_of
        from docduck.extraction.page.page_view import views_of

        # Of other layouts, no more than the first of the pages is read.
        first = replace(task, reading=replace(task.reading, first_only=True))
        data, document = load(first, context)
        if not fingerprint_of(views_of(document)).is_like(task.like):
            return None
        if document.page_count == 1:
            return extract(task, data, document, context)
    data, document = load(task, context)
    return extract(task, data, document, context)


def load(task: ReadTask, context: Context, kept: KeptPieces | None = None) -> tuple[bytes, Document]:
    """Return ``task``'s file and what was read of it; a long document is made up of the ``kept`` pieces.

    Raise the DocumentErrors of ``docduck.documents.reader.read``, and PiecesWanted.
    """
    return read_file(task.name, reading_of(task), context, kept)


def reading_of(task: ReadTask) -> ReadOptions:
    """Return how ``task``'s file is read: codes are looked for if a field is one."""
    return replace(task.reading, barcodes=_barcodes_wanted(task.fields))


def read_file(
    name: str, reading: ReadOptions, context: Context, kept: KeptPieces | None = None
) -> tuple[bytes, Document]:
    """Return the first input and what was read of it; raise as ``load`` does."""
    # Imported in the worker only: the models they bring would weigh on every process that has a pool.
    from docduck.documents.reader import read

    data = context.read()
    pieces = None if kept is None else partial(kept.get, "read", context=context)
    return data, read(data, name, replace(reading, on_pages=context.pages), pieces)


def extract(task: ReadTask, data: bytes, document: Document, context: Context) -> Extraction:
    """Return the fields of ``task`` from what ``load`` returned."""
    from docduck.extraction.extractors.model.model_context import ModelContext
    from docduck.extraction.run_extractors import extract_document

    extraction = task.extraction
    if task.learned_layouts is not None:
        learned_layouts = (
            layout
            for layout in _load_layouts(task.learned_layouts, context)
            if layout.document_id != task.document_id
        )
        extraction = replace(extraction, learned_layouts=tuple(learned_layouts))
    model_context = ModelContext.for_task(data, task, context)
    extracted = extract_document(document, _unpack_fields(task.fields), extraction, model_context)
    return extracted if task.post_processing is None else _post_processed(task, extracted, context)


def _post_processed(task: ReadTask, extraction: Extraction, context: Context) -> Extraction:
    from docduck.extraction.arithmetic import check_extraction, judge
    from docduck.extraction.post_processing.loading import load
    from docduck.extraction.post_processing.post_process import post_process

    last_input = 1 if task.learned_layouts is None else 2
    loaded = load(str(task.post_processing), lambda: context.read(last_input))
    fields = _unpack_fields(task.fields)
    before = judge(fields, extraction.data, extraction.field_metadata, extraction.extras)
    processed = post_process(extraction, loaded.processing, loaded.table, task.extraction.locale.date_order)
    return check_extraction(processed, fields, before)


def read_and_teach(task: TeachTask, context: Context) -> Taught:
    """Read ``task``'s file and learn where its values are.

    Raise the DocumentErrors of ``docduck.documents.reader.read``.
    """
    from docduck.extraction.extractors.learned.layout_learning import learn_layout
    from docduck.extraction.extractors.learned.printed_values import PrintedValues

    _, document = load(task.read, context)
    fields, printed = _unpack_fields(task.read.fields), PrintedValues(document)
    layout = learn_layout(printed, fields, task.data, task.before, task.shown)
    layout = replace(layout, approved=task.approved)
    return Taught(layout, printed.locate(fields, task.data, task.unplaced))


EXTRACTION = Job(read_and_extract, Extraction | None, HEAVY)
"""Read and extract documents."""

TEACHING = Job(read_and_teach, Taught)
"""Learn from documents."""
