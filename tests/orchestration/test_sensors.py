"""Run requests of the sensors, and the reasons of ticks that skip."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from dagster import AssetKey, DagsterInstance, DagsterRun, DagsterRunStatus, RunRequest
from dagster._core.utils import make_new_run_id
from sqlalchemy import update

from dagster_docduck.orchestration.runs import MONITOR_SECONDS, UPLOAD_RUNS
from dagster_docduck.resources.installation import PROCESS_TAG
from docduck.catalog.models import ParserField
from docduck.owner import this_process
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import DurationClass
from docduck.service.documents.queries.waiting import next_run
from docduck.service.parsers.parsers import (
    NewParser,
    ParserChanges,
    create_parser,
    delete_parser,
    get_parser,
    update_parser,
)
from docduck.service.processing import document_queue
from docduck.service.processing.run_lock import RUN_START_SECONDS
from docduck.service.runs.processing_runs import FAILURE_REASON_TAG
from docduck.service.runs.run_starter import HEAD_START_SECONDS
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import inbox
from tests.conftest import MakeInstallation
from tests.orchestration.parts import four_parsers, repository, tick
from tests.service.core.documents import make_parser, upload
from tests.service.reviews.reviews_world import read_one, stage
from tests.service.reviews.test_waiting import age

pytestmark = pytest.mark.slow

DOCUMENTS = ("invoices", "documents")


def drop(inst: Installation, slug: str = "invoices", name: str = "a.txt") -> Path:
    path = inst.settings.inbox / slug / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"a document of {slug} called {name}")
    return path


def add_run(
    instance: DagsterInstance,
    keys: Sequence[Sequence[str]] | None,
    status: DagsterRunStatus = DagsterRunStatus.STARTED,
    *,
    job: str = "upload",
    tags: dict[str, str] | None = None,
) -> DagsterRun:
    selection = None if keys is None else frozenset(AssetKey(list(key)) for key in keys)
    return instance.add_run(
        DagsterRun(
            job_name=job, run_id=make_new_run_id(), status=status, asset_selection=selection, tags=tags or {}
        )
    )


def is_upload(request: RunRequest | None) -> bool:
    """Return whether a run of ``upload`` was requested, and nothing planned for it."""
    assert request is not None
    return (request.job_name, request.asset_selection, request.run_config) == ("upload", None, {})


def test_new_files_request_one_run(shop: Installation, instance: DagsterInstance) -> None:
    defs, folder = repository(shop), shop.settings.pipeline.parent / "scans"
    request, words, _ = tick(shop, instance, "inbox_sensor", defs=defs)
    assert (request, words[:11]) == (None, "Nothing new")
    for name in ("a.txt", "b.txt"):
        drop(shop, "invoices", name)
    drop(shop, "receipts")
    assert is_upload(tick(shop, instance, "inbox_sensor", defs=defs)[0])
    (folder / "x.txt").write_text("not a pdf")
    assert tick(shop, instance, "scans_2nd_floor_sensor", defs=defs)[0] is None
    (folder / "x.pdf").write_bytes(b"%PDF-1.4")
    assert is_upload(tick(shop, instance, "scans_2nd_floor_sensor", defs=defs)[0])


def test_a_live_run_ingests_whichever_parsers_it_is_for(
    shop: Installation, instance: DagsterInstance
) -> None:
    defs = repository(shop)
    drop(shop, "receipts")
    add_run(instance, [("sources", "inbox")], job="__ASSET_JOB")
    add_run(instance, [("exports", "always")], job="__ASSET_JOB")
    add_run(instance, None, job="export")
    add_run(instance, [DOCUMENTS], DagsterRunStatus.SUCCESS)
    assert is_upload(tick(shop, instance, "inbox_sensor", defs=defs)[0]), "others read nothing"
    for job, keys in (("upload", None), ("__ASSET_JOB", [DOCUMENTS])):
        run = add_run(instance, keys, DagsterRunStatus.STARTING, job=job)
        request, words, _ = tick(shop, instance, "inbox_sensor", defs=defs)
        assert request is None
        assert words == f"Run {run.run_id[:8]} ingests from {shop.settings.inbox}."
        instance.delete_run(run.run_id)


def test_files_of_a_broken_parser_are_taken_in_and_what_is_broken_is_reported(
    shop: Installation, instance: DagsterInstance
) -> None:
    break_parser(shop, "invoices")
    defs = repository(shop)
    drop(shop)
    assert is_upload(tick(shop, instance, "inbox_sensor", defs=defs)[0])
    ingest(shop, inbox(shop))
    request, words, _ = tick(shop, instance, "queued_documents", defs=defs)
    assert request is None
    assert words.startswith("No documents are queued. Parser 'invoices' can't be used")
    assert "invoices" in tick(shop, instance, "catalog_changed", defs=defs)[1]
    shop.settings.pipeline.write_text("sources:\n  - name: x\n    colour: red\n")
    assert "pipeline.yaml:2" in tick(shop, instance, "catalog_changed")[1]


def test_an_upload_starts_a_run_of_its_parser(shop: Installation, instance: DagsterInstance) -> None:
    defs = repository(shop)
    assert tick(shop, instance, "queued_documents", defs=defs)[1] == "No documents are queued."
    # Also if its parser is newer than the definitions.
    create_parser(shop, shop.team_id, NewParser(name="New"))
    upload(shop, shop.team_id, "new", b"hello", "hello.txt")
    assert is_upload(tick(shop, instance, "queued_documents", defs=defs)[0])
    run = add_run(instance, [DOCUMENTS])
    upload(shop, shop.team_id, "receipts", b"hello", "hello.txt")
    request, words, _ = tick(shop, instance, "queued_documents", defs=defs)
    assert request is None
    assert re.fullmatch(
        r"2 queued \(2 parsers, the oldest for \d+ s\), 1 not yet in the warehouse\. "
        rf"Run {run.run_id[:8]} processes them\.",
        words,
    )
    upload(shop, shop.team_id, "receipts", b"%PDF-1.4", "slow.pdf")
    parser_id = get_parser(shop, shop.team_id, "receipts").id
    document_queue.expect_slow(shop, DurationClass.of(parser_id, "application/pdf", 8))
    words = tick(shop, instance, "queued_documents", defs=defs)[1]
    assert "3 queued (2 parsers, 1 slow, the oldest for " in words


def test_the_service_has_a_head_start_and_a_tick_waits_for_no_young_file(
    make_installation: MakeInstallation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(dagster_url="http://127.0.0.1:9")
    four_parsers(inst)
    defs = repository(inst)
    drop(inst)
    request, words, cursor = tick(inst, instance, "inbox_sensor", defs=defs)
    assert request is None
    assert words.endswith("The service is about to start a run.")
    request, _, cursor = tick(inst, instance, "inbox_sensor", cursor, defs)
    assert is_upload(request), "of one tick for new files"
    ingest(inst, inbox(inst))
    request, words, cursor = tick(inst, instance, "inbox_sensor", cursor, defs)
    assert (request, words[:11]) == (None, "Nothing new")
    drop(inst, name="b.txt")
    assert tick(inst, instance, "inbox_sensor", cursor, defs)[0] is None

    request, words, _ = tick(inst, instance, "queued_documents", defs=defs)
    assert request is None
    assert words.endswith("The service is about to start a run.")
    later = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=HEAD_START_SECONDS)
    monkeypatch.setattr("dagster_docduck.queue_sensor.clock.now", lambda: later)
    assert is_upload(tick(inst, instance, "queued_documents", defs=defs)[0])

    drop(inst, name="young.txt")
    young = make_installation(settle_seconds=60)
    request, words, _ = tick(young, instance, "inbox_sensor", defs=defs)
    assert request is None
    assert "settled" in words


def test_a_request_is_repeated_only_after_its_run(shop: Installation, instance: DagsterInstance) -> None:
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    drop(shop)
    requests = [tick(shop, instance, name)[0] for name in ("queued_documents", "inbox_sensor")]
    before = {one.run_key for one in requests if one is not None}
    assert len(before) == 1, "a sensor starts one run for a key"
    instance.report_run_failed(add_run(instance, None), "It failed")
    request, _, _ = tick(shop, instance, "queued_documents")
    assert request is not None
    assert request.run_key not in before


def test_a_run_whose_process_is_gone_is_marked_as_failed_and_its_work_continued(
    shop: Installation, instance: DagsterInstance
) -> None:
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    here = add_run(instance, None, job="export", tags={PROCESS_TAG: this_process()})
    *who, _start, token = this_process().split("/")
    lost = add_run(instance, [DOCUMENTS], tags={PROCESS_TAG: "/".join([*who, "0.00", token])})
    assert is_upload(tick(shop, instance, "queued_documents")[0])
    statuses = {run.run_id: run.status for run in instance.get_runs()}
    assert statuses == {here.run_id: DagsterRunStatus.STARTED, lost.run_id: DagsterRunStatus.FAILURE}


def test_a_run_that_starts_counts_until_dagster_gives_it_up(
    shop: Installation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    drop(shop)
    defs = repository(shop)
    for status in (DagsterRunStatus.NOT_STARTED, DagsterRunStatus.STARTING):
        run = add_run(instance, None, status)
        begin = dt.datetime.now(dt.UTC)
        for seconds in (0, 31, 90, RUN_START_SECONDS):
            later = begin + dt.timedelta(seconds=seconds)
            monkeypatch.setattr("dagster_docduck.orchestration.runs.clock.now", lambda later=later: later)
            for name in ("queued_documents", "inbox_sensor"):
                assert tick(shop, instance, name, defs=defs)[0] is None, f"after {seconds} s"
        later = begin + dt.timedelta(seconds=RUN_START_SECONDS + 2 * MONITOR_SECONDS + 5)
        monkeypatch.setattr("dagster_docduck.orchestration.runs.clock.now", lambda later=later: later)
        assert not UPLOAD_RUNS.live(instance)
        assert is_upload(tick(shop, instance, "queued_documents", defs=defs)[0])
        instance.delete_run(run.run_id)


def test_runs_that_keep_failing_are_spaced_out(shop: Installation, instance: DagsterInstance) -> None:
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    fail(instance, "UNKNOWN", "receipts")
    assert is_upload(tick(shop, instance, "queued_documents")[0])
    for _ in range(3):
        fail(instance, "STEP_FAILURE", "invoices")
    drop(shop)
    for name in ("queued_documents", "inbox_sensor"):
        request, words, _ = tick(shop, instance, name)
        assert request is None
        assert "failed; trying again in" in words
    assert next_run(shop) is not None
    # The tables of a deleted parser go without a run.
    assert "receipts" in shop.warehouse.counts(published=False)
    delete_parser(shop, shop.team_id, "receipts")
    assert tick(shop, instance, "queued_documents")[0] is None
    assert set(shop.warehouse.counts()) == {"invoices", "purchase_orders", "bank_statements"}


def test_a_change_of_parsers_requests_a_reload(inst: Installation, instance: DagsterInstance) -> None:
    create_parser(inst, inst.team_id, NewParser(name="One"))
    defs = repository(inst)
    assert tick(inst, instance, "catalog_changed", defs=defs)[1] == "The definitions are up to date."
    update_parser(inst, inst.team_id, "one", ParserChanges(name="Two"))
    assert "Press 'Reload'" in tick(inst, instance, "catalog_changed", defs=defs)[1]
    assert tick(inst, instance, "catalog_changed")[1] == "The definitions are up to date."


def break_parser(inst: Installation, slug: str) -> None:
    with inst.catalog.transaction() as session:
        field = session.query(ParserField).filter(ParserField.parser.has(slug=slug)).first()
        assert field is not None
        session.execute(
            update(ParserField).where(ParserField.parser_id == field.parser_id).values(type="text", name=" ")
        )


def fail(instance: DagsterInstance, reason: str, slug: str) -> None:
    run = add_run(instance, [(slug, "documents")], job="__ASSET_JOB", tags={FAILURE_REASON_TAG: reason})
    instance.report_run_failed(run, "It failed")


def test_overdue_reviews_are_logged_once(inst: Installation, capfd: pytest.CaptureFixture[str]) -> None:
    parser = make_parser(inst)
    stage(inst, parser, "Books", None)
    first, second = (read_one(inst, parser, prefix) for prefix in "ab")
    with DagsterInstance.ephemeral() as instance:
        cursor: str | None = None
        for document_id, count in ((None, 0), (first, 1), (second, 1), (None, 0)):
            if document_id is not None:
                age(inst, document_id, 25)
            capfd.readouterr()
            _, reason, cursor = tick(inst, instance, "overdue_reviews", cursor)
            assert reason == f"{count} documents have become overdue."
            lines = capfd.readouterr().err.splitlines()
            logged = [line for line in lines if "waits in review stage 'Books'" in line]
            assert [str(document_id) in line for line in logged] == [True] * count
