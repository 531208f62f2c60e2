"""The outcome of reading one claimed document."""

from __future__ import annotations

import datetime as dt
import logging
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docduck import clock, tracing
from docduck.errors import DocduckError, DocumentError, UnsupportedFile
from docduck.extraction.jobs.expansion_job import ExpansionResult
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.result import Extraction
from docduck.service.core.installation import Installation
from docduck.service.corrections.known_values import edited_results
from docduck.service.documents import values
from docduck.service.documents.claim import Claim
from docduck.service.documents.contained_files import StoredPart, store_parts
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.durations import SLOW_SECONDS
from docduck.service.processing.loaded_classifiers import LoadedClassifier
from docduck.service.processing.loaded_parsers import LoadedParser
from docduck.workers.task_queue import TaskOutcome

_log = logging.getLogger(__name__)

DEFECT_MESSAGE = "Internal server error"
_NOTHING = ExpansionResult()


@dataclass(frozen=True, slots=True)
class ExtractionOutcome:
    """The outcome of a claim: an extraction, an error, or the reason why the document was skipped.

    ``expansion`` is what the worker returned. ``files`` are a mail's attachments, which become documents of
    their own. ``members`` are the files of an archive or the parts of a PDF; they replace it. ``folder_id``
    is the folder that was chosen by the folders' instructions. ``read_data`` are the values that were read,
    if values that people set took the place of some.
    """

    claim: Claim
    parser: ParserView | None
    extraction: Extraction | None = None
    expansion: ExpansionResult = _NOTHING
    read_data: Mapping[str, Any] | None = None
    error: DocduckError | None = None
    mode: str = "balanced"
    seconds: float = 0.0
    markdown_sha256: str | None = None
    markdown_size: int = 0
    skipped: str | None = None
    files: Sequence[StoredPart] = ()
    members: Sequence[StoredPart] = ()
    classifier: LoadedClassifier | None = None
    folder_id: str | None = None
    slow: bool = False

    @property
    def usage(self) -> ModelUsage | None:
        """The language model's usage of all steps."""
        extracted = self.extraction.usage if self.extraction else None
        return extracted.added(self.expansion.usage) if extracted else self.expansion.usage

    @property
    def message(self) -> str | None:
        """The document's error text: the message of a ``DocumentError``; other errors are not disclosed."""
        if self.error is None:
            return None
        return self.error.message if isinstance(self.error, DocumentError) else DEFECT_MESSAGE


def extraction_outcome(
    inst: Installation,
    claim: Claim,
    target: LoadedParser | LoadedClassifier,
    task: TaskOutcome[ExpansionResult],
) -> ExtractionOutcome:
    """Return the outcome of a worker's task; store the files that it wrote.

    Raise WorkerEnded if one of them is not there.
    """
    outcome = _outcome(inst, claim, target, task)
    if tracing.is_on():
        _trace(outcome, target)
    return outcome


def _outcome(
    inst: Installation,
    claim: Claim,
    target: LoadedParser | LoadedClassifier,
    task: TaskOutcome[ExpansionResult],
) -> ExtractionOutcome:
    expansion = task.result or _NOTHING
    try:
        files = store_parts(inst, expansion.files, task.outputs)
        members = store_parts(inst, expansion.members, task.outputs)
    finally:
        if task.outputs is not None:
            shutil.rmtree(task.outputs, ignore_errors=True)
    outcome = replace(
        _outcome_of(claim, target),
        seconds=task.seconds,
        expansion=expansion,
        files=files,
        slow=task.seconds >= SLOW_SECONDS,
    )
    if error := task.error or (expansion.failure.error() if expansion.failure else None):
        _log_failure(claim, error, task.trace)
        return replace(outcome, error=error)
    if members:
        return replace(outcome, members=members)
    if expansion.classification is not None:
        return outcome
    extraction = expansion.extraction
    if extraction is None or isinstance(target, LoadedClassifier):
        return replace(outcome, skipped=_skip_reason(expansion))
    if expansion.no_values and not _has_edits(inst, claim):
        usage = extraction.usage.added(expansion.usage) if extraction.usage else expansion.usage
        return replace(outcome, skipped=_skip_reason(expansion), expansion=replace(expansion, usage=usage))
    if target.folders is not None and expansion.folder is not None:
        outcome = replace(outcome, folder_id=target.folders.ids.get(expansion.folder))
    if not target.settings.confidence_scores.enabled:
        extraction = values.without_confidence(extraction)
    if not target.settings.markdown_parsing.enabled:
        return replace(outcome, extraction=extraction)
    stored = inst.files.put_bytes(extraction.markdown.encode("utf-8", "replace"))
    return replace(outcome, extraction=extraction, markdown_sha256=stored.sha256, markdown_size=stored.size)


def refused_type(claim: Claim, target: LoadedParser | LoadedClassifier) -> ExtractionOutcome | None:
    """Return the outcome of a document whose type its target doesn't accept; None if it does."""
    settings = target if isinstance(target, LoadedClassifier) else target.settings
    if not settings.accepted_file_types or claim.content_type in settings.accepted_file_types:
        return None
    return replace(_outcome_of(claim, target), error=UnsupportedFile(claim.content_type))


def _trace(outcome: ExtractionOutcome, target: LoadedParser | LoadedClassifier) -> None:
    claim, ended = outcome.claim, clock.now()
    tracing.record(
        "read",
        claim.document_id,
        # Pieces of a long document are read at the same time, or in an earlier attempt.
        max(claim.claimed_at, ended - dt.timedelta(seconds=outcome.seconds)),
        ended,
        error=type(outcome.error).__name__ if outcome.error else None,
        team_id=claim.team_id,
        target_id=claim.target_id,
        parser=target.view.slug if isinstance(target, LoadedParser) else None,
        attempt=claim.attempt,
        type=claim.content_type,
        size=claim.size,
        pages=outcome.extraction.page_count if outcome.extraction else None,
        mode=outcome.mode,
        seconds=outcome.seconds,
    )


def _outcome_of(claim: Claim, target: LoadedParser | LoadedClassifier) -> ExtractionOutcome:
    if isinstance(target, LoadedClassifier):
        return ExtractionOutcome(claim, None, classifier=target)
    return ExtractionOutcome(claim, target.view, mode=target.settings.data_extraction_mode)


def _has_edits(inst: Installation, claim: Claim) -> bool:
    """Return whether people set values in the document before."""
    with inst.catalog.read_session() as session:
        return bool(edited_results(session, [claim.document_id]))


def _skip_reason(expansion: ExpansionResult) -> str:
    """Return why a document is skipped: its gate refused it, or it is a mail that only holds files."""
    if expansion.gate is not None:
        kind = expansion.gate.classification.label
        return f"The document type is {kind}" if kind else "The document is none of the listed types"
    match len(expansion.files):
        case 0:
            files = "it has no attachment that is a document"
        case 1:
            files = "its attachment is a document of its own"
        case count:
            files = f"its {count} attachments are documents of their own"
    body = "holds no values of the parser's fields" if expansion.no_values else "is not to be parsed"
    return ". ".join((f"Its body {body}; {files}", *expansion.left_out))


def _log_failure(claim: Claim, error: DocduckError, trace: str | None) -> None:
    detail = getattr(error, "detail", "") or trace or ""
    place = f"document {claim.document_id} ({claim.name!r})"
    if trace:
        _log.error("%s: %s\n%s", place, error, detail)
    else:
        _log.warning("%s: %s %s", place, error, detail)
