"""Values that a person sets: also in a document that could not be read, which they make a processed one.

It is claimed like a document that is read, and what the person entered is stored like what is read: folders,
reviews, names and webhooks follow.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentResult, Parser
from docduck.errors import Conflict
from docduck.extraction.confidence import mean_confidence
from docduck.extraction.result import Extraction, Location, ValueKey
from docduck.owner import this_process
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import retried
from docduck.service.corrections.corrections import (
    ChangedMeanwhile,
    change_values,
    finder_of,
    mark_of,
)
from docduck.service.corrections.known_values import known_values
from docduck.service.corrections.marked_values import NO_PLACES, Entry, marked_values
from docduck.service.documents import values
from docduck.service.documents.claim import Claim
from docduck.service.documents.queries.document_views import DocumentView, show_document
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import ParserView, view
from docduck.service.processing.document_queue import take_over
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes
from docduck.statuses import Status


def enter_values(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    data: Mapping[str, Any],
    *,
    replace: bool = False,
    reviewer_id: str | None = None,
    actor: str = "user",
    places: Mapping[ValueKey, Sequence[Location]] = NO_PLACES,
    below: float | None = None,
    seen: dt.datetime | None = None,
    versions: Set[str] | None = None,
) -> DocumentView:
    """Set values of a parser's document as ``set_values`` does, and raise its errors.

    A document that failed is processed then, or in review if a stage applies; its other values are empty.
    """
    entry = Entry(data, places, replace, below)
    find = finder_of(team_id, parser_id, document_id, reviewer_id, seen, versions)
    owner, person = this_process(), reviewer_id or actor
    outcome: ExtractionOutcome | None = None
    with inst.catalog.read_session() as session:
        is_failed = find(session, lock=False).status == Status.FAILED
    if is_failed and (data or replace):
        with inst.catalog.transaction() as session:
            document = find(session, lock=True)
            if document.status == Status.FAILED:
                outcome = _filled(session, document, entry, person)
                details = {"fields": sorted(data), "replaced": replace}
                audit.record(
                    session, team_id, person, "document.filled", "document", [(document.id, details)]
                )
                take_over(session, outcome.claim, owner, person)
    if outcome is None:
        change_values(inst, find, entry, person)
    else:
        _store(inst, outcome, owner)
    return show_document(inst, team_id, parser_id, document_id)


def _filled(session: Session, document: Document, entry: Entry, person: str) -> ExtractionOutcome:
    """Return a failed document with the values that a person enters, and those that people set before."""
    parser = _parser(session, document)
    earlier = session.get(DocumentResult, document.id)
    marked = marked_values(parser.fields, _set_before(parser, earlier), entry, mark_of(person))
    extraction = Extraction(
        data=dict(marked.after),
        field_metadata=dict(marked.evidence),
        markdown="",
        pages=[],
        page_count=document.page_count or 0,
        content_type=document.content_type,
        confidence=mean_confidence(marked.after, marked.evidence),
    )
    if not read_settings(parser.settings).confidence_scores.enabled:
        extraction = values.without_confidence(extraction)
    claim = Claim.of(document)
    return ExtractionOutcome(replace(claim, attempt=claim.attempt + 1), parser, extraction, read_data={})


def _parser(session: Session, document: Document) -> ParserView:
    row = session.get(Parser, document.parser_id)
    if row is None:
        raise Conflict("Document has no parser any more; its values can't be changed")
    return view(row)


def _set_before(parser: ParserView, result: DocumentResult | None) -> DocumentResult:
    """Return a result with those values alone that people set before the document failed."""
    data = known_values(parser.fields, result) if result is not None else {}
    evidence: Mapping[str, Any] = {}
    if result is not None:
        named = values.named_evidence(parser.fields, result.values, result.evidence)
        evidence = {name: named[name] for name in data}
    by_id, evidence_by_id = values.identified(parser.fields, data, evidence)
    return DocumentResult(values=by_id, evidence=evidence_by_id, extras=[])


def _store(inst: Installation, outcome: ExtractionOutcome, owner: str) -> None:
    waiting = [outcome]
    while waiting:
        done = retried(partial(store_outcomes, inst, waiting, owner))
        if not done.stored and not done.retry:
            raise ChangedMeanwhile("Somebody else has changed this document meanwhile; load the page again")
        waiting = list(done.retry)
