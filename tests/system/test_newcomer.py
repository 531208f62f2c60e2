"""The first minutes: the samples become rows, the UI shows them, Ctrl-C ends everything."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from docduck.fields import FieldType
from docduck.ids import snake_case
from docduck.templates import load
from tests.files.test_access import open_to_others
from tests.system.conftest import MakeDocduck
from tests.system.docduck import Docduck
from tests.waiting import wait_for
from tools.samples import Draft, drafts

PRODUCT = ("docduck.samples", "docduck.cli.runtime", "dagster_docduck.assets")
SAMPLES = [draft for draft in drafts() if draft.shipped]
GRACE_SECONDS = 12

ASSETS = """{ assetNodes { assetKey { path }
  assetMaterializations(limit: 1) { metadataEntries {
    label ... on IntMetadataEntry { intValue } ... on FloatMetadataEntry { floatValue }
    ... on TableMetadataEntry { table { schema { columns { name } } } } } }
  assetChecksOrError { ... on AssetChecks { checks {
    name executionForLatestMaterialization { status } } } } } }"""


def plain(value: Any) -> Any:
    """A cell as the samples' truth has it."""
    if isinstance(value, dt.date):
        return value.isoformat()
    return float(value) if isinstance(value, Decimal) else value


def read(docduck: Docduck, draft: Draft) -> dict[str, Any]:
    """A sample's values and rows as they stand in ``analytics.duckdb``."""
    template = load(draft.template)
    scalars = [field for field in template.fields if field.type is not FieldType.TABLE]
    columns = ", ".join(snake_case(field.name) for field in scalars)
    slug, name = template.slug, draft.file.replace("'", "''")
    (row,) = docduck.query(f"SELECT {columns} FROM {slug}.documents WHERE name = '{name}'")
    found: dict[str, Any] = dict(zip((field.name for field in scalars), map(plain, row), strict=True))
    for field in template.fields:
        if field.type is FieldType.TABLE:
            cells = ", ".join(f"t.{snake_case(column.name)}" for column in field.columns)
            rows = docduck.query(
                f"SELECT {cells} FROM {slug}.{snake_case(field.name)} t JOIN {slug}.documents d"
                f" USING (document_id) WHERE d.name = '{name}' ORDER BY t.row_number"
            )
            names = [column.name for column in field.columns]
            found[field.name] = [dict(zip(names, map(plain, row), strict=True)) for row in rows]
    return found


def materialised(docduck: Docduck) -> dict[tuple[str, ...], dict[str, Any]]:
    """The last materialisation's metadata of every parser's table, and its checks under ``checks``."""
    tables: dict[tuple[str, ...], dict[str, Any]] = {}
    for node in docduck.graphql(ASSETS)["assetNodes"]:
        path, events = tuple(node["assetKey"]["path"]), node["assetMaterializations"]
        if len(path) == 2 and events:
            entries = {
                entry["label"]: entry.get("intValue", entry.get("floatValue", entry.get("table")))
                for entry in events[0]["metadataEntries"]
            }
            checks = node["assetChecksOrError"].get("checks", [])
            entries["checks"] = {
                check["name"]: (check["executionForLatestMaterialization"] or {}).get("status")
                for check in checks
            }
            tables[path] = entries
    return tables


@pytest.mark.slow
def test_a_newcomer_sees_rows_at_once(make_docduck: MakeDocduck) -> None:
    docduck = make_docduck()
    ready = docduck.start("--samples")
    slugs = {load(draft.template).slug for draft in SAMPLES}

    def arrived() -> bool:
        tables = docduck.query("SELECT schema_name FROM duckdb_tables() WHERE table_name = 'documents'")
        counts = [docduck.query(f"SELECT count(*) FROM {slug}.documents")[0][0] for (slug,) in tables]
        return bool(sum(counts) == len(SAMPLES))

    rows = wait_for(arrived, 60)
    for draft in SAMPLES:
        assert read(docduck, draft) == draft.truth, draft.id

    wanted = {(slug, "documents") for slug in slugs} | {("invoices", "line_items")}
    wait_for(lambda: wanted <= materialised(docduck).keys(), 60)
    wait_for(lambda: not docduck.processes("run"), 60)
    tables = materialised(docduck)
    for slug in slugs:
        count = sum(load(draft.template).slug == slug for draft in SAMPLES)
        entries = tables[(slug, "documents")]
        assert (entries["documents"], entries["processed"], entries["failed"]) == (count, count, 0)
        assert entries["dagster/row_count"] == count
        assert entries["pages_per_second"] > 0
        assert 0 < entries["mean_confidence"] <= 1
        assert entries["preview"]["schema"]["columns"][0]["name"] == "name"
        assert set(entries["checks"]) == {
            "required_fields",
            "arithmetic",
            "confidence_floor",
            "no_stuck_documents",
            "overdue",
            "null_share",
            "column_schema_change",
        }
        assert set(entries["checks"].values()) == {"SUCCEEDED"}
    lines = sum(len(draft.truth["Line Items"]) for draft in SAMPLES if draft.template == "invoice")
    assert tables[("invoices", "line_items")]["dagster/row_count"] == lines

    assert [path for path in open_to_others(docduck.home) if path.name != "output"] == []
    memory = sum(process.memory_info().rss for process in docduck.processes())
    stopped = docduck.stop()
    print(f"ready {ready:.1f} s, rows {rows:.1f} s, idle {memory >> 20} MB, stopped {stopped:.1f} s")
    assert stopped < GRACE_SECONDS


@pytest.mark.extended
def test_ctrl_c_ends_a_run_that_is_reading(make_docduck: MakeDocduck) -> None:
    docduck = make_docduck()
    docduck.start("--samples")
    wait_for(lambda: docduck.processes("run"), 30)
    assert docduck.stop() < GRACE_SECONDS
