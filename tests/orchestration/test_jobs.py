"""The jobs that people and schedules start."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from dagster import (
    AssetKey,
    AssetMaterialization,
    DagsterInstance,
    DagsterInvalidConfigError,
    ExecuteInProcessResult,
    JobDefinition,
    OpExecutionContext,
    job,
    op,
    validate_run_config,
)

from dagster_docduck.orchestration.jobs.purge_runs import purge_older_than
from docduck import clock
from docduck.catalog.models import Document
from docduck.errors import DocduckError, InputError, NotFound, Transient
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.queries.document_views import show_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.outputs.folder_exports import check_export_folder
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import NewParser, ParserChanges, create_parser, update_parser
from docduck.service.processing.document_queue import backlogs
from tests.conftest import MakeInstallation
from tests.exports.cells import CELLS, read_cell
from tests.orchestration.parts import repository, with_pipeline
from tests.service.core.documents import FIELDS, add, complete, make_parser
from tests.service.outputs.world import expected, make_world

pytestmark = pytest.mark.slow


def execute(
    inst: Installation, instance: DagsterInstance, name: str, op_name: str = "", **config: Any
) -> ExecuteInProcessResult:
    settings = {"ops": {op_name: {"config": config}}} if config else {}
    return repository(inst).get_job(name).execute_in_process(run_config=settings, instance=instance)


def metadata(result: ExecuteInProcessResult) -> dict[str, Any]:
    outputs = [event.step_output_data for event in result.all_events if event.is_successful_output]
    assert len(outputs) == 1
    return {name: getattr(value, "value", value) for name, value in outputs[0].metadata.items()}


def refusal(job: JobDefinition, config: dict[str, Any]) -> str:
    """Return why the launchpad refuses a configuration, or an empty text."""
    [op_name] = [node.name for node in job.nodes]
    try:
        validate_run_config(job, {"ops": {op_name: {"config": config}}})
    except DagsterInvalidConfigError as error:
        return str(error)
    return ""


def test_the_launchpad_asks_for_a_parser_and_offers_values(inst: Installation) -> None:
    export, reextract = (repository(inst).get_job(name) for name in ("export", "reextract"))
    assert 'Missing required config entry "parser"' in refusal(export, {"format": "csv"})
    for name, value in (("format", "cvs"), ("scope", "everything"), ("format", "CSV")):
        told = refusal(export, {"parser": "x", name: value})
        assert f"{name} not in enum type" in told and f"got {value}" in told
    for format, scope in CELLS:
        chosen = {"scope": scope} if scope else {}
        assert not refusal(export, {"parser": "x", "format": format, **chosen})
    told = refusal(reextract, {"parser": "x", "statuses": ["queued"]})
    assert "not in enum type StatusChoice got queued" in told
    assert not refusal(reextract, {"parser": "x", "statuses": ["failed"]})


def test_what_is_not_there_is_refused_with_its_name(inst: Installation, instance: DagsterInstance) -> None:
    make_world(inst)
    for config, words in (
        ({"parser": "bils", "format": "csv"}, "There is no parser 'bils'; known are: bills"),
        ({"parser": "bills"}, r"Choose a format \(json, xml, csv, xlsx, parquet\) or else a layout"),
        ({"parser": "bills", "format": "csv", "external_ids": ["none-such"]}, "none-such"),
        ({"parser": "bills", "format": "csv", "document_ids": ["none-such"]}, "none-such"),
    ):
        with pytest.raises(DocduckError, match=words):
            execute(inst, instance, "export", "write_exports", **config)
    assert not list(inst.settings.exports.rglob("*.*"))
    with pytest.raises(DocduckError, match="no parser 'x'; known are: bills"):
        execute(inst, instance, "reextract", "queue_again", parser="x")


def test_the_launchpad_has_a_configuration_for_each_parser(
    shop: Installation, instance: DagsterInstance
) -> None:
    for name, op_name, more in (
        ("export", "write_exports", {"format": "xlsx"}),
        ("reextract", "queue_again", {}),
    ):
        job = repository(shop).get_job(name)
        assert job.partitions_def is not None
        assert "invoices" in job.partitions_def.get_partition_keys()
        done = job.execute_in_process(instance=instance, partition_key="invoices")
        assert done.success
        assert done.dagster_run.run_config == {"ops": {op_name: {"config": {"parser": "invoices", **more}}}}


def test_formats_and_scopes_by_the_job(inst: Installation, instance: DagsterInstance) -> None:
    _, ids = make_world(inst)
    for format, scope, rows in (("json", None, 3), ("csv", "table", 2)):
        wish = {"parser": "Bills", "format": format}
        if scope:
            wish |= {"scope": scope, "table": "Line Items"}
        told = metadata(execute(inst, instance, "export", "write_exports", **wish))
        (path,) = told["paths"]
        assert read_cell(format, scope, Path(path).read_bytes()) == expected(format, scope, ids)
        assert (told["files"], told["rows"]) == (1, rows)


def test_an_export_of_chosen_documents_and_of_what_is_new(
    inst: Installation, instance: DagsterInstance
) -> None:
    _, (one, two, three) = make_world(inst)

    def exported(**config: Any) -> list[str]:
        wish = {"parser": "Bills", "format": "json", **config}
        told = metadata(execute(inst, instance, "export", "write_exports", **wish))
        return [row["document"]["id"] for path in told["paths"] for row in json.loads(Path(path).read_text())]

    above = [{"field": "Total", "operator": ">", "value": 0}]
    assert exported(document_ids=[three, one], file="{export}") == [one, three]
    assert exported(only_new="n", filters=above) == [one]
    assert exported(only_new="n") == [two, three]


def test_exports_go_to_allowed_folders_only(
    make_installation: MakeInstallation, instance: DagsterInstance, tmp_path: Path
) -> None:
    pipeline = tmp_path / "pipeline.yaml"
    pipeline.write_text("exports: [{name: x, parser: invoices, format: csv, folder: out, after: each run}]\n")
    inst = make_installation(pipeline=pipeline, export_folders=(tmp_path / "shared",))
    make_parser(inst)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "link").symlink_to(tmp_path)
    wish = {"parser": "Invoices", "format": "json", "folder": str(tmp_path / "out")}
    told = metadata(execute(inst, instance, "export", "write_exports", **wish))
    assert Path(told["paths"][0]).parent == tmp_path / "out"
    with pytest.raises(Exception, match=r"may not be written to .*DOCDUCK_EXPORT_FOLDERS"):
        execute(inst, instance, "export", "write_exports", **{**wish, "folder": str(tmp_path)})
    assert not list(tmp_path.glob("*.json"))
    for folder in (inst.settings.exports / "x", tmp_path / "shared" / "deep" / "er"):
        assert check_export_folder(inst, folder) == folder
    for folder in (tmp_path / "shared" / "..", tmp_path / "shared" / "link", tmp_path / "shared2"):
        with pytest.raises(InputError, match="may not be written to"):
            check_export_folder(inst, folder)


def test_reextract_queues_documents_and_keeps_what_people_set_unless_told_otherwise(
    inst: Installation, instance: DagsterInstance
) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser, 3)
    complete(inst, parser)
    set_values(inst, inst.team_id, parser.id, ids[0], {"Number": "B-2"})
    for config, number in (({}, "B-2"), ({"discard_corrections": True}, "A-1")):
        wish = {"parser": "invoices", **config}
        assert metadata(execute(inst, instance, "reextract", "queue_again", **wish))["documents"] == 3
        assert list_documents(inst, inst.team_id, "invoices", status="queued").total == 3
        complete(inst, parser)
        assert show_document(inst, inst.team_id, parser.id, ids[0]).data["Number"] == number


def test_rebuild_warehouse_gives_the_same_rows(inst: Installation, instance: DagsterInstance) -> None:
    parser = make_parser(inst)
    add(inst, parser, 3)
    complete(inst, parser)
    sync_warehouse(inst)
    before = inst.warehouse.counts(published=False)
    (inst.settings.home / "warehouse.duckdb").unlink()
    assert metadata(execute(inst, instance, "rebuild_warehouse"))["documents"] == 3
    assert inst.warehouse.counts() == before


@pytest.mark.postgres
def test_a_lake_is_maintained_every_hour(
    make_installation: MakeInstallation, lake_settings: dict[str, str], instance: DagsterInstance
) -> None:
    inst = make_installation(**lake_settings)
    parser = make_parser(inst)
    for number in range(3):
        add(inst, parser, 1, f"doc-{number}")
        complete(inst, parser)
        sync_warehouse(inst)
    done = metadata(execute(inst, instance, "lake_upkeep"))
    assert done["merged"] > 0 and done["orphaned"] == 0
    assert inst.warehouse.counts()["invoices"]["documents"] == 3
    assert repository(inst).get_schedule_def("hourly_lake_upkeep").cron_schedule == "37 * * * *"


def test_retention_deletes_expired_documents_and_their_rows(
    inst: Installation, instance: DagsterInstance
) -> None:
    parser = make_parser(inst)
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"retentionDays": 7}))
    create_parser(inst, inst.team_id, NewParser(name="Empty", fields=FIELDS))
    old, new = add(inst, parser, 2)
    complete(inst, parser)

    def deleted(**config: str) -> dict[str, Any]:
        return metadata(execute(inst, instance, "retention", "delete_old_documents", **config))

    for document_id, left in ((old, [new]), (new, [])):
        with inst.catalog.transaction() as session:
            session.get_one(Document, document_id).created_at = clock.now() - dt.timedelta(days=8)
        sync_warehouse(inst)
        assert deleted(parser="empty") == {"documents": 0}
        assert deleted(**{"parser": "invoices"} if left else {}) == {"documents": 1, "invoices": 1}
        rows = inst.warehouse.query("SELECT document_id::varchar FROM invoices.documents").rows
        assert [row[0] for row in rows] == left


def test_a_job_tries_again_after_what_is_temporary_and_only_then(
    inst: Installation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[DocduckError] = [Transient("another program holds the warehouse"), InputError("wrong")]

    def fail(inst: Installation) -> int:
        raise errors.pop(0)

    monkeypatch.setattr("dagster_docduck.orchestration.jobs.rebuild_warehouse.rebuild", fail)
    monkeypatch.setattr("dagster_docduck.retries.RETRY_SECONDS", 0.1)
    with pytest.raises(InputError, match="wrong"):
        execute(inst, instance, "rebuild_warehouse")
    assert errors == []


def test_every_job_has_a_config_and_upkeep_is_started_again_when_its_process_ends(shop: Installation) -> None:
    jobs = {job.name: job for job in repository(shop).get_all_jobs()}
    tags = {name: job.tags.get("dagster/max_retries") for name, job in jobs.items()}
    assert tags["upload"] == "0"
    assert tags["retention"] == tags["purge_runs"] == tags["rebuild_warehouse"] == "3"
    assert "lake_upkeep" not in jobs, "there is no lake"
    nodes = {name: job.all_node_defs for name, job in jobs.items()}
    assert [name for name, all_of in nodes.items() if not any(one.has_config_field for one in all_of)] == []


def test_purge_removes_old_runs_with_their_events_and_output(
    inst: Installation, instance: DagsterInstance, tmp_path: Path
) -> None:
    @op
    def speak(context: OpExecutionContext) -> None:
        print("words for the compute log")
        context.log_event(AssetMaterialization("table"))

    @job
    def talk() -> None:
        speak()

    *gone, kept = (talk.execute_in_process(instance=instance).run_id for _ in range(3))
    gone.append(execute(inst, instance, "rebuild_warehouse").run_id)
    output = tmp_path / "dagster" / "storage"
    assert {path.name for path in output.iterdir()} >= {*gone, kept}
    daily = execute(inst, instance, "purge_runs")
    assert metadata(daily) == {"runs": 0, "files": 0}, "it keeps what is young"
    assert purge_older_than(instance, clock.now() - dt.timedelta(days=1)) == 0
    assert purge_older_than(instance, clock.now() + dt.timedelta(seconds=5)) == 4

    assert [run.run_id for run in instance.get_runs()] == [kept]
    assert instance.all_logs(kept)
    for run_id in (*gone, daily.run_id):
        assert not instance.all_logs(run_id)
        assert not (output / run_id).exists()
    assert (output / kept).is_dir()
    record = instance.get_asset_records()[0]
    assert record.asset_entry.last_materialization_record is not None


def test_a_run_is_limited_to_parsers_sources_and_documents(
    make_installation: MakeInstallation, instance: DagsterInstance, tmp_path: Path
) -> None:
    sources = ", ".join(f"{{name: {one}, folder: {one}, parser: mine}}" for one in ("scans", "tills"))
    inst = make_installation(pipeline=with_pipeline(tmp_path, f"sources: [{sources}]"), settle_seconds=0)
    parsers = [make_parser(inst, name) for name in ("Mine", "Not")]
    for parser in parsers:
        add(inst, parser, 3)
    for folder in ("scans", "tills"):
        (tmp_path / folder / "a.txt").write_text(f"Number: {folder}")
    defs, keys = repository(inst), [AssetKey([one.slug, "documents"]) for one in parsers]
    ops = {"upload": "read_queued_documents", "__ASSET_JOB": "parser_tables"}

    def left(name: str, **config: Any) -> dict[str, int]:
        """Run; return the numbers of queued documents of each parser."""
        defs.get_job(name).execute_in_process(
            run_config={"ops": {ops[name]: {"config": config}}},
            instance=instance,
            asset_selection=None if name == "upload" else keys,
        )
        work = backlogs(inst)
        return {one.slug: work[one.id].queued if one.id in work else 0 for one in parsers}

    assert left("upload", parsers=["Mine"], sources=[], max_documents=2) == {"mine": 1, "not": 3}
    asked: dict[str, Any] = {"parsers": ["mine"], "sources": ["tills"], "max_minutes": 2}
    assert left("__ASSET_JOB", **asked) == {"mine": 0, "not": 3}
    assert list_documents(inst, inst.team_id, "mine").total == 4
    for name in ops:
        with pytest.raises(NotFound, match="There is no parser 'gone'; known are: mine, not"):
            left(name, parsers=["gone"])
        with pytest.raises(NotFound, match="There is no source 'gone'; known are: inbox, scans, tills"):
            left(name, sources=["gone"])
