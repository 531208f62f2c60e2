"""The exports of the pipeline file as assets."""

from __future__ import annotations

import csv
import threading
import time
from pathlib import Path

import pytest
from dagster import AssetKey, DagsterInstance

from dagster_docduck.assets import exports
from docduck.errors import Transient
from docduck.fields import parse_fields
from docduck.service.core.installation import Installation
from docduck.service.outputs.folder_exports import export_by_spec
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.runs.processing_runs import UPLOAD
from tests.conftest import MakeInstallation
from tests.orchestration.parts import four_parsers, repository, run, tick, with_pipeline
from tests.service.core.documents import add, complete, make_parser, upload

PIPELINE = """\
exports:
  - {name: Always, parser: Invoices, format: csv, after: each run, folder: out}
  - {name: lines, parser: invoices, format: xlsx, scope: table, table: Line Items, schedule: "0 2 * * *"}
  - {name: totals, parser: invoices, format: json, scope: fields_only, schedule: "0 3 * * *"}
"""
ALWAYS = AssetKey(["exports", "always"])
DOCUMENTS, LINES = AssetKey(["invoices", "documents"]), AssetKey(["invoices", "line_items"])


@pytest.fixture
def office(make_installation: MakeInstallation, tmp_path: Path) -> Installation:
    inst = make_installation(pipeline=with_pipeline(tmp_path, PIPELINE))
    parser = make_parser(inst)
    add(inst, parser, 2)
    complete(inst, parser)
    return inst


def write(inst: Installation, instance: DagsterInstance, key: AssetKey) -> dict[str, object]:
    """Materialise an export; return the metadata of the event."""
    job = repository(inst).get_implicit_global_asset_job_def()
    result = job.execute_in_process(instance=instance, asset_selection=[key])
    (event,) = result.get_asset_materialization_events()
    return {name: getattr(one, "value", one) for name, one in event.materialization.metadata.items()}


def test_exports_are_downstream_of_the_tables_that_they_hold_and_scheduled(office: Installation) -> None:
    defs = repository(office)
    graph = defs.asset_graph
    parents = {
        name: graph.get(AssetKey(["exports", name])).parent_keys for name in ("always", "lines", "totals")
    }
    assert parents == {"always": {DOCUMENTS, LINES}, "lines": {DOCUMENTS, LINES}, "totals": {DOCUMENTS}}
    assert graph.get(ALWAYS).kinds == {"csv"}
    assert graph.get(ALWAYS).owners == ["team:default"]
    schedules = {one.name: one.cron_schedule for one in defs.schedule_defs if one.name.startswith("export_")}
    assert schedules == {"export_lines": "0 2 * * *", "export_totals": "0 3 * * *"}


@pytest.mark.slow
def test_materialising_an_export_writes_its_file_once_the_disk_has_room(
    office: Installation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [Transient("the disk is full")]

    def fail_once(*args: object, **kwargs: object) -> object:
        if errors:
            raise errors.pop()
        return export_by_spec(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(exports, "export_by_spec", fail_once)
    monkeypatch.setattr("dagster_docduck.retries.RETRY_SECONDS", 0.1)
    told = write(office, instance, ALWAYS)
    path = Path(str(told["path"]))
    assert path.parent == office.settings.pipeline.parent / "out"
    assert told["dagster/uri"] == path.as_uri()
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["document_id"] for row in rows}) == told["documents"] == 2
    lineage = told["dagster/column_lineage"].deps_by_column  # type: ignore[attr-defined]
    (dep,) = lineage["Line Items.Description"]
    assert (dep.asset_key, dep.column_name) == (LINES, "description")
    assert set(lineage) <= set(rows[0])


@pytest.mark.slow
def test_a_run_writes_the_exports_after_each_run_if_rows_have_changed(
    office: Installation, instance: DagsterInstance
) -> None:
    create_parser(office, office.team_id, NewParser(name="Other"))

    def exported(slug: str) -> list[Path]:
        result = run(office, instance, [(slug, "documents")])
        assert result.success
        return [
            Path(str(event.materialization.metadata["path"].value))
            for event in result.get_asset_materialization_events()
            if event.asset_key == ALWAYS
        ]

    upload(office, office.team_id, "other", b"hello", "a.txt")
    assert len(exported("invoices")) == 1, "nothing was read, but rows were written"
    assert exported("invoices") == []
    for slug in ("invoices", "other"):
        upload(office, office.team_id, "invoices", f"Invoice Number: {slug}".encode(), "a.txt")
        (path,) = exported(slug)
        assert path.is_file()


@pytest.mark.slow
def test_a_run_that_stays_reports_and_exports_what_comes_later(
    make_installation: MakeInstallation, tmp_path: Path, instance: DagsterInstance
) -> None:
    inst = make_installation(pipeline=with_pipeline(tmp_path, PIPELINE), run_warm_seconds=8)
    make_parser(inst)
    upload(inst, inst.team_id, "invoices", b"Invoice Number: 7", "a.txt")

    def later() -> None:
        while not list((tmp_path / "out").glob("*.csv")):
            time.sleep(0.05)
        upload(inst, inst.team_id, "invoices", b"Invoice Number: 8", "b.txt")

    thread = threading.Thread(target=later)
    thread.start()
    result = repository(inst).get_job(UPLOAD).execute_in_process(instance=instance)
    thread.join()
    events = [event.asset_key for event in result.get_asset_materialization_events()]
    assert (events.count(DOCUMENTS), events.count(LINES), events.count(ALWAYS)) == (2, 2, 2)


@pytest.mark.slow
def test_an_export_that_can_not_be_written_fails_no_run(
    office: Installation, instance: DagsterInstance, capfd: pytest.CaptureFixture[str]
) -> None:
    (office.settings.pipeline.parent / "out").write_text("not a folder")
    upload(office, office.team_id, "invoices", b"Invoice Number: 7", "a.txt")
    assert run(office, instance, [("invoices", "documents")]).success
    assert "Export 'Always' was not written: Can't write to" in capfd.readouterr().err


def test_an_export_that_can_not_be_one_is_left_out_with_the_reason(
    make_installation: MakeInstallation, tmp_path: Path
) -> None:
    text = """\
exports:
  - {name: a, parser: nowhere, format: csv, after: each run}
  - {name: b, parser: invoices, format: csv, scope: table, table: Nothing, after: each run}
  - {name: documents, parser: invoices, format: csv, after: each run}
  - {name: c, parser: invoices, format: csv, schedule: "0 2 * * *"}
"""
    inst = make_installation(pipeline=with_pipeline(tmp_path, text))
    four_parsers(inst)
    create_parser(inst, inst.team_id, NewParser(name="Exports", fields=parse_fields([{"name": "A"}])))
    keys = {key.to_user_string() for key in repository(inst).asset_graph.get_all_asset_keys()}
    assert {key for key in keys if key.startswith("exports/")} == {"exports/documents", "exports/c"}
    _, words, _ = tick(inst, DagsterInstance.ephemeral(), "catalog_changed")
    for one in ("'a' has no asset: there is no parser 'nowhere'", "Export 'b'", "Export 'documents'"):
        assert one in words
