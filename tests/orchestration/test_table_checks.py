"""Checks of columns and bounds in runs, and what a blocking check holds back."""

from __future__ import annotations

from pathlib import Path

import pytest
from dagster import AssetKey, DagsterInstance, ExecuteInProcessResult, RunsFilter

from dagster_docduck.orchestration.runs import UPLOAD_RUNS
from docduck.fields import Field, FieldType
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.parsers.parsers import get_parser, set_fields
from docduck.service.runs.processing_runs import BLOCKED_TAG
from tests.conftest import MakeInstallation
from tests.orchestration.parts import repository, run, with_pipeline
from tests.service.core.documents import add, complete, make_parser

PIPELINE = """\
parsers:
  - name: Invoices
    checks:
      - {field: Total, maximum: 100, blocking: true}
      - {rows: Line Items, minimum: 1000}
exports:
  - {name: always, parser: invoices, format: csv, after: each run, folder: out}
"""
TABLES = [("invoices", "documents"), ("invoices", "line_items")]


def failed(result: ExecuteInProcessResult) -> set[str]:
    """Return the checks that failed, with their tables."""
    return {
        f"{one.asset_key.path[-1]}:{one.check_name}"
        for one in result.get_asset_check_evaluations()
        if not one.passed
    }


def changed(result: ExecuteInProcessResult) -> dict[str, str | None]:
    """Return what is told about the tables whose columns changed."""
    return {
        one.asset_key.path[-1]: one.description
        for one in result.get_asset_check_evaluations()
        if one.check_name == "column_schema_change" and not one.passed
    }


@pytest.mark.slow
def test_changed_columns_are_told_until_the_next_materialisation(
    inst: Installation, instance: DagsterInstance
) -> None:
    parser = make_parser(inst)
    assert changed(run(inst, instance, TABLES)) == {}
    defs = repository(inst)
    fields = [field for field in parser.fields if field.name != "Tags"]
    total, items = fields[1], fields[2]
    fields[1] = total.model_copy(update={"type": FieldType.TEXT})
    fields[2] = items.model_copy(update={"columns": (*items.columns, Field(name="Discount"))})
    set_fields(inst, inst.team_id, parser.id, fields)
    # Also by a run that was started for no table, and whose definitions are older.
    add(inst, parser, 1)
    result = defs.get_job("upload").execute_in_process(instance=instance)
    assert changed(result) == {
        "documents": "- tags was removed\n- total is VARCHAR, was DECIMAL",
        "line_items": "- discount was added",
    }
    assert len([one for one in result.get_asset_check_evaluations() if one.check_name == "overdue"]) == 1
    assert changed(run(inst, instance, TABLES)) == {}


@pytest.mark.slow
def test_a_blocking_check_fails_the_run_and_delays_exports_and_no_documents(
    make_installation: MakeInstallation, instance: DagsterInstance, tmp_path: Path
) -> None:
    inst = make_installation(pipeline=with_pipeline(tmp_path, PIPELINE))
    parser = make_parser(inst)
    (document_id,) = add(inst, parser, 1)
    complete(inst, parser, total=100.5)
    add(inst, parser, 1, "another")
    result = run(inst, instance, TABLES)

    assert not result.success
    assert failed(result) >= {"documents:bounds_total", "line_items:row_count"}
    assert {event.asset_key for event in result.get_asset_materialization_events()} == {
        AssetKey(list(key)) for key in TABLES
    }
    (record,) = instance.get_runs(RunsFilter())
    assert record.tags[BLOCKED_TAG] == "invoices/documents:bounds_total"
    assert UPLOAD_RUNS.retry_seconds(instance) == 0
    assert not (tmp_path / "out").exists()

    set_values(inst, inst.team_id, parser.id, document_id, {"Total": 99})
    add(inst, parser, 1, "third")
    result = run(inst, instance, TABLES)
    assert result.success
    assert "documents:bounds_total" not in failed(result)
    assert [path.suffix for path in (tmp_path / "out").iterdir()] == [".csv"]


def test_a_check_of_a_field_that_is_gone_is_left_out_and_told(
    make_installation: MakeInstallation, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    inst = make_installation(pipeline=with_pipeline(tmp_path, PIPELINE))
    parser = make_parser(inst)
    names = {key.name for key in repository(inst).asset_graph.asset_check_keys}
    assert {"bounds_total", "row_count"} <= names
    left = [one for one in get_parser(inst, inst.team_id, parser.id).fields if one.name != "Total"]
    set_fields(inst, inst.team_id, parser.id, left)
    names = {key.name for key in repository(inst).asset_graph.asset_check_keys}
    assert "bounds_total" not in names
    assert "pipeline.yaml:4: parsers[0].checks[0].field: there is no number field 'Total'" in caplog.text
