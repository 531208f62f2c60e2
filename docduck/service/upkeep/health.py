"""The health of the service and its queue."""

from __future__ import annotations

import datetime as dt
import os
import shutil
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from docduck import clock
from docduck.catalog.migrate import HEAD, version
from docduck.catalog.models import Classifier, Document, Parser, Team, WarehouseOutbox
from docduck.extraction.extractors.model.asking.circuit_breaker import CircuitBreaker
from docduck.extraction.models import usable_models
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import IS_QUEUED
from docduck.service.processing.durations import kept_estimates
from docduck.service.processing.run_lock import SERVICE, reader_of
from docduck.service.webhooks.webhook_health import troubled_webhooks

WARN_SECONDS = 60
"""Documents that have waited for longer while nothing is being read are told of."""

LEAST_FREE_BYTES = 16 * 2**20
"""With less, a disk counts as full: SQLite and DuckDB fail soon."""


@dataclass(frozen=True, slots=True)
class Queue:
    """The number of queued documents, when the oldest was queued, and the estimated work of all."""

    documents: int = 0
    oldest: dt.datetime | None = None
    seconds: float = 0.0

    @property
    def oldest_seconds(self) -> float:
        """The age of the oldest queued document in seconds, or 0."""
        return _age(self.oldest)


@dataclass(frozen=True, slots=True)
class Deliveries:
    """The deliveries to webhooks: pending ones, when the oldest was due first, and failed ones.

    Those of paused webhooks are not counted: they wait on purpose. ``disabled`` counts webhooks.
    """

    pending: int
    oldest: dt.datetime | None
    failed: int
    disabled: int

    @property
    def oldest_seconds(self) -> float:
        """The age of the oldest pending delivery in seconds, or 0."""
        return _age(self.oldest)


def problems(inst: Installation) -> dict[str, str]:
    """Return what prevents the service from working, by part.

    Parts are ``catalog``, ``migrations``, ``files`` and ``home``.
    """
    problems: dict[str, str] = {}
    try:
        present = version(inst.catalog)
        if present != HEAD:
            problems["migrations"] = f"the catalog is at version {present}, this docduck works with {HEAD}"
    except (SQLAlchemyError, OSError) as error:
        problems["catalog"] = f"the catalog does not answer ({type(error).__name__})"
    problem, are_in_home = inst.files.problem(), inst.settings.files_url is None
    if problem is not None and not are_in_home:
        problems["files"] = problem
    if (problem is not None and are_in_home) or not os.access(inst.settings.home, os.W_OK | os.X_OK):
        problems["home"] = "the home folder can't be written"
    elif (free := free_bytes(inst)) < LEAST_FREE_BYTES:
        problems["home"] = (
            f"its disk is full: {free // 2**20} MiB are free in {inst.settings.home.absolute()}"
        )
    return problems


def reading_trouble(inst: Installation) -> str | None:
    """Return what is wrong with the reading of documents; None if nothing is, or nothing waits."""
    waiting = queue(inst)
    if not waiting.documents:
        return None
    reader = reader_of(inst)
    if reader == SERVICE:
        return "no run of Dagster has started for long: the service reads documents itself"
    if reader is not None or waiting.oldest_seconds <= WARN_SECONDS:
        return None
    return (
        f"nothing is being read: {waiting.documents} documents wait, the oldest for "
        f"{waiting.oldest_seconds:.0f} s, and no run reads; see the runs and the daemons in Dagster's UI"
    )


def model_trouble(inst: Installation) -> str | None:
    """Return which language models aren't asked at present, and why; None if all are."""
    models = usable_models(inst.settings).by_name.values()
    troubles = [
        f"the language model {model.label} is not asked, documents are read without it: {away.message}"
        for model in models
        if (away := CircuitBreaker(model).away) is not None
    ]
    return "; ".join(troubles) or None


def free_bytes(inst: Installation) -> int:
    """Return how many bytes can still be written to the home's disk."""
    return shutil.disk_usage(inst.settings.home).free


def queue(inst: Installation) -> Queue:
    """Return the queue of all teams."""
    return _sum(queues(inst).values())


def queues(inst: Installation) -> dict[str, Queue]:
    """Return the queue of each team, of documents for parsers and of those that are yet to be routed."""
    estimates = kept_estimates(inst)
    with inst.catalog.read_session() as session:
        by_team: dict[str, list[Queue]] = {team_id: [] for team_id in session.scalars(select(Team.id))}
        owners = {
            target_id: team_id
            for target in (Parser, Classifier)
            for target_id, team_id in session.execute(
                select(target.id, target.team_id).where(target.deleted_at.is_(None))
            )
        }
        for target_id, slow, count, oldest in session.execute(
            select(Document.target_id, Document.slow, func.count(), func.min(Document.queued_at))
            .where(IS_QUEUED)
            .group_by(Document.target_id, Document.slow)
        ):
            if target_id in owners:
                seconds = count * estimates.expected(target_id, slow)
                by_team[owners[target_id]].append(Queue(count, oldest, seconds))
    return {team_id: _sum(queues) for team_id, queues in by_team.items()}


def tables_behind_seconds(inst: Installation) -> float:
    """Return the age of the oldest change that is not in the tables yet, or 0."""
    with inst.catalog.read_session() as session:
        return _age(session.scalar(select(func.min(WarehouseOutbox.at))))


def _sum(queues: Collection[Queue]) -> Queue:
    return Queue(
        sum(queue.documents for queue in queues),
        min((queue.oldest for queue in queues if queue.oldest is not None), default=None),
        sum(queue.seconds for queue in queues),
    )


def deliveries(inst: Installation) -> Deliveries:
    """Return the deliveries of all teams."""
    webhooks = [webhook for webhook in troubled_webhooks(inst) if webhook.status != "paused"]
    return Deliveries(
        sum(webhook.pending for webhook in webhooks),
        min((webhook.oldest for webhook in webhooks if webhook.oldest is not None), default=None),
        sum(webhook.failed for webhook in webhooks),
        sum(webhook.status == "disabled" for webhook in webhooks),
    )


def _age(moment: dt.datetime | None) -> float:
    return 0.0 if moment is None else max(0.0, (clock.now() - moment).total_seconds())
