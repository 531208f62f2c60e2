"""Workers that are killed while they read, and runs that are paused: documents are read again, once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from sqlalchemy import select, update

from docduck import clock
from docduck.catalog.models import Document, DocumentEvent, DocumentResult
from docduck.errors import GivenUp
from docduck.extraction.jobs.expansion_job import EXPANSION, ExpandTask, ExpansionResult, read_and_expand
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.processing import processing
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.workers.context import Context
from tests.service.core.documents import correct, make_parser, upload
from tests.waiting import wait_for

REREADINGS = 5
DEADLY = "deadly.txt"


def read_or_die(task: ExpandTask, context: Context) -> ExpansionResult:
    """Read a document, unless its name says that its worker is killed."""
    if task.read.name == DEADLY:
        os.kill(os.getpid(), signal.SIGKILL)
    return read_and_expand(task, context)


@pytest.fixture
def killing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Kills the workers of ``DEADLY`` until it is called."""
    with monkeypatch.context() as patch:
        patch.setattr(processing, "EXPANSION", replace(EXPANSION, work=read_or_die))
        yield patch.undo


def run(inst: Installation, stay: Callable[[float], bool] = lambda idle: False) -> int:
    """Return how many documents a run reads."""
    return sum(report.documents for report in process_queue(inst, RunOptions(idle_seconds=0, stay=stay)))


def history(inst: Installation, document_id: str) -> list[tuple[str, str | None]]:
    with inst.catalog.read_session() as session:
        mine = DocumentEvent.document_id == document_id
        found = select(DocumentEvent.event, DocumentEvent.reason).where(mine).order_by(DocumentEvent.id)
        return [(event, reason) for event, reason in session.execute(found)]


def lost_leases(inst: Installation, document_id: str) -> int:
    with inst.catalog.read_session() as session:
        return session.get_one(Document, document_id).lost_leases


def test_a_document_whose_workers_are_killed_is_read_by_a_later_run(
    any_inst: Installation, killing: Callable[[], None]
) -> None:
    parser = make_parser(any_inst)
    document_id, other = (
        upload(any_inst, any_inst.team_id, parser.slug, b"Number: A-1", name)
        for name in (DEADLY, "other.txt")
    )
    assert run(any_inst, stay=lambda idle: idle < 60) == 1, "the other one; it does not stay"
    assert get_document(any_inst, any_inst.team_id, other).status == "processed"
    assert get_document(any_inst, any_inst.team_id, document_id).status == "queued"
    assert lost_leases(any_inst, document_id) > 0
    killing()
    assert run(any_inst) == 1
    view = get_document(any_inst, any_inst.team_id, document_id)
    assert (view.status, view.error, view.data["Number"]) == ("processed", None, "A-1")
    assert lost_leases(any_inst, document_id) == 0
    assert history(any_inst, document_id) == [
        ("stored", None),
        ("claimed", None),
        ("lease_lost", "its worker ended (SIGKILL); a later run reads it"),
        ("claimed", None),
        ("extracted", None),
    ]


def test_a_document_that_ends_its_worker_each_time_is_given_up(
    inst: Installation, killing: Callable[[], None]
) -> None:
    parser = make_parser(inst)
    document_id = upload(inst, inst.team_id, parser.slug, b"Number: A-1", DEADLY)
    for _ in range(1 + REREADINGS):
        assert get_document(inst, inst.team_id, document_id).status == "queued"
        run(inst)
    view = get_document(inst, inst.team_id, document_id)
    assert (view.status, view.error) == ("failed", GivenUp().message)
    assert [event for event, _ in history(inst, document_id)].count("claimed") == 1 + REREADINGS
    assert run(inst) == 0


PAUSING = """
import os, signal
from docduck.service.core.installation import open_installation
from docduck.service.processing import processing
from docduck.settings import settings

store = processing.store_outcomes

def paused(*args):
    processing.store_outcomes = store
    os.kill(os.getpid(), signal.SIGSTOP)
    return store(*args)

processing.store_outcomes = paused
inst = open_installation(settings())
processing.process_queue(inst, processing.RunOptions(idle_seconds=0))
inst.close()
"""


@contextmanager
def paused_run(inst: Installation) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a run that has read what is queued and was stopped by SIGSTOP before it stores that."""
    variables = {"DOCDUCK_HOME": str(inst.settings.home)}
    if inst.settings.catalog_url is not None:
        variables["DOCDUCK_CATALOG_URL"] = inst.settings.catalog_url
    environment = {**os.environ, **variables, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen([sys.executable, "-c", PAUSING], env=environment) as child:
        try:
            process = psutil.Process(child.pid)
            wait_for(lambda: process.status() == psutil.STATUS_STOPPED, 60)
            yield child
        finally:
            child.kill()


def test_what_a_paused_run_stores_too_late_is_refused(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    ids = [
        upload(any_inst, any_inst.team_id, parser.slug, f"Number: A-{n}".encode(), f"{n}.txt")
        for n in range(3)
    ]
    with paused_run(any_inst) as paused:
        with any_inst.catalog.transaction() as session:
            session.execute(update(Document).values(lease_expires_at=clock.now()))
        assert run(any_inst) == 3
        correct(any_inst, any_inst.team_id, ids[0], {"Number": "B-1"})
        paused.send_signal(signal.SIGCONT)
        assert paused.wait(60) == 0
    with any_inst.catalog.read_session() as session:
        results = session.scalars(select(DocumentResult.document_id)).all()
    assert sorted(results) == sorted(ids)
    found = [get_document(any_inst, any_inst.team_id, document_id) for document_id in ids]
    assert [(view.status, view.data["Number"]) for view in found] == [
        ("processed", "B-1"),
        ("processed", "A-1"),
        ("processed", "A-2"),
    ]
    for document_id in ids:
        assert [event for event, _ in history(any_inst, document_id) if event != "corrected"] == [
            *("stored", "claimed", "lease_lost", "claimed", "extracted")
        ]
