"""Run requests of the sensors, and the reasons of ticks that skip."""

from __future__ import annotations

import datetime as dt
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest
from dagster import AssetKey, DagsterInstance, DagsterRun, DagsterRunStatus
from dagster._core.utils import make_new_run_id
from sqlalchemy import update

from dagster_docduck.installation import PROCESS_TAG
from docduck.catalog.models import ParserField
from docduck.owner import this_process
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import DurationClass
from docduck.service.documents.new_documents import upload
from docduck.service.parsers.parsers import (
    NewParser,
    ParserChanges,
    create_parser,
    delete_parser,
    get_parser,
    update_parser,
)
from docduck.service.processing import document_queue
from docduck.service.runs.run_starter import HEAD_START_SECONDS
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import inbox
from orchestration.private_dagster import RUN_FAILURE_REASON_TAG
from orchestration.runs import START_SECONDS, live_run
from tests.conftest import MakeInstallation
from tests.orchestration.parts import four_parsers, keys_of, repository, tick
from tests.service.core.documents import make_parser
from tests.service.reviews.reviews_world import read_one, stage
from tests.service.reviews.test_waiting import age

pytestmark = pytest.mark.slow

INVOICES = {"invoices/documents", "invoices/line_items"}
RECEIPTS = {"receipts/documents", "receipts/line_items"}
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


def test_a_new_file_requests_one_run_of_its_parser(shop: Installation, instance: DagsterInstance) -> None:
    request, words, _ = tick(shop, instance, "inbox_sensor")
    assert (request, words[:11]) == (None, "Nothing new")
    for name in ("a.txt", "b.txt"):
        drop(shop, "invoices", name)
    request, _, _ = tick(shop, instance, "inbox_sensor")
    assert keys_of(request) == INVOICES
    drop(shop, "receipts")
    request, _, _ = tick(shop, instance, "inbox_sensor")
    assert keys_of(request) == INVOICES | RECEIPTS


def test_a_folder_of_the_pipeline_has_a_sensor(shop: Installation, instance: DagsterInstance) -> None:
    folder = shop.settings.pipeline.parent / "scans"
    (folder / "x.txt").write_text("not a pdf")
    assert tick(shop, instance, "scans_2nd_floor_sensor")[0] is None
    (folder / "x.pdf").write_bytes(b"%PDF-1.4")
    assert keys_of(tick(shop, instance, "scans_2nd_floor_sensor")[0]) == INVOICES


@pytest.mark.parametrize("job", ["upload", "read_documents"])
def test_a_live_run_ingests_whichever_parsers_it_is_for(
    shop: Installation, instance: DagsterInstance, job: str
) -> None:
    drop(shop, "receipts")
    keys = [DOCUMENTS] if job == "upload" else None
    run = add_run(instance, keys, DagsterRunStatus.STARTING, job=job)
    request, words, _ = tick(shop, instance, "inbox_sensor")
    assert request is None
    assert words == f"Run {run.run_id[:8]} ingests from {shop.settings.inbox}."


def test_runs_of_sources_or_exports_alone_read_nothing(shop: Installation, instance: DagsterInstance) -> None:
    add_run(instance, [("sources", "inbox")])
    add_run(instance, [("exports", "always")], job="__ASSET_JOB")
    drop(shop)
    assert keys_of(tick(shop, instance, "inbox_sensor")[0]) == INVOICES


def test_runs_of_other_jobs_and_finished_ones_do_not_count(
    shop: Installation, instance: DagsterInstance
) -> None:
    drop(shop)
    add_run(instance, None, job="export")
    add_run(instance, [DOCUMENTS], DagsterRunStatus.SUCCESS)
    assert keys_of(tick(shop, instance, "inbox_sensor")[0]) == INVOICES
    add_run(instance, None, job="upload", status=DagsterRunStatus.STARTING)
    assert tick(shop, instance, "inbox_sensor")[0] is None


def test_a_tick_does_not_wait_for_a_young_file(
    make_installation: MakeInstallation, instance: DagsterInstance
) -> None:
    inst = make_installation(settle_seconds=60)
    four_parsers(inst)
    drop(inst)
    request, words, _ = tick(inst, instance, "inbox_sensor")
    assert request is None
    assert "settled" in words


def test_files_of_a_broken_parser_are_taken_in_without_it(
    shop: Installation, instance: DagsterInstance
) -> None:
    break_parser(shop, "invoices")
    drop(shop)
    request, _, _ = tick(shop, instance, "inbox_sensor")
    assert request is not None
    assert (request.job_name, request.asset_selection) == ("read_documents", None)
    ingest(shop, inbox(shop))
    request, words, _ = tick(shop, instance, "queued_documents")
    assert request is None
    assert words.startswith("No documents are queued. Parser 'invoices' can't be used")


def test_an_upload_starts_a_run_of_its_parser(shop: Installation, instance: DagsterInstance) -> None:
    assert tick(shop, instance, "queued_documents")[1] == "No documents are queued."
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    assert keys_of(tick(shop, instance, "queued_documents")[0]) == INVOICES
    run = add_run(instance, [DOCUMENTS])
    upload(shop, shop.team_id, "receipts", b"hello", "hello.txt")
    request, words, _ = tick(shop, instance, "queued_documents")
    assert request is None
    assert re.fullmatch(
        rf"2 queued \(2 parsers, the oldest for \d+ s\)\. Run {run.run_id[:8]} processes them\.", words
    )


def test_a_run_for_very_many_parsers_is_not_planned(
    shop: Installation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docduck.service.runs.processing_runs.MAX_PLANNED_PARSERS", 1)
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    assert keys_of(tick(shop, instance, "queued_documents")[0]) == INVOICES
    upload(shop, shop.team_id, "receipts", b"hello", "hello.txt")
    request, _, _ = tick(shop, instance, "queued_documents")
    assert request is not None
    assert (request.job_name, request.asset_selection) == ("read_documents", None)


def test_slow_documents_are_counted_in_the_reason(shop: Installation, instance: DagsterInstance) -> None:
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    upload(shop, shop.team_id, "invoices", b"%PDF-1.4", "slow.pdf")
    document_queue.expect_slow(
        shop, DurationClass.of(get_parser(shop, shop.team_id, "invoices").id, "application/pdf", 8)
    )
    add_run(instance, [DOCUMENTS])
    assert "2 queued (1 parser, 1 slow, the oldest for " in tick(shop, instance, "queued_documents")[1]


def test_documents_of_a_parser_that_is_newer_than_the_definitions_start_a_run(
    shop: Installation, instance: DagsterInstance
) -> None:
    defs = repository(shop)
    create_parser(shop, shop.team_id, NewParser(name="New"))
    upload(shop, shop.team_id, "new", b"hello", "hello.txt")
    request, _, _ = tick(shop, instance, "queued_documents", defs=defs)
    assert request is not None
    assert (request.job_name, request.asset_selection) == ("read_documents", None)
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    request, _, _ = tick(shop, instance, "queued_documents", defs=defs)
    assert request is not None
    assert (request.job_name, keys_of(request)) == ("upload", INVOICES)


def test_the_api_has_a_head_start_of_two_seconds(
    make_installation: MakeInstallation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(dagster_url="http://127.0.0.1:9")
    four_parsers(inst)
    waits: list[float] = []
    monkeypatch.setattr("orchestration.sensors.queued_documents.time.sleep", waits.append)
    upload(inst, inst.team_id, "invoices", b"hello", "hello.txt")
    assert keys_of(tick(inst, instance, "queued_documents")[0]) == INVOICES
    (waited,) = waits
    assert HEAD_START_SECONDS - 1 < waited <= HEAD_START_SECONDS
    later = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=HEAD_START_SECONDS)
    monkeypatch.setattr("orchestration.sensors.queued_documents.clock.now", lambda: later)
    assert keys_of(tick(inst, instance, "queued_documents")[0]) == INVOICES
    assert len(waits) == 1


def test_no_second_run_is_started_beside_one_that_the_api_has_started(
    make_installation: MakeInstallation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(dagster_url="http://127.0.0.1:9")
    four_parsers(inst)
    upload(inst, inst.team_id, "invoices", b"hello", "hello.txt")

    def meanwhile(_seconds: float) -> None:
        add_run(instance, [DOCUMENTS], DagsterRunStatus.STARTING)

    monkeypatch.setattr("orchestration.sensors.queued_documents.time.sleep", meanwhile)
    request, words, _ = tick(inst, instance, "queued_documents")
    assert request is None
    assert words.endswith("processes them.")


def test_the_tables_of_a_deleted_parser_go_without_a_run(
    shop: Installation, instance: DagsterInstance
) -> None:
    assert "receipts" in shop.warehouse.counts(published=False)
    delete_parser(shop, shop.team_id, "receipts")
    request, words, _ = tick(shop, instance, "queued_documents")
    assert (request, words) == (None, "No documents are queued.")
    assert set(shop.warehouse.counts()) == {"invoices", "purchase_orders", "bank_statements"}


def test_a_run_whose_process_is_gone_is_marked_as_failed_and_its_work_continued(
    shop: Installation, instance: DagsterInstance
) -> None:
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    here = add_run(instance, None, job="export", tags={PROCESS_TAG: this_process()})
    lost = add_run(instance, [DOCUMENTS], tags={PROCESS_TAG: dead_process()})
    assert keys_of(tick(shop, instance, "queued_documents")[0]) == INVOICES
    statuses = {run.run_id: run.status for run in instance.get_runs()}
    assert statuses == {here.run_id: DagsterRunStatus.STARTED, lost.run_id: DagsterRunStatus.FAILURE}


def test_a_run_that_never_noted_its_process_counts_only_for_a_while(
    shop: Installation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_run(instance, [DOCUMENTS])
    assert live_run(instance)
    later = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=START_SECONDS + 5)
    monkeypatch.setattr("orchestration.runs.clock.now", lambda: later)
    assert not live_run(instance)


def test_runs_that_keep_failing_are_spaced_out(shop: Installation, instance: DagsterInstance) -> None:
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    fail(instance, "UNKNOWN", "receipts")
    assert keys_of(tick(shop, instance, "queued_documents")[0]) == INVOICES
    for _ in range(3):
        fail(instance, "STEP_FAILURE", "invoices")
    drop(shop)
    for name in ("queued_documents", "inbox_sensor"):
        request, words, _ = tick(shop, instance, name)
        assert request is None
        assert "failed; trying again in" in words


def test_a_change_of_parsers_requests_a_reload_once_it_has_ended(
    make_installation: MakeInstallation, instance: DagsterInstance
) -> None:
    inst = make_installation(reload_debounce_seconds=0.05)
    create_parser(inst, inst.team_id, NewParser(name="One"))
    defs = repository(inst)
    assert check(defs, inst, instance)[0] == "The definitions are up to date."
    update_parser(inst, inst.team_id, "one", ParserChanges(name="Two"))
    words, cursor = check(defs, inst, instance)
    assert "waiting for the change to end" in words
    words, cursor = check(defs, inst, instance, cursor)
    while "waiting for the change to end" in words:
        words, cursor = check(defs, inst, instance, cursor)
    assert "Press 'Reload'" in words
    assert check(repository(inst), inst, instance, cursor)[0] == "The definitions are up to date."


def test_a_broken_pipeline_file_is_reported(shop: Installation, instance: DagsterInstance) -> None:
    shop.settings.pipeline.write_text("sources:\n  - name: x\n    colour: red\n")
    _, words, _ = tick(shop, instance, "catalog_changed")
    assert "pipeline.yaml:2" in words


def test_a_broken_parser_is_reported(shop: Installation, instance: DagsterInstance) -> None:
    break_parser(shop, "receipts")
    _, words, _ = tick(shop, instance, "catalog_changed")
    assert "receipts" in words


def check(
    defs: Any, inst: Installation, instance: DagsterInstance, cursor: str | None = None
) -> tuple[str, str | None]:
    from dagster import build_sensor_context

    context = build_sensor_context(
        instance=instance, cursor=cursor, repository_def=defs, resources={"installation": inst}
    )
    answer = defs.get_sensor_def("catalog_changed")(context)
    return str(answer.skip_message), context.cursor


def break_parser(inst: Installation, slug: str) -> None:
    with inst.catalog.transaction() as session:
        field = session.query(ParserField).filter(ParserField.parser.has(slug=slug)).first()
        assert field is not None
        session.execute(
            update(ParserField).where(ParserField.parser_id == field.parser_id).values(type="text", name=" ")
        )


def fail(instance: DagsterInstance, reason: str, slug: str) -> None:
    run = add_run(instance, [(slug, "documents")], tags={RUN_FAILURE_REASON_TAG: reason})
    instance.report_run_failed(run, "It failed")


def dead_process() -> str:
    child = subprocess.Popen(
        [sys.executable, "-c", "from docduck.owner import this_process; print(this_process())"],
        stdout=subprocess.PIPE,
        text=True,
    )
    name, _ = child.communicate(timeout=60)
    assert not psutil.pid_exists(child.pid)
    return name.strip()


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
