"""Reading without Dagster, when no run starts, and ingestion while a run processes documents."""

from __future__ import annotations

import logging
import threading
import time

import pytest

from docduck.service.classifiers.classifiers import delete_classifier
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.run_lock import RUN, SERVICE, exclusive_run, is_wanted, reader_of
from docduck.service.runs.run_starter import starting_runs
from docduck.service.runs.source_watcher import SourceWatcher
from docduck.service.sources import folder_intake
from docduck.service.sources.intake import inspect_source
from docduck.service.sources.report import SourceState
from docduck.service.sources.scan import SourceScan, scan
from docduck.service.sources.sources import FolderSource, Source, inbox
from docduck.service.upkeep.health import reading_trouble
from tests.conftest import MakeInstallation
from tests.service.classifiers.classifiers_world import make_classifier, unrouted
from tests.service.core.documents import upload
from tests.waiting import wait_for

SOON = 60.0
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def inst(make_installation: MakeInstallation) -> Installation:
    inst = make_installation(dagster_url=NOWHERE, read_alone_seconds=0.5, workers=1)
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    return inst


def test_what_waits_is_read_without_a_run(inst: Installation, caplog: pytest.LogCaptureFixture) -> None:
    document_id = upload(inst, inst.team_id, "ones", b"hello", "a.txt")
    (inst.settings.inbox / "ones" / "b.txt").write_bytes(b"dropped")
    with starting_runs(inst):
        wait_for(lambda: get_document(inst, inst.team_id, document_id).status == "processed", SOON)
        wait_for(lambda: inst.warehouse.counts().get("ones", {}).get("documents") == 2, SOON)
    assert "no run of Dagster has read for" in caplog.text


def test_a_run_that_reads_is_left_alone(inst: Installation, caplog: pytest.LogCaptureFixture) -> None:
    upload(inst, inst.team_id, "ones", b"hello", "a.txt")
    assert reading_trouble(inst) is None, "a run may still start"
    with exclusive_run(inst) as alone:
        assert alone
        with starting_runs(inst):
            time.sleep(1.5)
    assert "no run of Dagster has read for" not in caplog.text


def test_the_health_says_when_nothing_is_being_read(make_installation: MakeInstallation) -> None:
    inst = make_installation(warn_seconds=0.001)
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    assert reading_trouble(inst) is None
    upload(inst, inst.team_id, "ones", b"hello", "a.txt")
    time.sleep(0.01)
    assert "nothing is being read: 1 documents wait" in str(reading_trouble(inst))
    with exclusive_run(inst, reader=SERVICE):
        assert "the service reads documents itself" in str(reading_trouble(inst))
    with exclusive_run(inst):
        assert reading_trouble(inst) is None
    # Documents that wait to be routed count until their classifier is deleted.
    classifier, _ = make_classifier(inst, "Invoices")
    unrouted(inst, classifier, "a.txt")
    assert "nothing is being read: 2 documents wait" in str(reading_trouble(inst))
    delete_classifier(inst, inst.team_id, classifier.id)
    assert "nothing is being read: 1 documents wait" in str(reading_trouble(inst))


def test_the_lock_tells_who_reads_and_whether_another_waits(inst: Installation) -> None:
    assert reader_of(inst) is None
    with exclusive_run(inst) as alone:
        assert alone
        assert reader_of(inst) == RUN
        assert not is_wanted(inst)
        with exclusive_run(inst, wait_seconds=0.2) as second:
            assert not second
        assert is_wanted(inst)
    assert reader_of(inst) is None


def drop(inst: Installation, name: str = "a.txt") -> None:
    (inst.settings.inbox / "ones" / name).write_text(f"a document called {name}")


@pytest.fixture
def shop(make_installation: MakeInstallation) -> Installation:
    inst = make_installation()
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    return inst


def registered(watcher: SourceWatcher) -> int:
    return sum(report.registered for _, report in watcher.reports())


def test_a_check_that_ingests_scans_the_source_once(
    shop: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    scans: list[str] = []

    def counted(inst: Installation, source: FolderSource) -> SourceScan:
        scans.append(source.name)
        return scan(inst, source)

    monkeypatch.setattr(folder_intake, "scan", counted)
    monkeypatch.setattr("docduck.service.runs.source_watcher._INTERVAL_SECONDS", 2 * SOON)
    drop(shop)
    with SourceWatcher(shop, [inbox(shop)], logging.getLogger()) as watcher:
        wait_for(lambda: registered(watcher) == 1)
    ((source, report),) = watcher.reports()
    assert (source.name, report.registered) == ("inbox", 1)
    assert scans == ["inbox"]


def test_a_change_that_the_system_reports_is_seen_at_once(
    shop: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_INTERVAL_SECONDS", "_QUIET_SECONDS"):
        monkeypatch.setattr(f"docduck.service.runs.source_watcher.{name}", 2 * SOON)
    drop(shop)
    with SourceWatcher(shop, [inbox(shop)], logging.getLogger()) as watcher:
        wait_for(lambda: registered(watcher) == 1)
        drop(shop, "b.txt")
        wait_for(lambda: registered(watcher) == 2)


def test_reading_ends_after_the_first_look_at_each_source(
    shop: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking = threading.Event()

    def late(inst: Installation, source: Source, signature: str | None) -> SourceState:
        looking.wait(SOON)
        return inspect_source(inst, source, signature)

    monkeypatch.setattr("docduck.service.runs.source_watcher.inspect_source", late)
    drop(shop)
    with SourceWatcher(shop, [inbox(shop)], logging.getLogger()) as watcher:
        assert watcher.expected() is None
        threading.Timer(0.5, looking.set).start()
        reports = process_queue(shop, RunOptions(expecting=watcher.expected))
    assert sum(report.processed for report in reports) == 1
