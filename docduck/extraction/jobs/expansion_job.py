"""The job of a run's workers: read a stored file, and extract its values or classify it.

Files that it contains are written out: a mail's attachments become documents beside it, an archive's members
and the parts of a split PDF documents in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from io import BytesIO

from docduck.documents.detection.content_types import PDF
from docduck.documents.document import Attachment, Document
from docduck.errors import DocumentError, NoPagesMatch, TooManyPages
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.jobs.classify_step import (
    ClassifyStep,
    Gate,
    GateDecision,
    classify_document,
    decide,
)
from docduck.extraction.jobs.extraction_job import ReadTask, extract, load, reading_of
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.jobs.kept_pieces import PIECE_OUTPUT, KeptPieces, Pieces, PiecesWanted, Purpose
from docduck.extraction.jobs.split_step import SplitStep, is_one_document, part_files, split_file
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.result import Extraction
from docduck.extraction.triage.classify.labels import Classification
from docduck.extraction.triage.split.parts import Split
from docduck.workers.context import Context
from docduck.workers.failure import Failure
from docduck.workers.pool import Job

NO_FOLDER = "The language model could not be used to choose a folder, so it was put in none"
"""The warning of a document whose folder a model should have chosen."""

MOST_KEPT_TEXT = 20_000
"""Characters of a document's text that are returned where it is kept."""


@dataclass(frozen=True, slots=True)
class AttachmentOptions:
    """Which of a mail's attachments become documents of their own (see ``mail_expansion.expand``)."""

    parse_body: bool | None
    accepted: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a long document, read for ``purpose``: its pages, and whether they are the first."""

    purpose: Purpose
    pages: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class ExpandTask:
    """One document to read and extract.

    Without ``attachment_options`` a mail's attachments stay with it. With ``unpack`` an archive's members
    become documents in its place, rather than pages of one document; with ``split`` so do the parts of a PDF.
    A document that its ``gate`` refuses is not extracted. With ``classify`` it is classified instead.
    Of an extracted document the folder is chosen among the labels of ``folders``. With ``keep_text`` the
    beginning of its text is returned.

    Without ``kept`` a long document is read at once, else from its kept pieces. With ``piece`` only that is
    read: it becomes the task's output.
    """

    read: ReadTask
    attachment_options: AttachmentOptions | None = None
    unpack: bool = False
    split: SplitStep | None = None
    gate: Gate | None = None
    classify: ClassifyStep | None = None
    folders: ClassifyStep | None = None
    keep_text: bool = False
    kept: KeptPieces | None = None
    piece: Piece | None = None


@dataclass(frozen=True, slots=True)
class ContainedFile:
    """A file that was inside the document; ``part`` counts them from 1.

    ``name`` is a path, where the document is an archive, and empty for a part of a PDF, which has ``pages``
    and may have a ``key``. ``output`` names the task's output with its bytes.
    """

    part: int
    name: str
    content_type: str
    output: str
    pages: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class ExpansionResult:
    """A document's extraction, or the ``failure`` it ended with, and its ``files``.

    With neither of the first two, the document was refused by its ``gate``, was classified, or is only the
    container of its files. ``left_out`` names attached files that became no documents, in sentences.
    With ``no_values`` the body of a mail that has files holds none of the extraction's values.

    An archive or a split PDF has ``members``, which replace it, and nothing else; ``unassigned`` pages of a
    PDF are in none of them. ``folder`` is the label of the chosen folder. ``usage`` is the language model's
    for classifying and splitting. ``text`` is the beginning of the document's text.

    A long document whose pieces are ``wanted`` has nothing else, but for ``warnings`` and ``usage`` if it was
    found not to be divided.
    """

    extraction: Extraction | None = None
    failure: Failure | None = None
    files: tuple[ContainedFile, ...] = ()
    no_values: bool = False
    left_out: tuple[str, ...] = ()
    members: tuple[ContainedFile, ...] = ()
    unassigned: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    gate: GateDecision | None = None
    classification: Classification | None = None
    folder: str | None = None
    usage: ModelUsage | None = None
    text: str | None = None
    wanted: Pieces | None = None


def read_and_expand(task: ExpandTask, context: Context) -> ExpansionResult:
    """Do ``task``; contained files become its outputs.

    A mail of which ``parsePages`` leaves no page, or too many, still has its files. Raise what
    ``read_and_extract`` raises if there are none.
    """
    if task.piece is not None:
        _read_piece(task, task.piece, context)
        return ExpansionResult()
    if task.unpack and (members := _unpacked(task.read, context)):
        return ExpansionResult(members=members)
    try:
        if task.split is None:
            return _read(task, context)
        data = context.read()
        model = ModelContext.for_task(data, task.read, context)
        split = split_file(task.split, data, task.read.name, context, model, task.kept)
    except PiecesWanted as error:
        return ExpansionResult(wanted=error.wanted)
    if split is not None and not is_one_document(split):
        return _split(task, data, split, context)
    warnings = split.warnings if split is not None else ()
    usage = split.usage if split is not None else None
    try:
        result = _read(task, context)
    except PiecesWanted as error:
        return ExpansionResult(wanted=error.wanted, warnings=tuple(warnings), usage=usage)
    return of_undivided(result, warnings, usage)


def of_undivided(
    result: ExpansionResult, warnings: Iterable[str], usage: ModelUsage | None
) -> ExpansionResult:
    """Return the result of a document that is not divided, with the warnings and usage of finding out."""
    if result.extraction is not None:
        result.extraction.warnings += warnings
    return result if usage is None else replace(result, usage=usage.added(result.usage))


def _read_piece(task: ExpandTask, piece: Piece, context: Context) -> None:
    from docduck.documents.pieces import pack
    from docduck.documents.reader import read_piece

    reading = task.split.reading if piece.purpose == "split" and task.split else reading_of(task.read)
    options = replace(reading, pages=piece.pages, on_pages=context.pages)
    document = read_piece(context.read(), task.read.name, options)
    if not piece.is_first:
        document.attachments = []
    context.write(PIECE_OUTPUT, pack(document))


def _read(task: ExpandTask, context: Context) -> ExpansionResult:
    """Read a file that is not divided, and its attachments if it is a mail."""
    if task.attachment_options is None:
        data, document = load(task.read, context, task.kept)
        finished = _finished(task, data, document, context)
        return replace(finished, text=document.text[:MOST_KEPT_TEXT]) if task.keep_text else finished
    from docduck.documents.mail_expansion import expand
    from docduck.extraction.jobs.mail_body import body_has_values

    refusal: NoPagesMatch | TooManyPages | None = None
    try:
        data, document = load(task.read, context, task.kept)
    except (NoPagesMatch, TooManyPages) as error:
        refusal = error
        data, document = load(_for_its_files(task.read, context, error), context)
    how = task.attachment_options
    expansion = expand(document, how.parse_body, task.read.reading.attachment_types, how.accepted, how.most)
    if refusal is not None and not (expansion.files or expansion.pictures):
        raise refusal
    result = ExpansionResult()
    if expansion.own is not False:
        failed = ExpansionResult(failure=Failure.of(refusal)) if refusal else None
        result = failed or _finished(task, data, document, context)
    is_empty = expansion.own is False
    if result.extraction is not None and (expansion.own is None or expansion.pictures):
        is_empty = not body_has_values(document, result.extraction)
        result = replace(result, no_values=is_empty and expansion.own is None)
    files = expansion.files or (expansion.pictures if is_empty else ())
    if result.extraction is not None:
        result.extraction.warnings += expansion.left_out
    text = document.text[:MOST_KEPT_TEXT] if task.keep_text else None
    return replace(result, files=_written(files, context), left_out=expansion.left_out, text=text)


def _finished(task: ExpandTask, data: bytes, document: Document, context: Context) -> ExpansionResult:
    """Return the classification of a document that was read, or its values unless its gate refuses it."""
    if task.classify is not None:
        model = ModelContext.for_task(data, task.read, context)
        classification = classify_document(task.classify, document, model)
        return ExpansionResult(classification=classification, usage=classification.usage)
    decision = None
    if task.gate is not None:
        decision = decide(task.gate, document, ModelContext.for_task(data, task.read, context))
    usage = decision.classification.usage if decision else None
    if decision is not None and decision.decision == "skip":
        return ExpansionResult(gate=decision, usage=usage)
    extraction = extract(task.read, data, document, context)
    extraction.warnings += decision.classification.warnings if decision else ()
    result = ExpansionResult(extraction, gate=decision, usage=usage)
    if task.folders is None:
        return result
    model = ModelContext.for_task(data, task.read, context)
    return _in_folder(result, classify_document(task.folders, document, model))


def _in_folder(result: ExpansionResult, classification: Classification) -> ExpansionResult:
    """Return ``result`` with the folder that is chosen for the document."""
    # There are warnings where a model should have helped, and could not.
    label = None if classification.warnings else classification.label
    if result.extraction is not None and classification.warnings:
        result.extraction.warnings.append(NO_FOLDER)
    usage = classification.usage.added(result.usage) if classification.usage else result.usage
    return replace(result, folder=label, usage=usage)


def _split(task: ExpandTask, data: bytes, split: Split, context: Context) -> ExpansionResult:
    members = []
    for number, (part, content) in enumerate(part_files(data, split, task.read.reading.password), start=1):
        context.write(f"{number}", content)
        members.append(ContainedFile(number, "", PDF, f"{number}", part.page_ranges, part.key))
    return ExpansionResult(
        members=tuple(members), unassigned=split.unassigned, warnings=split.warnings, usage=split.usage
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
    if not is_archive(data, task.name, task.reading.password):
        return ()
    members = (
        Attachment(file.path, content_type(file.data, file.path) if file.data else UNKNOWN, file.data)
        for file in unpack(data, task.reading)
    )
    return _written(members, context)


def _written(files: Iterable[Attachment], context: Context) -> tuple[ContainedFile, ...]:
    written: list[ContainedFile] = []
    for part, file in enumerate(files, start=1):
        context.write(f"{part}", file.data)
        written.append(ContainedFile(part, file.name, file.content_type, f"{part}"))
    return tuple(written)


EXPANSION = Job(read_and_expand, ExpansionResult, HEAVY)
"""Read and extract documents, and write out the files in them."""
