"""Runs that are started at once for what was queued, against an endpoint that answers as Dagster does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.waiting import next_run
from docduck.service.documents.reprocessing import reprocess
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import NewParser, create_parser, delete_parser, get_parser
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.processing import process_queue
from docduck.service.runs.folder_watch import WATCH_SECONDS
from docduck.service.runs.processing_runs import BLOCKED_TAG, FAILURE_REASON_TAG
from docduck.service.runs.run_at_end import run_at_end
from docduck.service.runs.run_starter import starting_runs
from tests.conftest import MakeInstallation
from tests.endpoint import Endpoint, Question, Reply, model
from tests.service.core.documents import upload
from tests.service.processing.threads import at_once
from tests.waiting import wait_for

SOON = 5.0

FAULT = {FAILURE_REASON_TAG: "STEP_FAILURE"}
KILLED = {FAILURE_REASON_TAG: "UNKNOWN"}
BLOCKED = {**FAULT, BLOCKED_TAG: "ones/documents:rows"}


@dataclass
class Dagster:
    """Its runs, and what was launched; a launched run is live until the test ends it."""

    live: list[dict[str, Any]] = field(default_factory=list)
    finished: list[dict[str, Any]] = field(default_factory=list)
    launched: list[str] = field(default_factory=list)
    refuses: bool = False
    seconds: float = 0.0
    may_answer: threading.Event | None = None

    def answer(self, question: Question) -> Reply:
        query, variables = question.body["query"], question.body["variables"]
        time.sleep(self.seconds)
        if self.may_answer is not None:
            self.may_answer.wait(4 * SOON)
        if "launchRun" in query:
            return Reply({"data": {"launchRun": self._launch(variables["params"])}})
        if "failed" in variables:
            wanted = variables["failed"]["runIds"]
            results = [run for run in self.finished if run["runId"] in wanted]
            return Reply({"data": {"runsOrError": {"results": results}}})
        return Reply({"data": {"live": {"results": self.live}, "finished": {"results": self.finished}}})

    def _launch(self, params: dict[str, Any]) -> dict[str, Any]:
        if self.refuses:
            return {"__typename": "PythonError", "message": "no room"}
        assert "assetSelection" not in params["selector"]
        self.launched.append(params["selector"]["jobName"])
        self.live.append(run())
        return {"__typename": "LaunchRunSuccess", "run": {"runId": "1"}}


def run(
    *slugs: str,
    status: str = "STARTED",
    job: str = "upload",
    ended_at: float | None = None,
    location: str = "docduck",
    tags: Mapping[str, str] = FAULT,
) -> dict[str, Any]:
    selection = [{"path": [slug, "documents"]} for slug in slugs] or None
    return {
        "runId": uuid4().hex,
        "pipelineName": job,
        "status": status,
        "assetSelection": selection,
        "endTime": ended_at,
        "repositoryOrigin": {"repositoryLocationName": location},
        "tags": [{"key": key, "value": value} for key, value in tags.items()],
    }


@dataclass
class Shop:
    """An installation whose process starts runs, and the Dagster that it asks."""

    inst: Installation
    dagster: Dagster
    endpoint: Endpoint

    def upload(self, slug: str, text: str = "hello") -> str:
        return upload(self.inst, self.inst.team_id, slug, text.encode(), "a.txt")


@pytest.fixture
def opened(make_installation: MakeInstallation) -> Callable[..., Any]:
    @contextmanager
    def open_shop(**dagster: Any) -> Iterator[Shop]:
        there = Dagster(**dagster)
        with model(there.answer) as endpoint:
            inst = make_installation(dagster_url=endpoint.url)
            for name in ("Ones", "Twos"):
                create_parser(inst, inst.team_id, NewParser(name=name))
            with starting_runs(inst):
                yield Shop(inst, there, endpoint)

    return open_shop


def test_an_upload_starts_a_run_and_waits_for_nothing(opened: Callable[..., Any]) -> None:
    may_answer = threading.Event()
    with opened(may_answer=may_answer) as shop:
        # Also for a parser that Dagster does not know yet.
        create_parser(shop.inst, shop.inst.team_id, NewParser(name="New"))
        begin = time.monotonic()
        document_id = shop.upload("new")
        assert time.monotonic() - begin < SOON
        may_answer.set()
        wait_for(lambda: shop.dagster.launched)
        assert shop.dagster.launched == ["upload"]
        process_queue(shop.inst)
        shop.dagster.live.clear()
        reprocess(shop.inst, shop.inst.team_id, [document_id])
        wait_for(lambda: len(shop.dagster.launched) == 2)


def test_a_change_of_a_document_starts_a_run_that_writes_its_rows(opened: Callable[..., Any]) -> None:
    with opened() as shop:
        document_id = shop.upload("ones")
        wait_for(lambda: shop.dagster.launched)
        process_queue(shop.inst)
        ones = get_parser(shop.inst, shop.inst.team_id, "ones").id
        for change in (
            lambda: update_document(shop.inst, shop.inst.team_id, ones, document_id, {"name": "new.txt"}),
            lambda: delete_documents(shop.inst, shop.inst.team_id, [document_id]),
        ):
            shop.dagster.live.clear()
            shop.dagster.launched.clear()
            change()
            wait_for(lambda: shop.dagster.launched)
            sync_warehouse(shop.inst)


def test_many_uploads_at_once_are_one_run_and_one_question_at_a_time(opened: Callable[..., Any]) -> None:
    with opened(seconds=0.05) as shop:
        texts = [(slug, f"{slug} {number}") for number in range(10) for slug in ("ones", "twos")]
        at_once(*(partial(shop.upload, *one) for one in texts))
        wait_for(lambda: shop.dagster.launched)
        time.sleep(0.6)
        assert len(shop.dagster.launched) == 1
        assert shop.endpoint.most_at_once == 1


def test_a_live_run_reads_what_comes_until_it_ends(opened: Callable[..., Any]) -> None:
    assets = [run(slug, job="__ASSET_JOB") for slug in ("ones", "twos")]
    with opened() as shop:
        for number, live in enumerate((run(), run(status="QUEUED"), run(status="STARTING"), *assets)):
            shop.dagster.live[:] = [live]
            shop.dagster.launched.clear()
            shop.endpoint.questions.clear()
            shop.upload("ones", f"{number}")
            wait_for(lambda: len(shop.endpoint.questions) >= 2)
            assert shop.dagster.launched == []
            shop.dagster.live.clear()
            wait_for(lambda: shop.dagster.launched)


def test_runs_of_sources_or_exports_alone_and_of_others_read_nothing(opened: Callable[..., Any]) -> None:
    others = [run("exports", job="__ASSET_JOB"), run("spend", job="__ASSET_JOB", location="spend")]
    with opened(live=[run("sources", job="__ASSET_JOB"), run(job="export"), *others]) as shop:
        shop.upload("ones")
        wait_for(lambda: shop.dagster.launched)


def test_a_live_run_is_asked_for_no_more_once_the_queue_is_empty(opened: Callable[..., Any]) -> None:
    with opened(live=[run("ones")]) as shop:
        shop.upload("ones")
        wait_for(lambda: shop.endpoint.questions)
        process_queue(shop.inst)
        time.sleep(0.6)
        asked = len(shop.endpoint.questions)
        time.sleep(1.2)
        assert len(shop.endpoint.questions) == asked


@pytest.mark.parametrize(
    ("failures", "seconds_ago", "is_started"), [(1, 5, False), (1, 11, True), (2, 15, False), (2, 21, True)]
)
def test_a_run_is_started_once_the_delay_after_failures_is_over(
    opened: Callable[..., Any], failures: int, seconds_ago: float, is_started: bool
) -> None:
    ended_at = time.time() - seconds_ago
    ended = [run("ones", status="FAILURE", ended_at=ended_at) for _ in range(failures)]
    with opened(finished=[*ended, run("ones", status="SUCCESS", ended_at=ended_at)]) as shop:
        shop.upload("ones")
        if is_started:
            wait_for(lambda: shop.dagster.launched)
        else:
            wait_for(lambda: next_run(shop.inst))
            assert shop.dagster.launched == []


@pytest.mark.parametrize("tags", [KILLED, BLOCKED, {}])
def test_no_run_is_waited_for_that_was_killed_or_blocked_by_a_check(
    opened: Callable[..., Any], tags: Mapping[str, str]
) -> None:
    now = time.time()
    killed = [run(status="FAILURE", ended_at=now, tags=tags) for _ in range(7)]
    with opened(finished=[*killed, run(status="FAILURE", ended_at=now)]) as shop:
        shop.upload("ones")
        wait_for(lambda: shop.dagster.launched)


def test_what_dagster_refuses_stays_queued(opened: Callable[..., Any]) -> None:
    with opened(refuses=True) as shop:
        shop.upload("ones")
        wait_for(lambda: len(shop.endpoint.questions) == 2)
        assert sum(amount.queued for amount in backlogs(shop.inst).values()) == 1
        shop.dagster.refuses = False
        shop.upload("ones", "another")
        wait_for(lambda: shop.dagster.launched)


def test_a_dagster_that_answers_nonsense_costs_nothing(
    make_installation: MakeInstallation, caplog: pytest.LogCaptureFixture
) -> None:
    first = make_installation()
    create_parser(first, first.team_id, NewParser(name="Ones"))
    for number, reply in enumerate(
        (
            Reply(b"<html>", 502),
            Reply({"errors": [{"message": "no such field"}]}),
            Reply({"data": None}),
            Reply([1]),
            Reply(reset=True),
        ),
        start=1,
    ):
        caplog.clear()
        with model([reply]) as endpoint:
            inst = make_installation(dagster_url=endpoint.url)
            with starting_runs(inst):
                upload(inst, inst.team_id, "ones", b"%d" % number, "a.txt")
                wait_for(lambda: "a sensor will do it" in caplog.text)
        assert sum(amount.queued for amount in backlogs(inst).values()) == number


def test_what_is_queued_already_starts_a_run_and_a_dagster_that_is_away_costs_nothing(
    make_installation: MakeInstallation, caplog: pytest.LogCaptureFixture
) -> None:
    there = Dagster()
    threads = threading.active_count()
    with starting_runs(make_installation()):
        assert threading.active_count() == threads, "without an address nothing is asked"
    away = make_installation(dagster_url="http://127.0.0.1:9")
    create_parser(away, away.team_id, NewParser(name="Ones"))
    with starting_runs(away):
        upload(away, away.team_id, "ones", b"hello", "a.txt")
        wait_for(lambda: "the connection failed" in caplog.text)
    with model(there.answer) as endpoint, starting_runs(make_installation(dagster_url=endpoint.url)):
        wait_for(lambda: there.launched)


def test_a_deleted_parser_gets_no_run(opened: Callable[..., Any]) -> None:
    with opened(live=[run("ones")]) as shop:
        shop.upload("ones")
        wait_for(lambda: shop.endpoint.questions)
        delete_parser(shop.inst, shop.inst.team_id, "ones")
        time.sleep(0.3)
        shop.dagster.live.clear()
        time.sleep(1.0)
        assert shop.dagster.launched == []


def test_a_command_starts_a_run_at_its_end_where_docduck_up_has_noted_its_address(
    make_installation: MakeInstallation,
) -> None:
    there = Dagster()
    inst = make_installation()
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    with model(there.answer) as endpoint:
        (inst.settings.home / "run").mkdir(exist_ok=True)
        (inst.settings.home / "run" / "ui").write_text(f"{endpoint.url}\n")
        with run_at_end(inst):
            pass
        assert endpoint.questions == []
        with run_at_end(inst):
            for name in ("a", "b"):
                upload(inst, inst.team_id, "ones", name.encode(), f"{name}.txt")
            assert endpoint.questions == []
        assert there.launched == ["upload"]
    # It ends well where docduck up ran once.
    with run_at_end(inst):
        upload(inst, inst.team_id, "ones", b"hello", "c.txt")
    assert sum(amount.queued for amount in backlogs(inst).values()) == 3


def test_a_dropped_file_starts_a_run(opened: Callable[..., Any]) -> None:
    with opened() as shop:
        folder = shop.inst.settings.inbox / "twos"
        (folder / "a.txt").write_bytes(b"hello")
        wait_for(lambda: shop.dagster.launched)
        assert shop.dagster.launched == ["upload"]
        time.sleep(2 * WATCH_SECONDS)
        assert len(shop.dagster.launched) == 1, "the live run takes it in"


@pytest.mark.parametrize("settle_seconds", [0, 60])
def test_a_change_that_the_system_reports_starts_a_run_before_the_file_has_settled(
    make_installation: MakeInstallation, settle_seconds: float
) -> None:
    there = Dagster()
    with model(there.answer) as endpoint:
        inst = make_installation(
            dagster_url=endpoint.url, folder_watch_seconds=1000, settle_seconds=settle_seconds
        )
        create_parser(inst, inst.team_id, NewParser(name="Ones"))
        with starting_runs(inst):
            time.sleep(0.5)
            assert there.launched == []

            def written() -> list[str]:
                # Once more, in case the folder was not watched yet.
                (inst.settings.inbox / "ones" / "a.txt").write_bytes(b"hello")
                return there.launched

            wait_for(written)
