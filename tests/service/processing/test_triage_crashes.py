"""Runs that are ended while batches are split, routed and put into review: nothing is lost or doubled."""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from docduck.catalog.models import Document, DocumentStage, Parser
from docduck.service.core.installation import Installation
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.processing import process_queue
from tests.conftest import MakeInstallation
from tests.documents.formats.files import lines_page, pdf
from tests.service.core.documents import make_parser
from tests.service.core.people import make_member
from tests.service.processing.test_expansion_crashes import SCRIPT, Drains
from tests.service.processing.test_gate import INVOICE, LEASE
from tests.service.processing.test_routing import add, make_classifier
from tests.service.reviews.reviews_world import stage
from tests.service.sources.intake_world import assert_files_match

PAGES = 6
POINTS = """
from docduck.service.processing import routing
POINTS |= {
    "parts registered": lambda count: dies_at(splitting, "register", count),
    "first part takes the row": lambda count: dies_at(splitting, "apply_transitions", count),
    "moved to its parser": lambda count: dies_at(routing, "apply_transitions", count),
    "indexed there": lambda count: dies_at(routing.reindexing, "relocate", count),
    "stages begun": lambda count: dies_at(results, "start_reviews", count),
}
"""
POINT_NAMES = [
    "parts registered",
    "first part takes the row",
    "moved to its parser",
    "indexed there",
    "stages begun",
    "all but committed",
    "committed",
]


@pytest.fixture(scope="module")
def nursery() -> Iterator[Drains]:
    before, work, after = SCRIPT.partition("def work(")
    made = Drains(before + POINTS + work + after)
    yield made
    made.close()


def deliver(inst: Installation, batches: int) -> str:
    """Send batches of invoices and leases to a classifier; invoices are reviewed. Return its id."""
    invoices, leases = make_parser(inst), make_parser(inst, "Leases")
    stage(inst, invoices, "Books", make_member(inst))
    classifier_id = make_classifier(
        inst,
        {"Invoice": invoices, "Lease agreement": leases},
        split_documents={"enabled": True, "mode": "everyXPages", "everyXPages": 1},
    )
    page = [lines_page(tuple(data.decode().splitlines())) for data in (INVOICE, LEASE)]
    data = pdf(*(page[number % 2] for number in range(PAGES)))
    names = [f"batch-{number}.pdf" for number in range(batches)]
    add(inst, classifier_id, dict.fromkeys(names, data), {name: name for name in names})
    return classifier_id


def assert_each_page_once(inst: Installation, batches: int) -> None:
    with inst.catalog.read_session() as session:
        rows = session.execute(
            select(Document.split, Document.status, Document.external_id, Parser.slug).join(
                Parser, Parser.id == Document.parser_id
            )
        ).all()
        total = session.scalar(select(func.count()).select_from(Document))
        stages = Counter(session.scalars(select(DocumentStage.document_id)))
    assert total == len(rows) == batches * PAGES
    expected = {(n % 2, n) for n in range(1, PAGES + 1)}
    found = Counter((split["sourceDocumentId"], split["index"]) for split, *_ in rows if split)
    assert set(found.values()) == {1}
    assert {(index % 2, index) for _, index in found} == expected
    statuses = Counter((slug, status) for _, status, _, slug in rows)
    half = batches * PAGES // 2
    assert statuses == {("invoices", "in_review"): half, ("leases", "processed"): half}
    assert len({external_id for _, _, external_id, _ in rows}) == batches * PAGES
    assert len(stages) == half and set(stages.values()) == {1}
    assert backlogs(inst) == {}
    assert_files_match(inst)


@pytest.mark.extended
@pytest.mark.parametrize("point", POINT_NAMES)
def test_an_end_at_any_point_loses_and_doubles_nothing(
    make_installation: MakeInstallation, nursery: Drains, point: str
) -> None:
    inst = make_installation(workers=1)
    deliver(inst, 2)
    assert nursery.drain(inst, "", point=point) == [9], "it was to end in the middle"
    process_queue(inst)
    assert_each_page_once(inst, 2)


@pytest.mark.extended
def test_kills_at_random_moments_lose_and_double_nothing(any_inst: Installation, nursery: Drains) -> None:
    deliver(any_inst, 12)
    chance, killed = random.Random(13), 0
    for _ in range(10):
        codes = nursery.drain(any_inst, "", dies_after=chance.uniform(0, 0.3), processes=2)
        killed += codes.count(-signal.SIGKILL)
    assert killed >= 3, "some were to be killed at work"
    process_queue(any_inst)
    assert_each_page_once(any_inst, 12)
