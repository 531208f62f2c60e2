"""The job of docduck's worker processes: a stored file in, its Extraction out."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

from docduck.documents.options import ReadOptions
from docduck.extraction.options import ExtractOptions
from docduck.extraction.pool import Limits, WorkerPool
from docduck.extraction.result import Extraction
from docduck.fields import Field

HEAVY = ("docduck.documents.reader", "docduck.extraction.engine")
"""Modules that a worker imports before its first task."""


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One document to read and extract.

    ``path`` is where its bytes stand, ``name`` what people call it, ``fields`` what ``pack_fields``
    made of the parser's fields; workers unpack each such set once.
    """

    path: Path
    name: str
    fields: bytes
    reading: ReadOptions = field(default_factory=ReadOptions)
    extraction: ExtractOptions = field(default_factory=ExtractOptions)


def pack_fields(fields: Sequence[Field]) -> bytes:
    """Fields as a ReadTask carries them; pack once per parser, not once per document."""
    return pickle.dumps(tuple(fields), pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=256)
def _unpack_fields(packed: bytes) -> tuple[Field, ...]:
    fields: tuple[Field, ...] = pickle.loads(packed)
    return fields


def read_and_extract(task: ReadTask, pages: int) -> Extraction:
    """Read ``task``'s file, at most ``pages`` pages of it, and extract its fields.

    Raises the DocumentErrors of ``docduck.documents.reader.read``.
    """
    # Imported in the worker only: the models they bring would weigh on every process that has a pool.
    from docduck.documents.reader import read
    from docduck.extraction.codes.fields import barcodes_wanted
    from docduck.extraction.engine import extract_document

    fields = _unpack_fields(task.fields)
    options = replace(
        task.reading,
        max_pages=min(task.reading.max_pages, pages),
        barcodes=barcodes_wanted(fields),
    )
    document = read(task.path.read_bytes(), task.name, options)
    return extract_document(document, fields, task.extraction)


def reading_pool(
    workers: int, limits: Limits, *, tasks_per_worker: int = 1000
) -> WorkerPool[ReadTask, Extraction]:
    """A pool whose workers read and extract documents."""
    return WorkerPool(
        partial(read_and_extract, pages=limits.pages),
        workers,
        limits,
        preload=HEAVY,
        tasks_per_worker=tasks_per_worker,
    )
