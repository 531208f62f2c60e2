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
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import NewParser, ParserChanges, create_parser, update_parser
from docduck.service.processing.document_queue import backlogs
from tests.conftest import MakeInstallation
from tests.exports.cells import CELLS, read_cell
from tests.orchestration.parts import four_parsers, repository, with_pipeline
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


def refusal(inst: Installation, name: str, config: dict[str, Any]) -> str:
    """Return why the launchpad refuses a configuration, or an empty text."""
    job = repository(inst).get_job(name)
    [op_name] = [node.name for node in job.nodes]
    try:
        validate_run_config(job, {"ops": {op_name: {"config": config}}})
    except DagsterInvalidConfigError as error:
        return str(error)
    return ""


def test_the_launchpad_asks_for_a_parser_and_offers_values(inst: Installation) -> None:
    assert 'Missing required config entry "parser"' in refusal(inst, "export", {"format": "csv"})
    for name, value in (("format", "cvs"), ("scope", "everything"), ("format", "CSV")):
        told = refusal(inst, "export", {"parser": "x", name: value})
        assert f"{name} not in enum type" in told and f"got {value}" in told
    assert not refusal(inst, "export", {"parser": "x", "format": "csv", "scope": "all_flat"})
    told = refusal(inst, "reextract", {"parser": "x", "statuses": ["queued"]})
    assert "not in enum type StatusChoice got queued" in told
    assert not refusal(inst, "reextract", {"parser": "x", "statuses": ["failed"]})


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"parser": "bils", "format": "csv"}, "There is no parser 'bils'; known are: bills"),
        ({"parser": "bills"}, r"Choose a format \(json, xml, csv, xlsx, parquet\) or else a layout"),
        ({"parser": "bills", "format": "csv", "external_ids": ["none-such"]}, "none-such"),
        ({"parser": "bills", "format": "csv", "document_ids": ["none-such"]}, "none-such"),
    ],
)
def test_an_export_of_what_is_not_there_is_refused_with_its_name(
    inst: Installation, instance: DagsterInstance, config: dict[str, Any], words: str
) -> None:
    make_world(inst)
    with pytest.raises(DocduckError, match=words):
        execute(inst, instance, "export", "write_exports", **config)
    assert not list(inst.settings.exports.rglob("*.*"))


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


def test_export_of_one_table_to_a_folder(
    make_installation: MakeInstallation, instance: DagsterInstance, tmp_path: Path
) -> None:
    inst = make_installation(export_folders=(tmp_path,))
    parser = make_parser(inst)
    add(inst, parser, 2)
    complete(inst, parser, rows=3)
    wish = {"parser": "Invoices", "format": "csv", "scope": "table", "table": "Line Items"}
    told = metadata(execute(inst, instance, "export", "write_exports", folder=str(tmp_path / "out"), **wish))
    assert (told["files"], told["rows"]) == (1, 6)
    assert Path(told["paths"][0]).parent == tmp_path / "out"


def test_every_cell_by_the_job(inst: Installation, instance: DagsterInstance) -> None:
    _, ids = make_world(inst)
    for format, scope in CELLS:
        wish = {"parser": "Bills", "format": format, **({"scope": scope} if scope else {})}
        if scope == "table":
            wish["table"] = "Line Items"
        (path,) = metadata(execute(inst, instance, "export", "write_exports", **wish))["paths"]
        assert read_cell(format, scope, Path(path).read_bytes()) == expected(format, scope, ids)


def test_an_export_of_chosen_documents_and_of_what_is_new(
    inst: Installation, instance: DagsterInstance
) -> None:
    _, (one, two, three) = make_world(inst)

    def exported(**config: Any) -> list[str]:
        told = metadata(execute(inst, instance, "export", "write_exports", parser="Bills", **config))
        return [row["document"]["id"] for path in told["paths"] for row in json.loads(Path(path).read_text())]

    above = [{"field": "Total", "operator": ">", "value": 0}]
    assert exported(format="json", filters=above) == [one]
    assert exported(format="json", document_ids=[three, one], file="{export}") == [one, three]
    assert exported(format="json", only_new="n", filters=above) == [one]
    assert exported(format="json", only_new="n") == [two, three]
    assert exported(format="json", only_new="n") == []
    with pytest.raises(Exception, match="Choose a format"):
        exported(only_new="n")


def test_exports_go_to_allowed_folders_only(
    make_installation: MakeInstallation, instance: DagsterInstance, tmp_path: Path
) -> None:
    pipeline = tmp_path / "pipeline.yaml"
    pipeline.write_text("exports: [{name: x, parser: invoices, format: csv, folder: out, after: each run}]\n")
    inst = make_installation(pipeline=pipeline, export_folders=(tmp_path / "shared",))
    make_parser(inst)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "link").symlink_to(tmp_path)
    wish = {"parser": "Invoices", "format": "json"}
    for folder in (inst.settings.exports / "x", tmp_path / "out", tmp_path / "shared" / "deep" / "er"):
        told = metadata(execute(inst, instance, "export", "write_exports", folder=str(folder), **wish))
        assert Path(told["paths"][0]).parent == folder
    for folder in (tmp_path, tmp_path / "shared" / "..", tmp_path / "shared" / "link", tmp_path / "shared2"):
        with pytest.raises(Exception, match=r"may not be written to .*DOCDUCK_EXPORT_FOLDERS"):
            execute(inst, instance, "export", "write_exports", folder=str(folder), **wish)
        assert not list(folder.glob("*.json"))


def test_an_unknown_parser_is_named_with_the_known_ones(
    inst: Installation, instance: DagsterInstance
) -> None:
    four_parsers(inst)
    with pytest.raises(Exception, match="no parser 'x'; known are: bank_statements, invoices"):
        execute(inst, instance, "reextract", "queue_again", parser="x")


def test_reextract_queues_the_documents_again(inst: Installation, instance: DagsterInstance) -> None:
    parser = make_parser(inst)
    add(inst, parser, 3)
    complete(inst, parser)
    told = metadata(execute(inst, instance, "reextract", "queue_again", parser="invoices"))
    assert told["documents"] == 3
    assert list_documents(inst, inst.team_id, "invoices", status="queued").total == 3


@pytest.mark.parametrize("discard", [False, True])
def test_reextract_keeps_what_people_set_unless_told_otherwise(
    inst: Installation, instance: DagsterInstance, discard: bool
) -> None:
    parser = make_parser(inst)
    (document,) = add(inst, parser)
    complete(inst, parser)
    set_values(inst, inst.team_id, parser.id, document, {"Number": "B-2"})
    execute(inst, instance, "reextract", "queue_again", parser="invoices", discard_corrections=discard)
    complete(inst, parser)
    number = show_document(inst, inst.team_id, parser.id, document).data["Number"]
    assert number == ("A-1" if discard else "B-2")


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


def test_without_a_lake_there_is_nothing_to_maintain(inst: Installation) -> None:
    assert not {"lake_upkeep"}.intersection(repository(inst).job_names)


def test_retention_deletes_expired_documents_and_their_rows(
    inst: Installation, instance: DagsterInstance
) -> None:
    parser = make_parser(inst)
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"retentionDays": 7}))
    old, new = add(inst, parser, 2)
    complete(inst, parser)
    with inst.catalog.transaction() as session:
        row = session.get(Document, old)
        assert row is not None
        row.created_at = clock.now() - dt.timedelta(days=8)
    sync_warehouse(inst)
    told = metadata(execute(inst, instance, "retention"))
    assert told == {"documents": 1, "invoices": 1}
    rows = inst.warehouse.query("SELECT document_id::varchar FROM invoices.documents").rows
    assert [row[0] for row in rows] == [new]
    assert metadata(execute(inst, instance, "retention")) == {"documents": 0}


def test_retention_of_one_parser_leaves_the_others(inst: Installation, instance: DagsterInstance) -> None:
    parser = make_parser(inst)
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"retentionDays": 7}))
    create_parser(inst, inst.team_id, NewParser(name="Empty", fields=FIELDS))
    (old,) = add(inst, parser, 1)
    complete(inst, parser)
    with inst.catalog.transaction() as session:
        row = session.get(Document, old)
        assert row is not None
        row.created_at = clock.now() - dt.timedelta(days=8)
    told = metadata(execute(inst, instance, "retention", "delete_old_documents", parser="empty"))
    assert told == {"documents": 0}
    told = metadata(execute(inst, instance, "retention", "delete_old_documents", parser="invoices"))
    assert told == {"documents": 1, "invoices": 1}


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


def test_only_upkeep_is_started_again_when_its_process_ends(shop: Installation) -> None:
    tags = {job.name: job.tags.get("dagster/max_retries") for job in repository(shop).get_all_jobs()}
    assert tags["upload"] == "0"
    assert tags["retention"] == tags["purge_runs"] == tags["rebuild_warehouse"] == "3"


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

    runs = [talk.execute_in_process(instance=instance).run_id for _ in range(3)]
    empty = execute(inst, instance, "rebuild_warehouse").run_id
    output = tmp_path / "dagster" / "storage"
    assert {path.name for path in output.iterdir()} >= {*runs, empty}
    assert purge_older_than(instance, clock.now() - dt.timedelta(days=1)) == 0
    assert purge_older_than(instance, clock.now() + dt.timedelta(seconds=5)) == 3

    kept = runs[2]
    assert [run.run_id for run in instance.get_runs()] == [kept]
    assert instance.all_logs(kept)
    for gone in (*runs[:2], empty):
        assert not instance.all_logs(gone)
        assert not (output / gone).exists()
    assert (output / kept).is_dir()
    record = instance.get_asset_records()[0]
    assert record.asset_entry.last_materialization_record is not None


def test_the_daily_job_keeps_what_is_young(inst: Installation, instance: DagsterInstance) -> None:
    execute(inst, instance, "rebuild_warehouse")
    told = metadata(execute(inst, instance, "purge_runs"))
    assert told == {"runs": 0, "files": 0}
    assert len(instance.get_runs()) == 2


@pytest.mark.parametrize(
    ("name", "op_name"), [("__ASSET_JOB", "parser_tables"), ("upload", "read_queued_documents")]
)
def test_a_run_is_limited_to_parsers_sources_and_documents(
    make_installation: MakeInstallation, instance: DagsterInstance, tmp_path: Path, name: str, op_name: str
) -> None:
    sources = ", ".join(f"{{name: {one}, folder: {one}, parser: mine}}" for one in ("scans", "tills"))
    inst = make_installation(pipeline=with_pipeline(tmp_path, f"sources: [{sources}]"), settle_seconds=0)
    parsers = [make_parser(inst, name) for name in ("Mine", "Not")]
    for parser in parsers:
        add(inst, parser, 3)
    for folder in ("scans", "tills"):
        (tmp_path / folder / "a.txt").write_text(f"Number: {folder}")
    keys = [AssetKey([one.slug, "documents"]) for one in parsers] if op_name == "parser_tables" else None

    def left(**config: Any) -> dict[str, int]:
        """Run; return the numbers of queued documents of each parser."""
        job = repository(inst).get_job(name)
        job.execute_in_process(
            run_config={"ops": {op_name: {"config": config}}}, instance=instance, asset_selection=keys
        )
        work = backlogs(inst)
        return {one.slug: work[one.id].queued if one.id in work else 0 for one in parsers}

    assert left(parsers=["Mine"], sources=[], max_documents=2) == {"mine": 1, "not": 3}
    assert left(parsers=["mine"], sources=["tills"], max_minutes=2) == {"mine": 0, "not": 3}
    assert list_documents(inst, inst.team_id, "mine").total == 4
    with pytest.raises(NotFound, match="There is no parser 'gone'; known are: mine, not"):
        left(parsers=["gone"])
    with pytest.raises(NotFound, match="There is no source 'gone'; known are: inbox, scans, tills"):
        left(sources=["gone"])


def test_every_job_has_a_config(inst: Installation) -> None:
    four_parsers(inst)
    without = {
        job.name
        for job in repository(inst).get_all_jobs()
        if not any(node.has_config_field for node in job.all_node_defs)
    }
    assert without == set()
