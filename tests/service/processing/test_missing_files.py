"""Documents wait whose files are away, or without room for what is in them, and are read later."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import Any

import pytest

from docduck.catalog.models import Document
from docduck.errors import DiskFull
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.fair_scheduling import HeldBack
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.workers.pool import WorkerPool
from tests.service.core.documents import upload


def test_a_file_that_is_away_is_no_failure_of_its_document(
    inst: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    there = upload(inst, inst.team_id, "ones", b"there", "there.txt")
    away = upload(inst, inst.team_id, "ones", b"away", "away.txt")
    with inst.catalog.read_session() as session:
        document = session.get(Document, away)
        assert document is not None
        path = inst.files.path(document.sha256)
    hidden = path.with_suffix(".hidden")
    path.rename(hidden)
    with caplog.at_level(logging.WARNING):
        process_queue(inst)
    assert get_document(inst, inst.team_id, there).status == "processed"
    waiting = get_document(inst, inst.team_id, away)
    assert (waiting.status, waiting.error) == ("queued", None)
    assert waiting.waiting is not None
    assert "its file can't be opened" in waiting.waiting.reason
    assert "No such file" in waiting.waiting.reason
    assert re.search(r"; it is tried again at \d{4}-\d\d-\d\dT[\d:.]+Z", waiting.waiting.reason)
    assert away in caplog.text

    hidden.rename(path)
    process_queue(inst)
    assert get_document(inst, inst.team_id, away).status == "processed"


def test_a_document_waits_for_room_on_the_disk(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    document_id = upload(inst, inst.team_id, "ones", b"one", "one.txt")
    wait = WorkerPool.wait

    def without_room(self: WorkerPool[Any, Any], *arguments: Any) -> Any:
        full = DiskFull("the disk of temporary files is full")
        return [replace(outcome, result=None, error=full) for outcome in wait(self, *arguments)]

    with monkeypatch.context() as patched:
        patched.setattr(WorkerPool, "wait", without_room)
        process_queue(inst, RunOptions(idle_seconds=0))
    document = get_document(inst, inst.team_id, document_id)
    assert (document.status, document.error) == ("queued", None)
    assert document.waiting is not None
    assert "the disk of temporary files is full; it is tried again at" in document.waiting.reason
    process_queue(inst, RunOptions(idle_seconds=0))
    assert get_document(inst, inst.team_id, document_id).status == "processed"


def test_a_document_is_tried_after_ever_longer_times() -> None:
    now = 0.0
    held = HeldBack(lambda: now)
    waits = []
    for _ in range(6):
        waits.append(held.add("a"))
        assert held.ids == ("a",)
        now += waits[-1]
        assert not held.ids
    assert waits == [5.0, 10.0, 20.0, 40.0, 60.0, 60.0]
