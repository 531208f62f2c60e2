"""Classifying uploaded documents at once, in a side worker, so that an upload's answer says where they go.

What is not classified in time stays queued, and the next run classifies it.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from functools import partial

from sqlalchemy import select

from docduck.catalog.models import Classifier, Document
from docduck.errors import Transient, WorkerEnded
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.extractors.model.asking.endpoint import Endpoints
from docduck.extraction.jobs.expansion_job import EXPANSION, ExpandTask, ExpansionResult
from docduck.extraction.models import Models, usable_models
from docduck.owner import LEASE_SECONDS, this_process
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import retried
from docduck.service.documents.claim import Claim
from docduck.service.processing import document_queue
from docduck.service.processing.extraction_outcome import (
    ExtractionOutcome,
    extraction_outcome,
    refused_type,
)
from docduck.service.processing.loaded_classifiers import LoadedClassifiers
from docduck.service.processing.results import store_outcomes
from docduck.service.processing.worker_tasks import WorkerTasks, submit
from docduck.statuses import Status
from docduck.workers.pool import WorkerPool

CLASSIFY_SECONDS = 20
"""How long an upload to a classifier waits for its documents to be routed; then they are ``pending``."""

_Pool = WorkerPool[ExpandTask, ExpansionResult]


def classify_uploads(inst: Installation, team_id: str, document_ids: Collection[str], seconds: float) -> None:
    """Classify and route queued documents of classifiers; return when all are done, or after ``seconds``.

    Where a language model is to help, it is left to the runs.
    """
    if seconds <= 0 or usable_models(inst.settings).default is not None:
        return
    owner = this_process()
    # Nothing renews these claims, so they end before their lease does.
    end = time.monotonic() + min(seconds, LEASE_SECONDS / 2)

    def make() -> _Pool:
        return WorkerPool(EXPANSION, 1, worker_limits(inst.settings))

    try:
        with inst.side_workers.pool("classifying", team_id, make, seconds) as pool:
            failed: set[str] = set()
            while (waiting := _waiting(inst, team_id, set(document_ids) - failed)) and time.monotonic() < end:
                claims = document_queue.claim_documents(inst, team_id, waiting, owner)
                if not claims:
                    # A run has claimed them.
                    time.sleep(0.05)
                    continue
                failed |= _work(inst, pool, claims, owner, end)
    except Transient:
        return


def _waiting(inst: Installation, team_id: str, document_ids: Collection[str]) -> list[str]:
    """Return those of the documents that have not been routed yet, by classifiers that name no model."""
    with inst.catalog.read_session() as session:
        waiting = (
            select(Document.id)
            .join(Classifier, Classifier.id == Document.classifier_id)
            .where(
                Document.team_id == team_id,
                Document.id.in_(document_ids),
                Document.parser_id.is_(None),
                Document.status.in_((Status.QUEUED, Status.PROCESSING)),
                Classifier.model.is_(None),
            )
        )
        return list(session.scalars(waiting))


def _work(inst: Installation, pool: _Pool, claims: Sequence[Claim], owner: str, end: float) -> set[str]:
    """Classify claimed documents; queue those again that are not done at the ``end``.

    Return those that can't be read for the moment, which are queued again, too.
    """
    classifiers = LoadedClassifiers(inst)
    classifiers.refresh({claim.target_id for claim in claims})
    tasks = WorkerTasks(inst, Models())
    held = {claim.document_id: claim for claim in claims}
    try:
        submitted: set[str] = set()
        failed: set[str] = set()
        refused: list[ExtractionOutcome] = []
        for claim in claims:
            target = classifiers.get(claim.target_id)
            if target is None:
                continue
            if (outcome := refused_type(claim, target)) is not None:
                refused.append(outcome)
            else:
                submit(inst, pool, Endpoints([]), claim.document_id, claim, tasks.of(claim, target), target)
                submitted.add(claim.document_id)
        _store(inst, refused, owner, held)
        while submitted and time.monotonic() < end:
            outcomes = []
            for done in pool.wait(max(0.0, end - time.monotonic())):
                claim = held[done.key]
                submitted.discard(done.key)
                target = classifiers.get(claim.target_id)
                assert target is not None
                if isinstance(done.error, Transient):
                    failed.add(claim.document_id)
                    continue
                try:
                    outcomes.append(extraction_outcome(inst, claim, target, done))
                except WorkerEnded:
                    failed.add(claim.document_id)
            _store(inst, outcomes, owner, held)
    finally:
        if held:
            document_queue.release(inst, owner, "it was not classified in time", list(held))
    return failed


def _store(
    inst: Installation, outcomes: Sequence[ExtractionOutcome], owner: str, held: dict[str, Claim]
) -> None:
    """Store outcomes; the claims of those that can't be stored now stay held."""
    if outcomes:
        for outcome in retried(partial(store_outcomes, inst, outcomes, owner)).stored:
            held.pop(outcome.claim.document_id, None)
