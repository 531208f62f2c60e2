"""The catalog goes away between any two commits of the storing of outcomes: nothing is lost or doubled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from docduck.catalog.models import ModelUsage as Ledger
from docduck.errors import DamagedFile
from docduck.extraction.model_usage import ModelUsage
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document, history_of
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing import processing
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import StoredOutcomes, store_outcomes
from docduck.service.search import index
from tests.catalog_outage import MOMENTS, Moment, catalog_outage, changes, rows
from tests.service.core.documents import add, make_parser, read_outcomes, upload

_numbers = count()


def outcomes_of(inst: Installation, parser: ParserView) -> list[ExtractionOutcome]:
    """Return outcomes of three new documents: one read by a model, one with a long text, one damaged."""
    add(inst, parser, 3, prefix=f"paper {next(_numbers)}")
    first, second, third = read_outcomes(inst, parser, number="A long text")
    assert first.extraction
    usage = ModelUsage("small", 2, 1000, 50, 0.25)
    return [
        replace(first, extraction=replace(first.extraction, usage=usage)),
        second,
        replace(third, extraction=None, error=DamagedFile("cut off")),
    ]


def statuses(inst: Installation, outcomes: list[ExtractionOutcome]) -> list[str]:
    return [get_document(inst, inst.team_id, outcome.claim.document_id).status for outcome in outcomes]


def counted_by_the_ledger(inst: Installation) -> int:
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.sum(Ledger.documents))) or 0


def test_outcomes_that_are_stored_again_after_an_outage_are_stored_once(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "LONG_TEXT", 10)
    parser = make_parser(any_inst)
    store_outcomes(any_inst, outcomes_of(any_inst, parser), "me")
    outcomes = outcomes_of(any_inst, parser)
    before = rows(any_inst)
    with catalog_outage() as counted:
        undisturbed = store_outcomes(any_inst, outcomes, "me")
    assert (len(undisturbed.stored), counted.commits) == (3, 3)
    done = changes(any_inst, before)
    for at in range(1, counted.commits + 1):
        for moment in MOMENTS:
            outcomes = outcomes_of(any_inst, parser)
            before, spent = rows(any_inst), counted_by_the_ledger(any_inst)
            with catalog_outage(at, moment) as outage, pytest.raises(OperationalError):
                store_outcomes(any_inst, outcomes, "me")
            assert outage.is_away
            again = store_outcomes(any_inst, outcomes, "me")
            assert {r.claim.document_id for r in again.stored} == {r.claim.document_id for r in outcomes}
            assert statuses(any_inst, outcomes) == ["processed", "processed", "failed"], (at, moment)
            assert changes(any_inst, before) == done, (at, moment)
            assert counted_by_the_ledger(any_inst) == spent + 1, (at, moment)


@pytest.mark.slow
@pytest.mark.parametrize("failures", [1, 3], ids=["a moment", "longer than a run tries"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_each_document_of_a_run_is_read_and_told_once_though_the_catalog_goes_away(
    inst: Installation, monkeypatch: pytest.MonkeyPatch, moment: Moment, failures: int
) -> None:
    parser = make_parser(inst)
    ids = [upload(inst, inst.team_id, parser.slug, f"Number: A-{n}".encode(), f"{n}.txt") for n in range(4)]
    calls = count(1)

    def store(inst: Installation, outcomes: Sequence[ExtractionOutcome], owner: str) -> StoredOutcomes:
        if next(calls) > failures:
            return store_outcomes(inst, outcomes, owner)
        with catalog_outage(1, moment):
            return store_outcomes(inst, outcomes, owner)

    monkeypatch.setattr(processing, "store_outcomes", store)
    if failures == 1:
        reports = process_queue(inst)
        assert [report.documents for report in reports] == [4]
    else:
        with pytest.raises(OperationalError):
            process_queue(inst)
        process_queue(inst)
    for document_id in ids:
        events = [event.event for event in history_of(inst, inst.team_id, None, document_id).rows]
        assert Counter(events)["extracted"] == 1
    assert list(inst.warehouse.query("SELECT count(*) FROM invoices.documents").rows) == [(4,)]
