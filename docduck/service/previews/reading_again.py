"""Reading a document again as its parser reads it now, without storing anything."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path

from docduck.errors import DocumentError, InputError
from docduck.extraction.extraction_settings import model_seconds, worker_limits
from docduck.extraction.extractors.model.endpoint import Endpoints
from docduck.extraction.jobs.extraction_job import EXTRACTION, ReadTask
from docduck.extraction.learned_layout import LayoutFingerprint
from docduck.extraction.models import Models, usable_models
from docduck.extraction.result import Extraction
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.loaded_parsers import LoadedParser, LoadedParsers
from docduck.service.processing.worker_tasks import WorkerTasks
from docduck.workers.pool import WorkerPool


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


@contextmanager
def offline_parser(inst: Installation, parser: ParserView) -> Iterator[LoadedParser]:
    """Give a parser that reads without a language model; raise InputError if it is broken."""
    with loaded_parser(inst, parser) as loaded:
        yield replace(loaded, settings=loaded.settings.model_copy(update={"model_use": "never"}))


def read_again(
    inst: Installation, claim: Claim, loaded: LoadedParser, file: Path | None = None
) -> Extraction | None:
    """Return what is read of a document, or of a ``file`` that isn't stored; None if it can't be read."""
    models = usable_models(inst.settings)
    task = WorkerTasks(inst, models).reading_again(claim, loaded)
    model = task.extraction.model

    def make() -> WorkerPool[ReadTask, Extraction | None]:
        return WorkerPool(EXTRACTION, 1, worker_limits(inst.settings))

    with (
        Endpoints(models.by_name.values()) as endpoints,
        inst.side_workers.pool("evaluations", claim.team_id, make) as pool,
    ):
        pool.submit(
            claim.document_id,
            task,
            [file or inst.files.local(claim.sha256), *loaded.further_inputs],
            more_seconds=model_seconds(model),
            responder=endpoints.responder([model.name] if model else [], claim.team_id),
        )
        (outcome,) = pool.wait()
    if outcome.error is not None and not isinstance(outcome.error, DocumentError):
        raise outcome.error
    return outcome.result


def read_if_alike(
    inst: Installation, claim: Claim, loaded: LoadedParser, like: LayoutFingerprint
) -> Extraction | None:
    """Return what is read of a document now without a language model; None if its layout is another one.

    Raise InputError if it can't be read.
    """
    task = replace(WorkerTasks(inst, Models()).reading_again(claim, loaded), like=like)
    limits, run = worker_limits(inst.settings), inst.side_workers.run
    files = chain(map(inst.files.local, [claim.sha256]), loaded.further_inputs)
    outcome = run("documents alike", claim.team_id, EXTRACTION, limits, task, files)
    if isinstance(outcome.error, DocumentError):
        raise InputError("This document can't be read", "document")
    if outcome.error is not None:
        raise outcome.error
    return outcome.result
