from __future__ import annotations

import io
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import select, update

from docduck.catalog.models import Document, DocumentEvent, Parser, ParserField
from docduck.errors import DiskFull
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess_parser
from docduck.service.parsers.parsers import NewParser, ParserChanges, create_parser, update_parser
from docduck.service.processing import processing
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.fair_scheduling import FairScheduler, HeldBack
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.results import StoredOutcomes, store_outcomes
from docduck.service.processing.run_lock import exclusive_run, wait_for_other_run
from docduck.service.processing.run_report import RunReport
from docduck.workers.pool import WorkerPool
from tests.conftest import MakeInstallation
from tests.constants import children_environment
from tests.service.core.documents import make_parser, upload
from tests.service.processing.threads import at_once


def invoice(number: str, pages: int = 1, **security: object) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, invariant=1, **security)
    for _ in range(pages):
        for offset, line in enumerate((f"Number: {number}", "Total: 119.00")):
            canvas.drawString(72, 750 - 20 * offset, line)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def rows(inst: Installation, sql: str) -> list[tuple[object, ...]]:
    return list(inst.warehouse.query(sql).rows)


def test_the_time_of_folder_rules_counts_as_time_spent(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    upload(inst, inst.team_id, parser.slug, b"Number: A-1", "1.txt")
    charge, charged = FairScheduler.charge, list[tuple[str, str, float]]()

    def slow(inst: Installation, readings: Sequence[ExtractionOutcome], owner: str) -> StoredOutcomes:
        finished = store_outcomes(inst, readings, owner)
        return replace(finished, rule_seconds=[(one.claim, 42.0) for one in finished.stored])

    def noted(turns: FairScheduler, team_id: str, parser_id: str, seconds: float) -> None:
        charged.append((team_id, parser_id, seconds))
        charge(turns, team_id, parser_id, seconds)

    monkeypatch.setattr(processing, "store_outcomes", slow)
    monkeypatch.setattr(FairScheduler, "charge", noted)
    process_queue(inst, RunOptions(idle_seconds=0))
    assert charged.count((inst.team_id, parser.id, 42.0)) == 1


def test_a_queue_is_drained_into_catalog_and_tables(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    for i in range(7):
        upload(any_inst, any_inst.team_id, parser.slug, invoice(f"A-{i}"), f"{i}.pdf")
    told: list[int] = []
    (report,) = process_queue(any_inst, RunOptions(on_progress=told.append))
    assert (report.slug, report.documents, report.processed, report.failed) == ("invoices", 7, 7, 0)
    assert (report.pages, told[-1]) == (7, 7)
    assert report.confidence is not None
    assert report.pages_per_second > 0
    assert len(report.preview) == 7
    assert rows(any_inst, "SELECT number, total FROM invoices.documents ORDER BY 1") == [
        (f"A-{i}", 119) for i in range(7)
    ]
    assert backlogs(any_inst) == {}


def test_each_bad_document_ends_with_the_contracts_message_and_hurts_no_other(inst: Installation) -> None:
    parser = make_parser(inst)
    files = {
        "good.pdf": invoice("A-1"),
        "empty.pdf": b"",
        "damaged.pdf": b"%PDF-1.7\n" + os.urandom(2000),
        "secret.pdf": invoice("A-2", encrypt=StandardEncryption("user", "owner")),
        "program.exe": b"MZ\x90\x00" + bytes(1000),
        "cut.pdf": invoice("A-3")[:300],
        "also-good.pdf": invoice("A-4"),
        "blank.txt": b" \n \n",
    }
    ids = {name: upload(inst, inst.team_id, parser.slug, data, name) for name, data in files.items()}
    (report,) = process_queue(inst)
    outcome = {row.name: row.error for row in list_documents(inst, inst.team_id).rows}
    assert outcome == {
        "good.pdf": None,
        "empty.pdf": "File is empty",
        "damaged.pdf": "File is damaged or not readable",
        "secret.pdf": "File is password protected",
        "program.exe": "Unsupported file type",
        "cut.pdf": "File is damaged or not readable",
        "also-good.pdf": None,
        "blank.txt": None,
    }
    blank = get_document(inst, inst.team_id, ids["blank.txt"])
    assert (blank.status, blank.data["Number"]) == ("processed", None)
    assert blank.warnings == ["Nothing readable was found in the document"]
    assert (report.processed, report.failed) == (3, 5)
    assert report.errors["File is damaged or not readable"] == 2
    assert rows(inst, "SELECT status, count(*) FROM invoices.documents GROUP BY 1 ORDER BY 1") == [
        ("failed", 5),
        ("processed", 3),
    ]


def test_a_number_of_twenty_digits_does_not_fail_its_document(inst: Installation) -> None:
    parser = make_parser(inst)
    document_id = upload(
        inst, inst.team_id, parser.slug, b"Number: A-1\nTotal: 12345678901234567890", "1.txt"
    )
    process_queue(inst, RunOptions(idle_seconds=0))
    view = get_document(inst, inst.team_id, document_id)
    assert (view.status, view.error) == ("processed", None)
    assert (view.data["Number"], view.data["Total"]) == ("A-1", None)
    assert ["Total" in warning for warning in view.warnings] == [True]


def test_a_document_over_its_time_ends_timed_out(make_installation: MakeInstallation) -> None:
    inst = make_installation(worker_seconds=0.2, worker_page_seconds=0, worker_megabyte_seconds=0)
    parser = make_parser(inst)
    document_id = upload(inst, inst.team_id, parser.slug, invoice("A-1", pages=1500), "a.pdf")
    process_queue(inst)
    assert get_document(inst, inst.team_id, document_id).error == "Timed out while processing document"


def test_a_parsers_settings_reach_the_reading(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_pages=2)
    parser, narrow = make_parser(inst), make_parser(inst, "Narrow")
    changes = {"acceptedFileTypes": ["application/pdf"], "confidenceScores": {"enabled": False}}
    update_parser(inst, inst.team_id, narrow.slug, ParserChanges(settings=changes))
    taken = upload(inst, inst.team_id, narrow.slug, invoice("A-1"), "a.pdf")
    refused = upload(inst, inst.team_id, narrow.slug, b"Number: A-2", "a.txt")
    document_id = upload(inst, inst.team_id, parser.slug, invoice("A-1", pages=3), "a.pdf")
    too_many = "Document has 3 pages; at most 2 can be read (choose some with parsePages)"
    for pages, error in ((None, too_many), ("7", "No pages match parsePages"), ("2-", None)):
        if pages is not None:
            settings = {"parsePages": pages, "markdownParsing": {"enabled": True}}
            update_parser(inst, inst.team_id, parser.slug, ParserChanges(settings=settings))
            reprocess_parser(inst, inst.team_id, parser.slug)
        process_queue(inst)
        view = get_document(inst, inst.team_id, document_id)
        assert view.error == error
    assert (view.status, view.page_count, view.data["Number"]) == ("processed", 3, "A-1")
    failed, again = ["claimed", "extraction_failed"], ["reprocessed", "claimed"]
    events = [entry.event for entry in view.history]
    assert events == ["stored", *failed, "reprocessed", *failed, *again, "extracted"]
    view = get_document(inst, inst.team_id, taken)
    assert (view.data["Number"], view.confidence) == ("A-1", None)
    assert view.field_metadata["Number"]["confidence"] is None
    assert get_document(inst, inst.team_id, refused).error == "Unsupported file type"


def test_a_broken_parser_does_not_stop_the_others(inst: Installation) -> None:
    fields, settings, sound = (make_parser(inst, name) for name in ("Fields", "Settings", "Sound"))
    with inst.catalog.transaction() as session:
        session.execute(update(ParserField).where(ParserField.parser_id == fields.id).values(labels=17))
        broken = {"dataExtractionMode": "thorough"}
        session.execute(update(Parser).where(Parser.id == settings.id).values(settings=broken))
    for parser in (fields, settings, sound):
        upload(inst, inst.team_id, parser.slug, invoice("A-1"), "a.pdf")
    reports = {r.slug: r.processed for r in process_queue(inst)}
    assert reports == {"sound": 1}
    assert [backlogs(inst)[parser.id].queued for parser in (fields, settings)] == [1, 1]
    assert rows(inst, "SELECT number FROM sound.documents") == [("A-1",)]


def test_what_comes_while_a_run_is_alive_is_taken_at_once(inst: Installation) -> None:
    parser = make_parser(inst)
    upload(inst, inst.team_id, parser.slug, invoice("A-1"), "1.pdf")
    seen = threading.Event()
    took: list[float] = []

    def later() -> None:
        seen.wait(60)
        begin = time.monotonic()
        late = upload(inst, inst.team_id, parser.slug, invoice("A-2"), "2.pdf")
        while get_document(inst, inst.team_id, late).status != "processed":
            time.sleep(0.02)
        took.append(time.monotonic() - begin)
        seen.clear()

    thread = threading.Thread(target=later)
    thread.start()
    (report,) = process_queue(
        inst, RunOptions(idle_seconds=60, on_progress=lambda done: seen.set(), stop=lambda: bool(took))
    )
    thread.join()
    assert report.processed == 2
    assert took[0] < 30, "less than the run waits for"


def test_a_report_tells_what_was_read_until_then(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processing, "REPORT_SECONDS", 0)
    parser = make_parser(inst)
    upload(inst, inst.team_id, parser.slug, invoice("A-1"), "1.pdf")
    reports: list[RunReport] = []

    def stay(idle: float) -> bool:
        if len(reports) == 1:
            upload(inst, inst.team_id, parser.slug, invoice("A-2"), "2.pdf")
        return len(reports) < 2

    process_queue(inst, RunOptions(idle_seconds=0, on_report=lambda found: reports.extend(found), stay=stay))
    assert [(one.documents, len(one.preview)) for one in reports] == [(1, 1), (2, 2)]


def test_it_hands_over_after_its_time(inst: Installation) -> None:
    make_parser(inst)
    begin = time.monotonic()
    process_queue(inst, RunOptions(idle_seconds=60, max_seconds=0.3))
    assert time.monotonic() - begin < 40


def test_it_reads_no_more_documents_than_asked_for_and_of_these_parsers_alone(inst: Installation) -> None:
    parser = make_parser(inst)
    other = make_parser(inst, "Other")
    for one in (parser, other):
        for number in range(4):
            upload(inst, inst.team_id, one.slug, invoice(f"A-{number}"), f"{number}.pdf")
    (report,) = process_queue(inst, RunOptions(idle_seconds=0.2, max_documents=3, only={parser.id}))
    assert (report.slug, report.documents) == (parser.slug, 3)
    (report,) = process_queue(inst, RunOptions(idle_seconds=0.2, only={parser.id}))
    assert (report.slug, report.documents) == (parser.slug, 1)
    reports = process_queue(inst, RunOptions(idle_seconds=0.2, max_documents=9))
    assert sum(one.documents for one in reports) == 4


@pytest.mark.slow
def test_two_runs_at_once_share_the_queue(inst: Installation) -> None:
    parser = make_parser(inst)
    ids = [upload(inst, inst.team_id, parser.slug, invoice(f"A-{i}"), f"{i}.pdf") for i in range(16)]
    reports: list[RunReport] = []
    at_once(*[lambda: reports.extend(process_queue(inst, RunOptions(idle_seconds=0.5)))] * 2)
    assert sum(report.processed for report in reports) == 16
    with inst.catalog.read_session() as session:
        claims = session.scalars(
            select(DocumentEvent.document_id).where(DocumentEvent.event == "claimed")
        ).all()
    assert sorted(claims) == sorted(ids)
    assert rows(inst, "SELECT count(*), count(DISTINCT document_id) FROM invoices.documents") == [(16, 16)]


@pytest.mark.slow
def test_a_run_that_is_interrupted_gives_its_claims_back(inst: Installation) -> None:
    parser = make_parser(inst)
    for i in range(16):
        upload(inst, inst.team_id, parser.slug, invoice(f"A-{i}"), f"{i}.pdf")

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        process_queue(inst, RunOptions(on_progress=interrupt))
    counts = {row.status for row in list_documents(inst, inst.team_id, limit=100).rows}
    assert counts <= {"queued", "processed"}
    process_queue(inst)
    assert rows(inst, "SELECT status, count(*) FROM invoices.documents GROUP BY 1") == [("processed", 16)]


@pytest.mark.slow
def test_a_killed_run_leaves_no_worker_and_loses_nothing(
    make_installation: MakeInstallation, tmp_path: Path
) -> None:
    inst = make_installation()
    parser = create_parser(inst, inst.team_id, NewParser(template_key="invoice"))
    for i in range(30):
        upload(inst, inst.team_id, parser.slug, invoice(f"A-{i}"), f"{i}.pdf")
    program = (
        "import sys; from docduck.service.core.installation import open_installation;"
        "from docduck.service.processing.processing import RunOptions, process_queue;"
        "process_queue(open_installation(), RunOptions(on_progress=lambda n: print(n, flush=True)))"
    )
    environment = {
        **os.environ,
        **children_environment({"claim_batch": 8}),
        "DOCDUCK_HOME": str(inst.settings.home),
    }
    with subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline()
        children = [str(child.pid) for child in psutil.Process(run.pid).children(recursive=True)]
        run.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    process_queue(inst)
    assert rows(inst, "SELECT count(*), count(DISTINCT document_id) FROM invoices.documents") == [(30, 30)]
    assert {row.status for row in list_documents(inst, inst.team_id, limit=100).rows} == {"processed"}


def test_waiting_for_a_run_ends_when_it_ends(inst: Installation) -> None:
    with exclusive_run(inst) as alone:
        assert alone
        waiter = threading.Thread(target=wait_for_other_run, args=(inst,))
        waiter.start()
        waiter.join(0.3)
        assert waiter.is_alive()
    waiter.join(10)
    assert not waiter.is_alive()


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


def test_a_run_that_goes_on_reports_at_once_and_then_once_a_minute(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    reports: list[tuple[float, int]] = []
    begin, sent = time.monotonic(), iter(range(6))

    def noted(found: list[RunReport]) -> None:
        reports.append((time.monotonic() - begin, sum(report.written for report in found)))

    def stays(_idle: float) -> bool:
        # A document whenever the last one is in the tables.
        if (number := next(sent, None)) is None:
            return False
        upload(inst, inst.team_id, parser.slug, f"Number: {number}".encode(), f"{number}.txt")
        return True

    monkeypatch.setattr(processing, "REPORT_SECONDS", 600)
    process_queue(inst, RunOptions(idle_seconds=0, stay=stays, on_report=noted))
    assert [written for _, written in reports] == [0, 1], "what others wrote, and then the first"
    assert inst.warehouse.counts()["invoices"]["documents"] == 6

    reports.clear()
    sent = iter(range(6, 12))
    monkeypatch.setattr(processing, "REPORT_SECONDS", 1)
    process_queue(inst, RunOptions(idle_seconds=0, stay=stays, on_report=noted))
    moments = [seconds for seconds, _ in reports]
    # The first report tells what others wrote; the next one, of the first document, waits for nothing.
    assert len(moments) > 2
    assert all(later - earlier >= 1 for earlier, later in pairwise(moments[1:]))
