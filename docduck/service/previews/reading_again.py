"""Reading a document again as its parser reads it now, without storing anything."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path

from docduck.errors import DocumentError, InputError
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.extraction_job import EXTRACTION
from docduck.extraction.learned_layout import LayoutFingerprint
from docduck.extraction.models import usable_models
from docduck.extraction.result import Extraction
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.parsers.parsers import ParserView
from docduck.service.previews.side_reading import read_aside
from docduck.service.processing.loaded_parsers import LoadedParser, LoadedParsers
from docduck.service.processing.worker_tasks import WorkerTasks
from docduck.workers.task_queue import TaskOutcome


@contextmanager
def loaded_parser(inst: Installation, parser: ParserView) -> Iterator[LoadedParser]:
    """Give a parser as runs load it; raise InputError if it is broken."""
    with tempfile.TemporaryDirectory(prefix="docduck-reading-") as folder:
        parsers = LoadedParsers(inst, Path(folder))
        parsers.refresh([parser.id])
        loaded = parsers.get(parser.id)
        if loaded is None:
            raise InputError(parser.problem or "Parser was deleted", "parserId")
        yield loaded


def without_model(loaded: LoadedParser) -> LoadedParser:
    """Return a parser that reads offline, whatever its settings."""
    return _changed(loaded, model_use="never")


def with_model(loaded: LoadedParser) -> LoadedParser:
    """Return a parser that asks its language model, whatever its mode."""
    use = "always" if loaded.settings.model_use == "always" else "unsure"
    return _changed(loaded, data_extraction_mode="accurate", model_use=use)


def _changed(loaded: LoadedParser, **settings: str) -> LoadedParser:
    return replace(loaded, settings=loaded.settings.model_copy(update=settings))


def read_again(
    inst: Installation, claim: Claim, loaded: LoadedParser, file: Path | None = None
) -> Extraction | None:
    """Return what is read of a document, or of a ``file`` that isn't stored; None if it can't be read."""
    return reading_outcome(inst, claim, loaded, file).result


def reading_outcome(
    inst: Installation,
    claim: Claim,
    loaded: LoadedParser,
    file: Path | None = None,
    like: LayoutFingerprint | None = None,
) -> TaskOutcome[Extraction | None]:
    """Return the outcome of reading a document, or a file that isn't stored, as its parser's settings say.

    That it can't be read is in the outcome; other errors are raised. With ``like``, nothing is read of a
    document of another layout.
    """
    models = usable_models(inst.settings)
    task = replace(WorkerTasks(inst, models).reading_again(claim, loaded), like=like)
    files = chain([file] if file else map(inst.files.local, [claim.sha256]), loaded.further_inputs)
    asked = models.named(task.extraction.model.name) if task.extraction.model else None
    limits, kind = worker_limits(inst.settings), "evaluations" if like is None else "documents alike"
    outcome = read_aside(inst, kind, claim.team_id, EXTRACTION, limits, task, files, asked)
    if outcome.error is not None and not isinstance(outcome.error, DocumentError):
        raise outcome.error
    return outcome


def read_if_alike(
    inst: Installation, claim: Claim, loaded: LoadedParser, like: LayoutFingerprint
) -> Extraction | None:
    """Return what is read of a document now; None if its layout is another one.

    Raise InputError if it can't be read.
    """
    outcome = reading_outcome(inst, claim, loaded, like=like)
    if outcome.error is not None:
        raise InputError("This document can't be read", "document")
    return outcome.result
