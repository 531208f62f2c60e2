"""Every change of a table is told to Dagster once, whoever wrote it, with its counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dagster import (
    AssetCheckKey,
    AssetKey,
    AssetSelection,
    AssetSpec,
    AutomationCondition,
    DagsterInstance,
    Definitions,
    ExecuteInProcessResult,
    asset,
    evaluate_automation_conditions,
)
from dagster._core.definitions.data_version import DATA_VERSION_TAG

from dagster_docduck.assets.told_versions import DATA_VERSION
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.field_editing import update_field
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser
from docduck.service.runs.processing_runs import UPLOAD
from tests.conftest import MakeInstallation
from tests.orchestration.parts import repository, run, tick, with_pipeline
from tests.service.core.documents import FIELDS, add, complete, correct, make_parser, upload
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import approved, stage

pytestmark = pytest.mark.slow

PIPELINE = "exports: [{name: Always, parser: Invoices, format: csv, after: each run, folder: out}]\n"
DOCUMENTS, LINES = AssetKey(["invoices", "documents"]), AssetKey(["invoices", "line_items"])
ALWAYS = AssetKey(["exports", "always"])


@pytest.fixture
def office(make_installation: MakeInstallation, tmp_path: Path) -> Installation:
    return make_installation(pipeline=with_pipeline(tmp_path, PIPELINE))


def uploaded(inst: Installation, instance: DagsterInstance) -> ExecuteInProcessResult:
    """Run the job that sensors and the service start."""
    return repository(inst).get_job(UPLOAD).execute_in_process(instance=instance)


def told(result: ExecuteInProcessResult) -> dict[AssetKey, dict[str, Any]]:
    """Return the metadata of a run's materialisations; each asset has one at most."""
    events = result.get_asset_materialization_events()
    assert len({event.asset_key for event in events}) == len(events)
    return {
        event.asset_key: {
            name: getattr(value, "value", value) for name, value in event.materialization.metadata.items()
        }
        for event in events
        if event.asset_key is not None
    }


def test_dagster_calls_the_tag_so() -> None:
    assert DATA_VERSION == DATA_VERSION_TAG


def test_corrections_approvals_deletions_and_renames_are_told_with_their_counts(
    office: Installation, instance: DagsterInstance
) -> None:
    parser = make_parser(office)
    ann = make_member(office, "Ann")
    stage(office, parser, "Books", ann)
    one, two = add(office, parser, 2)
    complete(office, parser)
    requested = follower(instance)
    changes: list[tuple[str, Callable[[], object], int]] = [
        ("read", lambda: None, 2),
        ("corrected", lambda: correct(office, office.team_id, one, {"Total": 7}), 1),
        ("approved", lambda: approved(office, parser, one, ann), 1),
        ("renamed", lambda: update_field(office, office.team_id, parser.id, "Tags", {"name": "Labels"}), 0),
        ("deleted", lambda: delete_documents(office, office.team_id, [two]), 1),
    ]
    requested()
    for words, change, written in changes:
        change()
        events = told(uploaded(office, instance))
        assert events.keys() == {DOCUMENTS, LINES, ALWAYS}, words
        assert events[DOCUMENTS]["written"] == written, words
        assert events[DOCUMENTS]["dagster/row_count"] == (1 if words == "deleted" else 2), words
        assert events[LINES]["dagster/row_count"] == 2 * events[DOCUMENTS]["dagster/row_count"], words
        assert requested() == 1, words
        assert not told(uploaded(office, instance)), "once"
        assert requested() == 0, "once"
    columns = {column.name for column in events[DOCUMENTS]["dagster/column_schema"].columns}
    assert "labels" in columns
    assert events[ALWAYS]["documents"] == 1
    check = AssetCheckKey(DOCUMENTS, "required_fields")
    assert len(instance.event_log_storage.get_asset_check_execution_history(check, limit=9)) == len(changes)


def follower(instance: DagsterInstance) -> Callable[[], int]:
    """Return what evaluates an asset downstream once more, and returns how many runs of it are requested."""

    @asset(deps=[DOCUMENTS], automation_condition=AutomationCondition.eager())
    def spend() -> None: ...

    defs = Definitions([AssetSpec(DOCUMENTS), spend])
    cursor: Any = None

    def requested() -> int:
        nonlocal cursor
        chosen = AssetSelection.assets(spend)
        result = evaluate_automation_conditions(defs, instance, chosen, cursor=cursor)
        cursor = result.cursor
        return result.total_requested

    return requested


def test_what_a_killed_run_or_another_process_wrote_gets_a_run_that_tells(
    office: Installation, instance: DagsterInstance
) -> None:
    parser = make_parser(office)
    sync_warehouse(office)
    none = "No documents are queued."
    assert tick(office, instance, "queued_documents")[1] == none, "new tables without rows are no change"
    (document_id,) = add(office, parser)
    complete(office, parser)
    # As a run that is killed before it tells, `docduck warehouse rebuild` or the last resort.
    sync_warehouse(office)
    request, _, cursor = tick(office, instance, "queued_documents")
    assert request is not None
    assert told(uploaded(office, instance))[DOCUMENTS]["dagster/row_count"] == 1
    _, words, cursor = tick(office, instance, "queued_documents", cursor)
    assert words == none
    assert tick(office, instance, "queued_documents", cursor)[2] == cursor
    correct(office, office.team_id, document_id, {"Total": 7})
    sync_warehouse(office)
    assert tick(office, instance, "queued_documents", cursor)[0] is not None


def test_a_run_that_was_planned_for_a_table_tells_of_the_others(
    office: Installation, instance: DagsterInstance
) -> None:
    make_parser(office)
    create_parser(office, office.team_id, NewParser(name="Other", fields=FIELDS))
    for slug in ("invoices", "other"):
        upload(office, office.team_id, slug, b"Number: 1", "a.txt")
    others = {AssetKey(["other", "documents"]), AssetKey(["other", "line_items"])}
    assert told(run(office, instance, [DOCUMENTS.path])).keys() == {DOCUMENTS, LINES, ALWAYS, *others}
    assert tick(office, instance, "queued_documents")[1] == "No documents are queued."
    assert told(run(office, instance, [DOCUMENTS.path])).keys() == {DOCUMENTS}, "as it was asked for"


def test_tables_are_shown_as_materialising_while_their_documents_are_read(
    make_installation: MakeInstallation, instance: DagsterInstance
) -> None:
    inst = make_installation(run_idle_seconds=2)
    make_parser(inst)
    upload(inst, inst.team_id, "invoices", b"Number: 1", "a.txt")
    shown: list[bool] = []

    def watch() -> None:
        while not ended.wait(0.1) and not shown:
            if instance.get_latest_planned_materialization_info(LINES) is not None:
                shown.append(instance.get_latest_materialization_event(LINES) is None)

    ended = threading.Event()
    watching = threading.Thread(target=watch)
    watching.start()
    result = uploaded(inst, instance)
    ended.set()
    watching.join()
    assert shown == [True], "before the table was materialised"
    planned = instance.get_latest_planned_materialization_info(LINES)
    assert planned is not None and planned.run_id == result.run_id


def test_a_correction_materialises_the_day_of_its_document(
    make_installation: MakeInstallation, tmp_path: Path, instance: DagsterInstance
) -> None:
    text = "parsers: [{template: invoice, partitionsFrom: 2026-01-01}]\n"
    inst = make_installation(pipeline=with_pipeline(tmp_path, text))
    parser: ParserView = create_parser(inst, inst.team_id, NewParser(template_key="invoice"))
    document_id = upload(inst, inst.team_id, "invoices", b"Invoice Number: 1", "a.txt")
    uploaded(inst, instance)
    (day,) = instance.get_materialized_partitions(DOCUMENTS)
    name = get_parser(inst, inst.team_id, parser.id).fields[0].name
    correct(inst, inst.team_id, document_id, {name: "7"})
    events = [
        event.partition
        for event in uploaded(inst, instance).get_asset_materialization_events()
        if event.asset_key == DOCUMENTS
    ]
    assert events == [day]


def test_sources_that_tick_together_make_one_run(shop: Installation, instance: DagsterInstance) -> None:
    folder = shop.settings.pipeline.parent
    (folder / "scans" / "x.pdf").write_bytes(b"%PDF-1.4")
    (folder / "tills" / "a.txt").write_text("Total: 1")
    upload(shop, shop.team_id, "invoices", b"hello", "hello.txt")
    defs = repository(shop)
    assert tick(shop, instance, "tills_sensor", defs=defs)[0] is not None
    for name in ("scans_2nd_floor_sensor", "queued_documents"):
        request, words, _ = tick(shop, instance, name, defs=defs, together=True)
        assert request is None
        assert words.endswith("Another sensor has just requested a run.")
    assert tick(shop, instance, "scans_2nd_floor_sensor", defs=defs)[0] is not None, "if no run came of it"
