"""The job of a run's workers: a stored file in, its Extraction out, and the files that it contains.

A mail's attachments become documents beside it, an archive's members take its place. They are stored by the
worker, so that no bytes travel between processes. Until their documents are registered they are files that
nobody refers to, and are swept like those if that never comes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from docduck.documents.model import Attachment
from docduck.errors import DocumentError, NoPagesMatch, TooManyPages
from docduck.extraction.job import HEAVY, ReadTask, deadline_in, extract, load, read_and_extract
from docduck.extraction.pool import Limits, WorkerPool
from docduck.extraction.result import Extraction
from docduck.files import FileStore


@dataclass(frozen=True, slots=True)
class Parting:
    """Which of a mail's attachments become documents of their own (see ``documents.mail.parts.expand``)."""

    parse_body: bool
    accepted: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class ExpandTask:
    """One document to read and extract.

    ``parting`` is None where a mail's attachments stay with it; ``unpack`` says whether an archive's members
    take its place, rather than be pages of one document.
    """

    read: ReadTask
    parting: Parting | None = None
    unpack: bool = False


@dataclass(frozen=True, slots=True)
class ContainedFile:
    """A file that was inside the document and is in the store now; ``part`` counts them from 1.

    ``name`` is a path, where the document is an archive.
    """

    part: int
    name: str
    content_type: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Expanded:
    """What came of a document: its extraction, or the ``error`` it ended with, and its ``files``.

    Neither of the first two means that the document is but the cover of its files. ``left_out`` names
    attached files that were not taken, in sentences. An archive has ``members`` and nothing else.
    """

    extraction: Extraction | None = None
    error: DocumentError | None = None
    files: tuple[ContainedFile, ...] = ()
    left_out: tuple[str, ...] = ()
    members: tuple[ContainedFile, ...] = ()


def read_and_expand(task: ExpandTask, store: Path, pages: int, seconds: float = math.inf) -> Expanded:
    """Do ``task``; contained files come into the file store at ``store``.

    A mail of which ``parsePages`` leaves no page, or too many, has its files nevertheless. Raises what
    ``read_and_extract`` does, where there are no files.
    """
    if task.unpack and (members := _unpacked(task.read, store)):
        return Expanded(members=members)
    if task.parting is None:
        return Expanded(read_and_extract(task.read, pages, seconds))
    from docduck.documents.mail.parts import expand

    deadline = deadline_in(seconds)
    refusal: NoPagesMatch | TooManyPages | None = None
    try:
        data, document = load(task.read, pages)
    except (NoPagesMatch, TooManyPages) as error:
        refusal = error
        data, document = load(_for_its_files(task.read, error), pages)
    how = task.parting
    parted = expand(document, how.parse_body, task.read.reading.attachment_types, how.accepted, how.most)
    if refusal is not None and not parted.files:
        raise refusal
    extraction = extract(task.read, data, document, deadline) if parted.own and refusal is None else None
    if extraction is not None:
        extraction.warnings += parted.left_out
    return Expanded(
        extraction,
        refusal if parted.own else None,
        _stored(parted.files, store) if parted.files else (),
        parted.left_out,
    )


def _for_its_files(task: ReadTask, error: DocumentError) -> ReadTask:
    """``task`` with the first page alone, if it is for a mail; else raise ``error``."""
    from docduck.documents.mail.reader import MailReader
    from docduck.documents.sniff import stream_type

    with task.path.open("rb") as stream:
        kind = stream_type(stream, task.name)
    if kind not in MailReader.content_types:
        raise error
    return replace(task, reading=replace(task.reading, pages="1"))


def _unpacked(task: ReadTask, store: Path) -> tuple[ContainedFile, ...]:
    """The members of an archive, stored; none where it is no archive."""
    from docduck.documents.sniff import UNKNOWN, content_type
    from docduck.documents.unpacking import is_archive, unpack

    data = task.path.read_bytes()
    if not is_archive(data, task.name):
        return ()
    members = (
        Attachment(one.path, content_type(one.data, one.path) if one.data else UNKNOWN, one.data)
        for one in unpack(data, task.reading)
    )
    return _stored(members, store)


def _stored(files: Iterable[Attachment], store: Path) -> tuple[ContainedFile, ...]:
    kept: list[ContainedFile] = []
    with FileStore(store).batch() as batch:
        for part, file in enumerate(files, start=1):
            stored = batch.add(io.BytesIO(file.data))
            kept.append(ContainedFile(part, file.name, file.content_type, stored.sha256, stored.size))
    return tuple(kept)


def expanding_pool(
    workers: int, limits: Limits, store: Path, *, tasks_per_worker: int = 1000
) -> WorkerPool[ExpandTask, Expanded]:
    """A pool whose workers read and extract documents, and store the files in them at ``store``."""
    return WorkerPool(
        partial(read_and_expand, store=store, pages=limits.pages, seconds=limits.seconds),
        workers,
        limits,
        preload=HEAVY,
        tasks_per_worker=tasks_per_worker,
    )
