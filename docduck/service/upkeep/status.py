"""The status of an installation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from docduck.catalog.models import Document, IntakeEntry, Parser
from docduck.errors import InputError
from docduck.service.classifiers.classifier_listing import (
    ClassifierCounts,
    classifier_counts,
    list_classifiers,
)
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, list_parsers
from docduck.service.processing import document_queue
from docduck.service.sources.intake import describe_source
from docduck.service.sources.sources import inbox, sources
from docduck.service.webhooks.webhook_health import WebhookHealth, troubled_webhooks
from docduck.statuses import Status

_RECENT = 20
_TOLD = ("waiting", "refused", "unreadable", "vanished", "duplicate")


@dataclass(frozen=True, slots=True)
class ParserStatus:
    """A parser with its document counts by status, and its backlog."""

    parser: ParserView
    documents: Mapping[str, int]
    waiting: document_queue.Backlog


@dataclass(frozen=True, slots=True)
class ClassifierStatus:
    """A classifier with the counts of its documents, and its backlog."""

    classifier: ClassifierView
    documents: ClassifierCounts
    waiting: document_queue.Backlog


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed document; ``target`` is the slug of its parser, or the name of its classifier."""

    document_id: str
    target: str
    name: str
    error: str
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class LongDocument:
    """A long document that is being read, or goes on later; ``target`` is that of a ``Failure``."""

    document_id: str
    target: str
    name: str
    pages_read: int
    pages: int


@dataclass(frozen=True, slots=True)
class UnregisteredFile:
    """A file that was not registered, and why."""

    source: str
    item: str
    outcome: str
    message: str
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class InstallationStatus:
    """The content of ``docduck status``."""

    parsers: Sequence[ParserStatus]
    classifiers: Sequence[ClassifierStatus]
    webhooks: Sequence[WebhookHealth]
    sources: Mapping[str, str]
    failures: Sequence[Failure]
    long: Sequence[LongDocument]
    intake: Sequence[UnregisteredFile]
    intake_counts: Mapping[str, int]
    pipeline_problem: str | None


def status(inst: Installation, team_id: str) -> InstallationStatus:
    """Return the team's parsers, classifiers, latest failures, undelivered events and unregistered files."""
    parsers = list_parsers(inst, team_id)
    classifiers = list_classifiers(inst, team_id)
    work = document_queue.backlogs(inst, team_id)
    counts: dict[str, dict[str, int]] = {}
    with inst.catalog.read_session() as session:
        for parser_id, name, count in session.execute(
            select(Document.parser_id, Document.status, func.count())
            .where(Document.team_id == team_id)
            .group_by(Document.parser_id, Document.status)
        ):
            counts.setdefault(str(parser_id), {})[name] = count
        routed = classifier_counts(session, [classifier.id for classifier in classifiers])
        names = {classifier.id: classifier.name for classifier in classifiers} | {
            classifier.id: classifier.slug for classifier in parsers
        }
        failed = session.scalars(
            select(Document)
            .outerjoin(Parser, Parser.id == Document.parser_id)
            .where(Document.team_id == team_id, Document.status == Status.FAILED, Parser.deleted_at.is_(None))
            .order_by(Document.updated_at.desc())
            .limit(_RECENT)
        )
        failures = [
            Failure(d.id, names.get(d.target_id, ""), d.name, d.error or "", d.updated_at) for d in failed
        ]
        in_work = session.scalars(
            select(Document)
            .where(Document.team_id == team_id, Document.status.in_((Status.QUEUED, Status.PROCESSING)))
            .where(Document.pages_to_read.is_not(None))
            .order_by(Document.queued_at)
            .limit(_RECENT)
        )
        long = [
            LongDocument(d.id, names.get(d.target_id, ""), d.name, d.pages_read or 0, d.pages_to_read or 0)
            for d in in_work
        ]
        entries = session.scalars(
            select(IntakeEntry)
            .where(IntakeEntry.team_id == team_id, IntakeEntry.outcome.in_(_TOLD))
            .order_by(IntakeEntry.updated_at.desc())
            .limit(_RECENT)
        )
        intake = [UnregisteredFile(e.source, e.item, e.outcome, e.message, e.updated_at) for e in entries]
        outcomes = {
            outcome: count
            for outcome, count in session.execute(
                select(IntakeEntry.outcome, func.count())
                .where(IntakeEntry.team_id == team_id)
                .group_by(IntakeEntry.outcome)
            )
        }
    watched, problem = _sources(inst)
    return InstallationStatus(
        [ParserStatus(p, counts.get(p.id, {}), work.get(p.id, document_queue.Backlog())) for p in parsers],
        [
            ClassifierStatus(
                classifier, routed[classifier.id], work.get(classifier.id, document_queue.Backlog())
            )
            for classifier in classifiers
        ],
        troubled_webhooks(inst, team_id),
        watched,
        failures,
        long,
        intake,
        outcomes,
        problem,
    )


def _sources(inst: Installation) -> tuple[dict[str, str], str | None]:
    """Return the state of each source, and the error in pipeline.yaml if there is one."""
    try:
        known, problem = sources(inst), None
    except InputError as error:
        known, problem = [inbox(inst)], error.message
    return {source.name: describe_source(inst, source) for source in known}, problem
