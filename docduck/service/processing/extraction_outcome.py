"""The outcome of reading one claimed document."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docduck.errors import DocduckError, DocumentError
from docduck.extraction.jobs.expansion_job import ExpansionResult
from docduck.extraction.result import Extraction
from docduck.service.core.installation import Installation
from docduck.service.documents import values
from docduck.service.documents.claim import Claim
from docduck.service.documents.contained_files import StoredPart, store_parts
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.loaded_parsers import LoadedParser
from docduck.workers.task_queue import TaskOutcome

_log = logging.getLogger(__name__)

DEFECT_MESSAGE = "Internal server error"


@dataclass(frozen=True, slots=True)
class ExtractionOutcome:
    """The outcome of a claim: an extraction, an error, or the reason why the document was skipped.

    ``files`` are a mail's attachments, which become documents of their own. ``members`` are the files of an
    archive; they replace it.
    """

    claim: Claim
    parser: ParserView
    extraction: Extraction | None = None
    error: DocduckError | None = None
    mode: str = "balanced"
    seconds: float = 0.0
    markdown_sha256: str | None = None
    markdown_size: int = 0
    skipped: str | None = None
    files: Sequence[StoredPart] = ()
    members: Sequence[StoredPart] = ()
    slow: bool = False

    @property
    def message(self) -> str | None:
        """The document's error text: the message of a ``DocumentError``; other errors are not disclosed."""
        if self.error is None:
            return None
        return self.error.message if isinstance(self.error, DocumentError) else DEFECT_MESSAGE


def extraction_outcome(
    inst: Installation, claim: Claim, parser: LoadedParser, task: TaskOutcome[ExpansionResult]
) -> ExtractionOutcome:
    """Return the outcome of a worker's task; store the files that it wrote."""
    found = task.result or ExpansionResult()
    files = store_parts(inst, found.files, task.outputs)
    members = store_parts(inst, found.members, task.outputs)
    if task.outputs is not None:
        shutil.rmtree(task.outputs, ignore_errors=True)
    outcome = ExtractionOutcome(
        claim,
        parser.view,
        mode=parser.settings.data_extraction_mode,
        seconds=task.seconds,
        files=files,
        slow=task.seconds >= inst.settings.slow_seconds,
    )
    if error := task.error or (found.failure.error() if found.failure else None):
        _log_failure(claim, error, task.trace)
        return replace(outcome, error=error)
    if members:
        return replace(outcome, members=members)
    extraction = found.extraction
    if extraction is None:
        return replace(outcome, skipped=_skip_reason(found))
    if not parser.settings.confidence_scores.enabled:
        extraction = values.without_confidence(extraction)
    if not parser.settings.markdown_parsing.enabled:
        return replace(outcome, extraction=extraction)
    stored = inst.files.put_bytes(extraction.markdown.encode("utf-8", "replace"))
    return replace(outcome, extraction=extraction, markdown_sha256=stored.sha256, markdown_size=stored.size)


def _skip_reason(found: ExpansionResult) -> str:
    """Return why a mail itself is skipped."""
    count = len(found.files)
    files = (
        "its attachment is a document of its own"
        if count == 1
        else f"its {count} attachments are documents of their own"
    )
    return ". ".join((f"Its body is not to be parsed; {files}", *found.left_out))


def _log_failure(claim: Claim, error: DocduckError, trace: str | None) -> None:
    detail = getattr(error, "detail", "") or trace or ""
    place = f"document {claim.document_id} ({claim.name!r})"
    if trace:
        _log.error("%s: %s\n%s", place, error, detail)
    else:
        _log.warning("%s: %s %s", place, error, detail)
