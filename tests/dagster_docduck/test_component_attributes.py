"""The component's attributes: the names of its assets, classifiers and webhooks."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from dagster import AssetIn, AssetKey, AssetsDefinition, DagsterInstance, Definitions, asset

from dagster_docduck import DocduckComponent
from dagster_docduck.component.sensors import SECONDS
from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.webhooks.webhooks import list_webhooks
from tests.dagster_storage import local_instance
from tests.orchestration.test_definitions import columns
from tests.service.core.documents import upload

# Dagster itself reads YAML with a deprecated function of pydantic's.
pytestmark = pytest.mark.filterwarnings("ignore:.parse_obj_as. is deprecated")

COMPONENT = """
home: data
parsers: [{template: invoice}, {template: receipt}]
sources:
  - {name: scans, folder: scans, parser: invoices}
exports:
  - {name: always, parser: invoices, format: csv, after: each run}
  - {name: nightly, parser: invoices, format: xlsx, schedule: "0 2 * * *"}
"""
TOTAL = "Invoice Number: 17\\nTotal: 12.50 EUR\\n"


def loaded(folder: Path, template: Path, text: str) -> tuple[DocduckComponent, Definitions]:
    """Return the component of a defs.yaml with these attributes, and its definitions."""
    (folder / "data").mkdir(mode=0o700, exist_ok=True)
    shutil.copy(template, folder / "data" / "catalog.sqlite")
    made = DocduckComponent.resolve_from_yaml(text)
    made._root = folder
    state = folder / "state.json"
    made.write_state_to_path(state)
    return made, made.build_defs_from_state(None, state)


def keys(defs: Definitions) -> dict[str, Any]:
    graph = defs.resolve_asset_graph()
    return {key.to_user_string(): graph.get(key) for key in graph.get_all_asset_keys()}


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[DagsterInstance]:
    with local_instance(tmp_path / "dagster") as made:
        yield made


@pytest.mark.slow
def test_assets_have_the_prefix_and_group_of_the_project(
    tmp_path: Path, sqlite_template: Path, instance: DagsterInstance
) -> None:
    text = f"{COMPONENT}key_prefix: [acme, books]\ngroup_name: paper\n"
    component, defs = loaded(tmp_path, sqlite_template, text)
    found = keys(defs)
    assert all(key.startswith("acme/books/") and one.group_name == "paper" for key, one in found.items())
    documents = found["acme/books/invoices/documents"]
    assert documents.parent_keys == {
        AssetKey(["acme", "books", "sources", name]) for name in ("scans", "inbox")
    }

    @asset(ins={"documents": AssetIn(documents.key)})
    def spend(documents: pl.DataFrame) -> None:
        assert documents.height == 1

    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / "a.txt").write_text(TOTAL)
    time.sleep(1.2)  # A file is taken once it has not changed for a second.
    together = Definitions.merge(defs, Definitions([spend]))
    job = together.resolve_implicit_global_asset_job_def()
    chosen = [key for key in job.asset_layer.executable_asset_keys if "nightly" not in key.path]
    done = job.execute_in_process(instance=instance, asset_selection=chosen)
    assert done.success
    events = done.get_asset_materialization_events()
    written = {event.asset_key.to_user_string() for event in events if event.asset_key}
    assert "acme/books/invoices/line_items" in written and "acme/books/exports/always" in written
    checks = {one.asset_check_key.asset_key.path[0] for one in done.get_asset_check_evaluations()}
    assert checks == {"acme"}

    # A run that is for another table tells of those that it has written, too.
    inst = component.installation
    upload(inst, inst.team_id, "invoices", TOTAL.encode(), "b.txt")
    other = AssetKey(["acme", "books", "receipts", "documents"])
    events = job.execute_in_process(
        instance=instance, asset_selection=[other]
    ).get_asset_materialization_events()
    invoices = {"invoices/documents", "invoices/line_items", "exports/always"}
    assert {event.asset_key.to_user_string() for event in events if event.asset_key} == {
        "acme/books/receipts/documents",
        *(f"acme/books/{key}" for key in invoices),
    }


def test_a_translation_gives_assets_other_keys_and_attributes(tmp_path: Path, sqlite_template: Path) -> None:
    translation = """
translation:
  key: "{{ 'raw/' + parser + '_' + name if kind == 'table' else spec.key.to_user_string() }}"
  group_name: "{{ kind }}s"
  tags: {made_by: docduck}
"""
    _, defs = loaded(tmp_path, sqlite_template, COMPONENT + translation)
    found = keys(defs)
    rows = found["raw/invoices_line_items"]
    assert rows.group_name == "tables" and found["exports/nightly"].group_name == "exports"
    assert rows.tags["made_by"] == "docduck" and rows.tags["docduck/team"] == "default"
    assert rows.parent_keys == {AssetKey(["raw", "invoices_documents"])}
    assert columns(defs.resolve_asset_graph(), "raw", "invoices_line_items")
    lineage = rows.metadata["dagster/column_lineage"].deps_by_column["document_id"]
    assert [dep.asset_key for dep in lineage] == [AssetKey(["raw", "invoices_documents"])]
    [schedule] = [one for one in defs.schedules or () if one.name == "export_nightly"]
    assert schedule
    Definitions.validate_loadable(defs)


def test_classifiers_and_webhooks_are_declared_as_in_the_pipeline_file(
    tmp_path: Path, sqlite_template: Path
) -> None:
    text = """
home: data
parsers:
  - template: invoice
    webhooks: [{name: ERP, url: "https://erp.example.org/docduck"}]
  - {template: receipt}
  - {name: Letters}
classifiers: [{name: Post, rules: {Invoice: invoices, Receipt: receipts}}]
sources: [{name: scans, folder: scans, classifier: Post}]
"""
    made, defs = loaded(tmp_path, sqlite_template, text)
    inst = made.installation
    [classifier] = list_classifiers(inst, inst.team_id)
    [webhook] = list_webhooks(inst, inst.team_id, "invoices")
    assert (classifier.name, webhook.name) == ("Post", "ERP")
    found = keys(defs)
    assert found["classifiers/post"].parent_keys == {AssetKey(["sources", "scans"])}
    assert AssetKey(["classifiers", "post"]) in found["receipts/documents"].parent_keys
    sensors = {one.name: one for one in defs.sensors or ()}
    assert sensors["docduck_due_deliveries"].minimum_interval_seconds == SECONDS
    watched = sensors["docduck_scans_sensor"].asset_selection
    assert watched is not None
    graph = defs.resolve_asset_graph()
    assert AssetKey(["receipts", "documents"]) in watched.resolve(graph)
    listed = {
        one.name
        for one in sensors.values()
        if one.asset_selection and AssetKey(["letters", "documents"]) in one.asset_selection.resolve(graph)
    }
    assert listed == {"docduck_inbox_sensor", "docduck_queued_documents"}, "those that concern the table"
    assert any(isinstance(one, AssetsDefinition) for one in defs.assets or ())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "{template: invoice}",
            "{template: invoice, partitionsFrom: 2026-01-01}",
            "leave out partitionsFrom",
        ),
        ("folder: scans", "folders: scans", r"sources\[0\]: needs a place: .* did you mean folder"),
        ("format: csv", "format: csw", r"exports\[0\].format: must be"),
        ("parser: invoices, format: csv", "parser: orders, format: csv", "orders"),
        (
            "{template: invoice}",
            "{template: invoice, checks: [{field: Sum, minimum: 0}]}",
            "no number field 'Sum'",
        ),
    ],
)
def test_what_is_wrong_or_not_done_by_the_component_is_refused(
    tmp_path: Path, sqlite_template: Path, old: str, new: str, words: str
) -> None:
    with pytest.raises(Exception, match=words):
        loaded(tmp_path, sqlite_template, COMPONENT.replace(old, new))
