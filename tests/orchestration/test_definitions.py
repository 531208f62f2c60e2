"""Dagster's definitions; a change of the graph is a change of the golden file."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from dagster import (
    AssetKey,
    AssetsDefinition,
    DagsterInstance,
    Definitions,
    FreshnessPolicy,
    TableColumn,
    TableSchema,
    build_sensor_context,
)

from dagster_docduck.assets.project import current_signature, load_project
from dagster_docduck.orchestration.definitions import build_definitions
from docduck.fields import parse_fields
from docduck.service.classifiers.classifiers import update_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, ParserChanges, create_parser, update_parser
from docduck.service.runs.processing_runs import UPLOAD
from tests.conftest import MakeInstallation
from tests.orchestration.parts import four_parsers, repository, run, with_pipeline
from tests.orchestration.test_sensors import break_parser, drop
from tests.service.core.documents import make_parser
from tests.service.processing.test_gate import INVOICE, LEASE
from tests.service.processing.test_routing import OTHER, add, make_classifier
from tests.work import calls

GOLDEN = Path(__file__).with_name("definitions.json")


def shape(inst: Installation) -> dict[str, Any]:
    defs = repository(inst)
    graph = defs.asset_graph
    return {
        "assets": {
            key.to_user_string(): {
                "group": graph.get(key).group_name,
                "depends_on": sorted(parent.to_user_string() for parent in graph.get(key).parent_keys),
                "kinds": sorted(graph.get(key).kinds),
            }
            for key in sorted(graph.get_all_asset_keys())
        },
        "checks": sorted(check.to_user_string() for check in graph.asset_check_keys),
        "jobs": sorted(job.name for job in defs.get_all_jobs()),
        "sensors": {
            one.name: {"status": one.default_status.value, "targets": [t.job_name for t in one.targets]}
            for one in sorted(defs.sensor_defs, key=lambda one: one.name)
        },
        "schedules": {
            one.name: {"cron": one.cron_schedule, "job": one.job_name, "status": one.default_status.value}
            for one in sorted(defs.schedule_defs, key=lambda one: one.name)
        },
    }


def test_the_graph_is_the_one_in_the_golden_file_and_a_broken_parser_is_left_out(shop: Installation) -> None:
    found = shape(shop)
    if os.environ.get("REGENERATE"):
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n")
    assert found == json.loads(GOLDEN.read_text())
    break_parser(shop, "receipts")
    gone = {key for key in found["assets"] if key.startswith("receipts/")}
    assert gone and set(found["assets"]) - set(shape(shop)["assets"]) == gone


def test_columns_have_types_and_the_fields_descriptions(inst: Installation) -> None:
    fields = parse_fields(
        [
            {"name": "Total (net)", "type": "currency", "description": "Before | tax\n`x`"},
            {"name": "Rows", "type": "table", "columns": [{"name": "When", "type": "date"}]},
        ]
    )
    create_parser(inst, inst.team_id, NewParser(name="Odd", fields=fields, description="# [x](y)|"))
    graph = repository(inst).asset_graph
    column = {one.name: one for one in columns(graph, "odd", "documents")}["total_net"]
    assert (column.type, column.description) == ("DECIMAL", "Before | tax\n`x`")
    assert [(one.name, one.type) for one in columns(graph, "odd", "rows")][-1] == ("when", "DATE")
    assert graph.get(AssetKey(["odd", "rows"])).parent_keys == {AssetKey(["odd", "documents"])}


def test_specs_tell_whose_a_table_is_and_where(shop: Installation) -> None:
    graph = repository(shop).asset_graph
    spec = graph.get(AssetKey(["invoices", "line_items"]))
    assert (spec.owners, spec.code_version) == (["team:default"], "1")
    tags = {name: value for name, value in spec.tags.items() if name.startswith("docduck/")}
    assert tags == {"docduck/team": "default", "docduck/template": "invoice"}
    metadata = {name: getattr(value, "value", value) for name, value in spec.metadata.items()}
    assert metadata["dagster/table_name"] == "analytics.invoices.line_items"
    assert metadata["dagster/uri"] == shop.warehouse.published.as_uri()
    source = graph.get(AssetKey(["sources", "inbox"])).metadata["dagster/uri"]
    assert getattr(source, "value", source) == shop.settings.inbox.as_uri()
    documents = {one.name: one.constraints for one in columns(graph, "invoices", "documents")}
    assert (documents["document_id"].nullable, documents["document_id"].unique) == (False, True)
    assert (documents["status"].nullable, documents["total"].nullable) == (False, True)
    rows = {one.name: one.constraints for one in columns(graph, "invoices", "line_items")}
    assert (rows["document_id"].nullable, rows["document_id"].unique) == (False, False)
    change = {"dataExtractionMode": "fast"}
    update_parser(shop, shop.team_id, "invoices", ParserChanges(settings=change))
    changed = repository(shop).asset_graph.get(AssetKey(["invoices", "line_items"]))
    assert changed.code_version != spec.code_version, "it is the parser's revision"


def test_the_pipeline_file_says_how_fresh_tables_and_sources_are(
    make_installation: MakeInstallation, tmp_path: Path
) -> None:
    text = """\
parsers: [{template: invoice, freshWithinHours: 26}]
sources: [{name: scans, folder: scans, parser: invoices, expect_every: 2d}]
"""
    inst = make_installation(pipeline=with_pipeline(tmp_path, text))
    four_parsers(inst)
    graph = repository(inst).asset_graph
    policies = {key.to_user_string(): graph.get(key).freshness_policy for key in graph.get_all_asset_keys()}
    assert policies["invoices/line_items"] == FreshnessPolicy.time_window(dt.timedelta(hours=26))
    assert policies["invoices/documents"] == policies["invoices/line_items"]
    assert policies["sources/scans"] == FreshnessPolicy.time_window(dt.timedelta(days=2))
    assert policies["receipts/documents"] is policies["sources/inbox"] is None


@pytest.mark.parametrize(("settings", "most"), [({"dagster_url": "http://127.0.0.1:9"}, 5), ({}, 65)])
def test_sensors_tick_so_often_a_minute_with_and_without_a_service(
    make_installation: MakeInstallation, tmp_path: Path, settings: dict[str, Any], most: int
) -> None:
    inst = make_installation(pipeline=with_pipeline(tmp_path), **settings)
    four_parsers(inst)
    sensors = {one.name: one.minimum_interval_seconds or 0 for one in repository(inst).sensor_defs}
    assert {"inbox_sensor", "tills_sensor", "queued_documents", "overdue_reviews"} <= sensors.keys()
    assert sensors["overdue_reviews"] == 600
    assert most / 2 < sum(60 / seconds for seconds in sensors.values()) <= most


def test_a_table_lists_the_sensors_of_its_sources_alone(
    shop: Installation, instance: DagsterInstance
) -> None:
    defs = repository(shop)
    listed: dict[str, set[str]] = {}
    for one in defs.sensor_defs:
        for target in one.targets:
            for key in defs.get_job(target.job_name).asset_layer.executable_asset_keys:
                listed.setdefault(key.to_user_string(), set()).add(one.name)
    assert listed["receipts/documents"] == listed["receipts/line_items"] == {"inbox_sensor", "tills_sensor"}
    assert listed["purchase_orders/documents"] == {"inbox_sensor"}
    assert listed["sources/tills"] == {"tills_sensor"}
    # The runs are still those of the job without assets, whose start costs the same for any number of tables.
    drop(shop)
    context = build_sensor_context(
        instance=instance, repository_def=defs, resources={"installation": shop}, sensor_name="inbox_sensor"
    )
    requests = defs.get_sensor_def("inbox_sensor").evaluate_tick(context).run_requests
    assert [(one.job_name, one.asset_selection) for one in requests or ()] == [(UPLOAD, None)]


def columns(graph: Any, *key: str) -> Sequence[TableColumn]:
    schema = graph.get(AssetKey(list(key))).metadata["dagster/column_schema"]
    schema = getattr(schema, "value", schema)
    assert isinstance(schema, TableSchema)
    return schema.columns


def test_parsers_whose_keys_are_taken_do_not_stop_the_others(inst: Installation) -> None:
    assert set(shape(inst)["assets"]) == {"sources/inbox"}
    Definitions.validate_loadable(build_definitions(inst))
    # To Dagster, these two look alike.
    for slug in ("a-b", "a_b"):
        create_parser(inst, inst.team_id, NewParser(name=slug, slug=slug))
    fields = parse_fields([{"name": "Inbox", "type": "table", "columns": [{"name": "A"}]}])
    create_parser(inst, inst.team_id, NewParser(name="Sources", fields=fields))
    create_parser(inst, inst.team_id, NewParser(name="Other"))
    assert set(shape(inst)["assets"]) == {"sources/inbox", "a-b/documents", "other/documents"}


def test_a_broken_pipeline_file_leaves_the_inbox_and_the_queue(
    make_installation: MakeInstallation, tmp_path: Path
) -> None:
    inst = make_installation(pipeline=with_pipeline(tmp_path, "sources: [{name: x}]\n"))
    found = shape(inst)
    assert set(found["assets"]) == {"sources/inbox"}
    assert set(found["sensors"]) == {
        "inbox_sensor",
        "queued_documents",
        "overdue_reviews",
        "due_deliveries",
        "catalog_changed",
    }
    assert set(found["schedules"]) == {"daily_purge", "daily_retention"}


def test_many_parsers_are_loaded_in_linear_time(inst: Installation) -> None:
    fields = parse_fields(
        [
            *({"name": f"Field {i}", "type": "text"} for i in range(10)),
            {"name": "Lines", "type": "table", "columns": [{"name": f"Column {i}"} for i in range(5)]},
        ]
    )
    work: dict[int, int] = {}
    for number in range(32):
        if number == 8:
            build_definitions(inst)
            work[number] = calls(lambda: build_definitions(inst))
        create_parser(inst, inst.team_id, NewParser(name=f"Parser {number}", fields=fields))
    work[32] = calls(lambda: build_definitions(inst))
    assert work[32] < 6 * work[8], work
    definitions = build_definitions(inst)
    tables = [one for one in definitions.assets or () if isinstance(one, AssetsDefinition)]
    assert sum(len(list(one.keys)) for one in tables) == 65


POST = AssetKey(["classifiers", "post"])


def test_a_classifier_is_upstream_of_the_parsers_that_it_feeds(inst: Installation) -> None:
    invoices, _ = make_parser(inst), make_parser(inst, "Leases")
    rest = make_parser(inst, "Rest")
    classifier_id = make_classifier(inst, {"Invoice": invoices}, fallback=rest)
    graph = repository(inst).asset_graph
    for slug, is_fed in (("invoices", True), ("rest", True), ("leases", False)):
        assert (POST in graph.get(AssetKey([slug, "documents"])).parent_keys) == is_fed
    assert graph.get(POST).group_name == "sources"
    make_classifier(inst, {"Invoice": invoices})
    project = load_project(inst)
    assert [one.id for one in project.classifiers] == [classifier_id], "the older one with the key"
    assert [one for one in project.problems if "has no asset" in one]
    before = current_signature(inst)
    update_classifier(inst, inst.team_id, classifier_id, {"name": "Mail"})
    assert current_signature(inst) != before


def test_the_run_that_routes_documents_reports_their_classifier(
    inst: Installation, instance: DagsterInstance
) -> None:
    invoices, leases = make_parser(inst), make_parser(inst, "Leases")
    classifier_id = make_classifier(inst, {"Invoice": invoices, "Lease agreement": leases})
    add(inst, classifier_id, {"i.txt": INVOICE, "l.txt": LEASE, "o.txt": OTHER})
    assert run(inst, instance, [("invoices", "documents")]).success
    event = instance.get_latest_materialization_event(POST)
    assert event is not None and event.asset_materialization is not None
    counts = {name: one.value for name, one in event.asset_materialization.metadata.items()}
    assert counts == {"documents": 3, "routed": 2, "skipped": 1, "failed": 0}
