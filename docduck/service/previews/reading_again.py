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
from docduck.extraction.model_options import model_options
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
    """Return a parser that reads offline, whatever its mode."""
    if loaded.settings.data_extraction_mode != "accurate":
        return loaded
    offline = loaded.settings.model_copy(update={"data_extraction_mode": "balanced"})
    return replace(loaded, settings=offline)


def with_model(loaded: LoadedParser) -> LoadedParser:
    """Return a parser that asks the language model, whatever its mode."""
    accurate = loaded.settings.model_copy(update={"data_extraction_mode": "accurate"})
    return replace(loaded, settings=accurate)


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
    """Return the outcome of reading a document, or a file that isn't stored, in its parser's mode.

    That it can't be read is in the outcome; other errors are raised. With ``like``, nothing is read of a
    document of another layout.
    """
    model = model_options(inst.settings)
    task = replace(WorkerTasks(inst, model).reading_again(claim, loaded), like=like)
    files = chain([file] if file else map(inst.files.local, [claim.sha256]), loaded.further_inputs)
    asked = model if task.extraction.model else None
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
