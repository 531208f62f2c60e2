"""The sensors of the component: one for each source, and one of the queue."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from dagster import (
    AssetKey,
    AssetMaterialization,
    AssetObservation,
    AssetSpec,
    DagsterInstance,
    DagsterRun,
    DagsterRunStatus,
    Definitions,
    MetadataValue,
    SensorResult,
    SkipReason,
    build_sensor_context,
)
from dagster._core.utils import make_new_run_id

from dagster_docduck.assets.sources import source_key
from dagster_docduck.assets.told_versions import DATA_VERSION, data_version
from dagster_docduck.component.sensors import TableRuns, new_documents_sensors
from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.waiting import next_run
from docduck.service.outputs.table_versions import table_versions
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.runs.processing_runs import BLOCKED_TAG
from docduck.service.runs.run_request import request_path
from docduck.service.sources.intake import ingest, inspect_source
from docduck.service.sources.ledger_pages import taken_documents
from docduck.service.sources.report import SourceState
from docduck.service.sources.sources import FolderSource
from tests.dagster_storage import local_instance
from tests.service.core.documents import complete, make_parser, upload

TABLES = [AssetKey(["invoices", "documents"]), AssetKey(["invoices", "line_items"])]


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[DagsterInstance]:
    with local_instance(tmp_path) as made:
        yield made


class World:
    def __init__(self, inst: Installation, instance: DagsterInstance, folder: Path) -> None:
        self.inst, self.instance = inst, instance
        self.parser = make_parser(inst)
        sync_warehouse(inst)
        self.sources = [FolderSource(name, folder / name, parser="invoices") for name in ("one", "two")]
        for one in self.sources:
            one.path.mkdir()
        runs = TableRuns({self.parser.id: TABLES}, {one.name: TABLES for one in self.sources})
        self.cursors: dict[str, str | None] = {}
        self.events: Sequence[object] = ()
        self.sensors = {one.name: one for one in new_documents_sensors(self.sources, runs)}
        keys = [*TABLES, *map(source_key, self.sources)]
        self.defs = Definitions([AssetSpec(key) for key in keys], sensors=list(self.sensors.values()))

    def tick(self, name: str, *, together: bool = False) -> set[str] | str:
        """Return the assets of the requested run, or why there is none.

        It is long after the last tick, or ``together`` with it.
        """
        if not together:
            request_path(self.inst).unlink(missing_ok=True)
        context = build_sensor_context(
            self.instance,
            cursor=self.cursors.get(name),
            definitions=self.defs,
            resources={"installation": self.inst},
        )
        answer = self.sensors[name](context)
        self.cursors[name] = context.cursor
        if isinstance(answer, SkipReason):
            return answer.skip_message or ""
        assert isinstance(answer, SensorResult)
        self.events = answer.asset_events
        if answer.skip_reason is not None:
            return answer.skip_reason.skip_message or ""
        [request] = answer.run_requests or ()
        return {key.to_user_string() for key in request.asset_selection or ()}

    def add_run(self, status: DagsterRunStatus, *keys: AssetKey, tags: dict[str, str] | None = None) -> str:
        run = DagsterRun(
            job_name="theirs",
            run_id=make_new_run_id(),
            status=DagsterRunStatus.STARTED,
            asset_selection=frozenset(keys),
            tags=tags or {},
        )
        self.instance.add_run(run)
        if status is DagsterRunStatus.FAILURE:
            self.instance.report_run_failed(run)
        return run.run_id[:8]


@pytest.fixture
def world(inst: Installation, instance: DagsterInstance, tmp_path: Path) -> World:
    return World(inst, instance, tmp_path)


def test_a_tick_looks_at_its_own_source_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def look(inst: Installation, source: FolderSource, last: str | None) -> SourceState:
        looked.append(source.name)
        return inspect_source(inst, source, last)

    monkeypatch.setattr("dagster_docduck.source_sensors.inspect_source", look)
    assert set(world.sensors) == {"docduck_one_sensor", "docduck_two_sensor", "docduck_queued_documents"}
    (world.sources[0].path / "a.txt").write_text("Total: 1")
    wanted = {"sources/one", "invoices/documents", "invoices/line_items"}
    assert world.tick("docduck_one_sensor") == wanted
    assert "Nothing new" in world.tick("docduck_two_sensor")
    make_parser(world.inst, "Others")
    upload(world.inst, world.inst.team_id, "others", b"hello", "hello.txt")
    assert world.tick("docduck_queued_documents") == "No documents are queued.", "others have no run"
    assert looked == ["one", "two"]


def test_a_source_is_observed_once_documents_were_taken_from_it(world: World) -> None:
    (world.sources[0].path / "a.txt").write_text("Total: 1")
    world.tick("docduck_one_sensor")
    assert not world.events
    ingest(world.inst, world.sources[0])
    world.add_run(DagsterRunStatus.STARTED, TABLES[0])
    world.tick("docduck_one_sensor")
    [seen] = world.events
    assert isinstance(seen, AssetObservation)
    assert seen.asset_key == source_key(world.sources[0])
    assert seen.metadata["documents"] == MetadataValue.int(1)
    last = taken_documents(world.inst, "one").last
    assert last is not None and seen.metadata["last_document"] == MetadataValue.timestamp(last)
    for name in ("docduck_one_sensor", "docduck_two_sensor"):
        world.tick(name)
        assert not world.events


def test_no_run_is_requested_beside_one_that_reads(world: World) -> None:
    upload(world.inst, world.inst.team_id, "invoices", b"hello", "hello.txt")
    world.add_run(DagsterRunStatus.STARTED, AssetKey("theirs"))
    assert world.tick("docduck_queued_documents") == {"invoices/documents", "invoices/line_items"}
    run = world.add_run(DagsterRunStatus.STARTED, AssetKey("theirs"), TABLES[0])
    words = world.tick("docduck_queued_documents")
    assert isinstance(words, str) and words.startswith("1 queued (1 parser, the oldest for ")
    assert words.endswith(f"Run {run} processes them.")
    assert world.tick("docduck_one_sensor") == f"Run {run} ingests from {world.sources[0].path}."


def test_rows_that_a_run_has_left_behind_get_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    upload(world.inst, world.inst.team_id, "invoices", b"hello", "hello.txt")
    complete(world.inst, world.parser)
    words = "1 not yet in the warehouse. The next run includes them."
    assert world.tick("docduck_queued_documents") == words
    later = clock.now() + dt.timedelta(minutes=1)
    monkeypatch.setattr("dagster_docduck.queue_sensor.clock.now", lambda: later)
    assert world.tick("docduck_queued_documents") == {"invoices/documents", "invoices/line_items"}


def test_tables_that_were_written_without_a_run_get_one(world: World) -> None:
    upload(world.inst, world.inst.team_id, "invoices", b"hello", "hello.txt")
    complete(world.inst, world.parser)
    sync_warehouse(world.inst)
    assert world.tick("docduck_queued_documents") == {"invoices/documents", "invoices/line_items"}
    [at] = table_versions(world.inst).values()
    version = data_version(at)
    assert version is not None
    for key in TABLES:
        event = AssetMaterialization(key, tags={DATA_VERSION: version.value})
        world.instance.report_runless_asset_event(event)
    assert world.tick("docduck_queued_documents") == "No documents are queued."


def test_sources_that_tick_together_make_one_run(world: World) -> None:
    for source in world.sources:
        (source.path / "a.txt").write_text("Total: 1")
    assert "invoices/documents" in world.tick("docduck_two_sensor")
    words = world.tick("docduck_one_sensor", together=True)
    assert isinstance(words, str) and words.endswith("Another sensor has just requested a run.")


def test_after_a_failure_the_next_run_waits(world: World) -> None:
    (world.sources[0].path / "a.txt").write_text("Total: 1")
    document_id = upload(world.inst, world.inst.team_id, "invoices", b"hello", "hello.txt")
    world.add_run(DagsterRunStatus.FAILURE, *TABLES, tags={BLOCKED_TAG: "invoices/documents:rows"})
    assert "invoices/documents" in world.tick("docduck_queued_documents")
    world.add_run(DagsterRunStatus.FAILURE, *TABLES)
    for name in ("docduck_queued_documents", "docduck_one_sensor"):
        assert "The last runs failed; trying again in" in world.tick(name)
    waiting = get_document(world.inst, world.inst.team_id, document_id).waiting
    at = next_run(world.inst)
    assert at is not None and waiting is not None
    assert f"the last runs failed, and the next one starts at {clock.iso(at)}" in waiting.reason
