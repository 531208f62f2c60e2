"""The job of docduck's worker processes: a stored file in, its Extraction out."""

from __future__ import annotations

import json
import math
import pickle
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal

from docduck.documents.model import Document
from docduck.documents.options import ReadOptions
from docduck.extraction.learned.lesson import Lesson
from docduck.extraction.options import ExtractOptions
from docduck.extraction.pool import Limits, WorkerPool
from docduck.extraction.result import Extraction
from docduck.fields import Field

HEAVY = ("docduck.documents.reader", "docduck.extraction.engine")
"""Modules that a worker imports before its first task."""

_SHARE_OF_TIME = 0.9
"""Of a task's time, until when a language model is waited for."""


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One document to read and extract.

    ``path`` is where its bytes stand, ``name`` what people call it, ``fields`` what ``pack_fields``
    made of the parser's fields; workers unpack each such set once. ``lessons`` is a JSON file with an
    array of what the parser has learned, the newest first; its content never changes. What the document
    ``document_id`` itself has taught is left out: it is read as if nobody had corrected it.
    """

    path: Path
    name: str
    fields: bytes
    reading: ReadOptions = field(default_factory=ReadOptions)
    extraction: ExtractOptions = field(default_factory=ExtractOptions)
    lessons: Path | None = None
    document_id: str | None = None


@dataclass(frozen=True, slots=True)
class TeachTask:
    """One document to learn from: its right values ``data`` and those read ``before``, by field name."""

    read: ReadTask
    data: Mapping[str, Any]
    before: Mapping[str, Any]


def pack_fields(fields: Sequence[Field]) -> bytes:
    """Fields as a ReadTask carries them; pack once per parser, not once per document."""
    return pickle.dumps(tuple(fields), pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=256)
def _unpack_fields(packed: bytes) -> tuple[Field, ...]:
    fields: tuple[Field, ...] = pickle.loads(packed)
    return fields


@lru_cache(maxsize=256)
def _barcodes_wanted(packed: bytes) -> Literal["none", "pictures", "all"]:
    from docduck.extraction.codes.fields import barcodes_wanted

    return barcodes_wanted(_unpack_fields(packed))


@lru_cache(maxsize=64)
def _load_lessons(path: Path) -> tuple[Lesson, ...]:
    return tuple(Lesson.from_json(one) for one in json.loads(path.read_bytes()))


def read_and_extract(task: ReadTask, pages: int, seconds: float = math.inf) -> Extraction:
    """Read ``task``'s file, at most ``pages`` pages of it, and extract its fields.

    A language model that would take it over ``seconds`` is not waited for. Raises the DocumentErrors of
    ``docduck.documents.reader.read``.
    """
    deadline = deadline_in(seconds)
    data, document = load(task, pages)
    return extract(task, data, document, deadline)


def deadline_in(seconds: float) -> float:
    """Until when a task that may take ``seconds`` waits for a language model, by the monotonic clock."""
    return time.monotonic() + _SHARE_OF_TIME * seconds


def load(task: ReadTask, pages: int) -> tuple[bytes, Document]:
    """``task``'s file and what was read of it, at most ``pages`` pages.

    Raises the DocumentErrors of ``docduck.documents.reader.read``.
    """
    reading = replace(task.reading, barcodes=_barcodes_wanted(task.fields))
    return read_file(task.path, task.name, reading, pages)


def read_file(path: Path, name: str, reading: ReadOptions, pages: int) -> tuple[bytes, Document]:
    """The file at ``path`` and what was read of it, at most ``pages`` pages.

    Raises the DocumentErrors of ``docduck.documents.reader.read``.
    """
    # Imported in the worker only: the models they bring would weigh on every process that has a pool.
    from docduck.documents.reader import read

    data = path.read_bytes()
    return data, read(data, name, replace(reading, max_pages=min(reading.max_pages, pages)))


def extract(task: ReadTask, data: bytes, document: Document, deadline: float) -> Extraction:
    """The fields of ``task`` from what ``load`` gave."""
    from docduck.extraction.engine import extract_document
    from docduck.extraction.model.aids import Aids

    extraction = task.extraction
    if task.lessons is not None:
        lessons = (one for one in _load_lessons(task.lessons) if one.document_id != task.document_id)
        extraction = replace(extraction, lessons=tuple(lessons))
    return extract_document(document, _unpack_fields(task.fields), extraction, Aids.for_file(data, deadline))


def read_and_teach(task: TeachTask, pages: int) -> Lesson:
    """Read ``task``'s file, at most ``pages`` pages of it, and learn where its values stand.

    Raises the DocumentErrors of ``docduck.documents.reader.read``.
    """
    from docduck.extraction.learned.teach import teach

    _, document = load(task.read, pages)
    return teach(document, _unpack_fields(task.read.fields), task.data, task.before)


def reading_pool(
    workers: int, limits: Limits, *, tasks_per_worker: int = 1000
) -> WorkerPool[ReadTask, Extraction]:
    """A pool whose workers read and extract documents."""
    return WorkerPool(
        partial(read_and_extract, pages=limits.pages, seconds=limits.seconds),
        workers,
        limits,
        preload=HEAVY,
        tasks_per_worker=tasks_per_worker,
    )


def teaching_pool(limits: Limits) -> WorkerPool[TeachTask, Lesson]:
    """A pool of one worker that learns from documents."""
    return WorkerPool(partial(read_and_teach, pages=limits.pages), 1, limits)
