"""The job of a run's workers: read and extract a stored file, and write out the files that it contains.

A mail's attachments become documents beside it, an archive's members documents in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from io import BytesIO

from docduck.documents.document import Attachment
from docduck.errors import DocumentError, NoPagesMatch, TooManyPages
from docduck.extraction.jobs.extraction_job import HEAVY, ReadTask, extract, load, read_and_extract
from docduck.extraction.result import Extraction
from docduck.workers.context import Context
from docduck.workers.failure import Failure
from docduck.workers.limits import Limits
from docduck.workers.pool import WorkerPool
from docduck.workers.questions import Responder


@dataclass(frozen=True, slots=True)
class AttachmentOptions:
    """Which of a mail's attachments become documents of their own (see ``mail_expansion.expand``)."""

    parse_body: bool
    accepted: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class ExpandTask:
    """One document to read and extract.

    Without ``attachment_options`` a mail's attachments stay with it. With ``unpack`` an archive's members
    become documents in its place, rather than pages of one document.
    """

    read: ReadTask
    attachment_options: AttachmentOptions | None = None
    unpack: bool = False


@dataclass(frozen=True, slots=True)
class ContainedFile:
    """A file that was inside the document; ``part`` counts them from 1.

    ``name`` is a path, where the document is an archive. ``output`` names the task's output with its bytes.
    """

    part: int
    name: str
    content_type: str
    output: str


@dataclass(frozen=True, slots=True)
class ExpansionResult:
    """A document's extraction, or the ``failure`` it ended with, and its ``files``.

    With neither of the first two, the document is only the container of its files. ``left_out`` names
    attached files that became no documents, in sentences. An archive has ``members`` and nothing else.
    """

    extraction: Extraction | None = None
    failure: Failure | None = None
    files: tuple[ContainedFile, ...] = ()
    left_out: tuple[str, ...] = ()
    members: tuple[ContainedFile, ...] = ()


def read_and_expand(task: ExpandTask, context: Context) -> ExpansionResult:
    """Do ``task``; contained files become its outputs.

    A mail of which ``parsePages`` leaves no page, or too many, still has its files. Raise what
    ``read_and_extract`` raises if there are none.
    """
    if task.unpack and (members := _unpacked(task.read, context)):
        return ExpansionResult(members=members)
    if task.attachment_options is None:
        return ExpansionResult(read_and_extract(task.read, context))
    from docduck.documents.mail_expansion import expand

    refusal: NoPagesMatch | TooManyPages | None = None
    try:
        data, document = load(task.read, context)
    except (NoPagesMatch, TooManyPages) as error:
        refusal = error
        data, document = load(_for_its_files(task.read, context, error), context)
    how = task.attachment_options
    parted = expand(document, how.parse_body, task.read.reading.attachment_types, how.accepted, how.most)
    if refusal is not None and not parted.files:
        raise refusal
    extraction = extract(task.read, data, document, context) if parted.own and refusal is None else None
    if extraction is not None:
        extraction.warnings += parted.left_out
    return ExpansionResult(
        extraction,
        Failure.of(refusal) if parted.own and refusal is not None else None,
        _written(parted.files, context),
        parted.left_out,
    )


def _for_its_files(task: ReadTask, context: Context, error: DocumentError) -> ReadTask:
    """Return ``task`` with the first page alone, if it is for a mail; else raise ``error``."""
    from docduck.documents.detection.content_types import MAILS
    from docduck.documents.detection.sniff import stream_type

    if stream_type(BytesIO(context.read()), task.name) not in MAILS:
        raise error
    return replace(task, reading=replace(task.reading, pages="1"))


def _unpacked(task: ReadTask, context: Context) -> tuple[ContainedFile, ...]:
    """Return the members of an archive; none if it is no archive."""
    from docduck.documents.detection.content_types import UNKNOWN
    from docduck.documents.detection.sniff import content_type
    from docduck.documents.formats.unpacking import is_archive, unpack

    data = context.read()
    if not is_archive(data, task.name):
        return ()
    members = (
        Attachment(one.path, content_type(one.data, one.path) if one.data else UNKNOWN, one.data)
        for one in unpack(data, task.reading)
    )
    return _written(members, context)


def _written(files: Iterable[Attachment], context: Context) -> tuple[ContainedFile, ...]:
    kept: list[ContainedFile] = []
    for part, file in enumerate(files, start=1):
        context.write(f"{part}", file.data)
        kept.append(ContainedFile(part, file.name, file.content_type, f"{part}"))
    return tuple(kept)


def expanding_pool(
    workers: int,
    limits: Limits,
    *,
    tasks_per_worker: int = 1000,
    slow_seconds: float | None = None,
    responder: Responder | None = None,
    most_questions: int = 4,
) -> WorkerPool[ExpandTask, ExpansionResult]:
    """Return a pool whose workers read and extract documents, and write out the files in them."""
    return WorkerPool(
        read_and_expand,
        ExpansionResult,
        workers,
        limits,
        preload=HEAVY,
        tasks_per_worker=tasks_per_worker,
        slow_seconds=slow_seconds,
        responder=responder,
        most_questions=most_questions,
    )
