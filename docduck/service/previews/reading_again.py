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
from docduck.extraction.extractors.model.endpoint import responder
from docduck.extraction.jobs.extraction_job import EXTRACTION, ReadTask
from docduck.extraction.learned_layout import LayoutFingerprint
from docduck.extraction.model_options import model_options
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
        if loaded.settings.data_extraction_mode == "accurate":
            offline = loaded.settings.model_copy(update={"data_extraction_mode": "balanced"})
            loaded = replace(loaded, settings=offline)
        yield loaded


def read_again(
    inst: Installation, claim: Claim, loaded: LoadedParser, file: Path | None = None
) -> Extraction | None:
    """Return what is read of a document, or of a ``file`` that isn't stored; None if it can't be read."""
    model = model_options(inst.settings)
    task = WorkerTasks(inst, model).reading_again(claim, loaded)
    limits = worker_limits(inst.settings)
    with responder(model if task.extraction.model else None) as respond:

        def make() -> WorkerPool[ReadTask, Extraction | None]:
            return WorkerPool(EXTRACTION, 1, limits, responder=respond)

        # A pool that reaches the model is not kept: its responder ends here.
        kind = "evaluations" if respond is None else f"evaluation {claim.document_id}"
        with inst.side_workers.pool(kind, claim.team_id, make) as pool:
            pool.submit(
                claim.document_id,
                task,
                [file or inst.files.local(claim.sha256), *loaded.further_inputs],
                more_seconds=model_seconds(task.extraction.model),
                may_ask=respond is not None,
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
    task = replace(WorkerTasks(inst, None).reading_again(claim, loaded), like=like)
    limits, run = worker_limits(inst.settings), inst.side_workers.run
    files = chain(map(inst.files.local, [claim.sha256]), loaded.further_inputs)
    outcome = run("documents alike", claim.team_id, EXTRACTION, limits, task, files)
    if isinstance(outcome.error, DocumentError):
        raise InputError("This document can't be read", "document")
    if outcome.error is not None:
        raise outcome.error
    return outcome.result
