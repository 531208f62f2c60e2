"""A dropped document becomes rows, a materialisation with numbers and checks; a backfill reads it again."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from dagster import AssetKey, BackfillPolicy, DagsterInstance, ExecuteInProcessResult
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.fields import parse_fields
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import NewParser, create_parser, get_parser
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.run_lock import exclusive_run
from docduck.service.runs.processing_runs import SELECTED_ASSETS
from tests.conftest import MakeInstallation
from tests.orchestration.parts import four_parsers, repository, run, tick, with_pipeline
from tests.service.core.documents import upload
from tests.service.core.people import make_team

pytestmark = pytest.mark.slow

TABLES = [("invoices", "documents"), ("invoices", "line_items")]
FIELDS = parse_fields(
    [
        {"name": "Invoice Number", "type": "text", "required": True},
        {"name": "Total", "type": "currency"},
        {
            "name": "Line Items",
            "type": "table",
            "columns": [
                {"name": "Description", "type": "text"},
                {"name": "Quantity", "type": "number"},
                {"name": "Amount", "type": "currency"},
            ],
        },
    ]
)


def invoice(path: Path, number: str = "INV-2041") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    page = Canvas(str(path), pagesize=A4)
    page.drawString(72, 780, f"Invoice Number: {number}")
    for x, words in [(72, "Description"), (300, "Quantity"), (450, "Amount")]:
        page.drawString(x, 700, words)
    for row, cells in enumerate([("Paper | A4", "2", "10.00"), ("Ink", "1", "32.50")]):
        for x, cell in zip((72, 300, 450), cells, strict=True):
            page.drawString(x, 680 - 20 * row, cell)
    page.drawString(300, 600, "Total:")
    page.drawString(450, 600, "42.50")
    page.save()
    return path


def metadata(result: ExecuteInProcessResult, *key: str) -> dict[str, Any]:
    found = [
        event.materialization.metadata
        for event in result.get_asset_materialization_events()
        if event.asset_key == AssetKey(list(key))
    ]
    assert len(found) == 1
    return {name: getattr(value, "value", value) for name, value in found[0].items()}


def test_a_dropped_pdf_becomes_rows_and_numbers(inst: Installation, instance: DagsterInstance) -> None:
    create_parser(inst, inst.team_id, NewParser(name="Invoices", fields=FIELDS))
    invoice(inst.settings.inbox / "invoices" / "a | b\n.pdf")
    (inst.settings.inbox / "invoices" / "broken.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    result = run(
        inst, instance, [("sources", "inbox"), ("invoices", "documents"), ("invoices", "line_items")]
    )

    assert result.success, "a failed document is no failed run"
    assert metadata(result, "sources", "inbox")["registered"] == 2
    documents = metadata(result, "invoices", "documents")
    counts = [documents[name] for name in ("documents", "processed", "failed", "rows", "pages")]
    assert counts == [2, 1, 1, 2, 1]
    assert "File is damaged or not readable" in documents["errors"]
    assert documents["dagster/row_count"] == 2
    assert 0 < documents["mean_confidence"] <= 1
    assert documents["pages_per_second"] > 0
    (row,) = (one for one in documents["preview"].records if one.data["name"] != "broken.pdf")
    assert (row.data["name"], row.data["Invoice Number"]) == ("a | b .pdf", "INV-2041")
    assert metadata(result, "invoices", "line_items")["dagster/row_count"] == 2
    lineage = metadata(result, "invoices", "line_items")["dagster/column_lineage"].deps_by_column
    assert [one.asset_key for one in lineage["document_id"]] == [AssetKey(["invoices", "documents"])]
    rows = metadata(result, "invoices", "line_items")["preview"].records
    assert [(one.data["description"], one.data["amount"]) for one in rows] == [
        ("Paper | A4", "10.00"),
        ("Ink", "32.50"),
    ]
    checks = {one.check_name: one.passed for one in result.get_asset_check_evaluations()}
    assert set(checks) == {
        "required_fields",
        "arithmetic",
        "confidence_floor",
        "no_stuck_documents",
        "overdue",
        "null_share",
        "column_schema_change",
    }
    assert checks["required_fields"]

    answer = inst.warehouse.query("SELECT invoice_number, total FROM invoices.documents WHERE total > 0")
    assert [(row[0], float(row[1])) for row in answer.rows] == [("INV-2041", 42.5)]


def test_a_run_ingests_waits_for_young_files_and_processes_those_of_all_parsers(
    make_installation: MakeInstallation, instance: DagsterInstance
) -> None:
    inst = make_installation(run_idle_seconds=1.5, settle_seconds=4)
    create_parser(inst, inst.team_id, NewParser(name="Invoices", fields=FIELDS))
    create_parser(inst, inst.team_id, NewParser(name="Other"))
    invoice(inst.settings.inbox / "invoices" / "a.pdf")
    upload(inst, inst.team_id, "other", b"hello", "hello.txt")
    result = run(inst, instance, TABLES)

    assert result.success
    assert {event.asset_key for event in result.get_asset_materialization_events()} == {
        AssetKey(list(key)) for key in [("sources", "inbox"), ("other", "documents"), *TABLES]
    }
    assert metadata(result, "invoices", "documents")["processed"] == 1
    assert metadata(result, "other", "documents")["processed"] == 1
    assert inst.warehouse.counts()["other"]["documents"] == 1
    evaluated = {(one.asset_key.path[0], one.check_name) for one in result.get_asset_check_evaluations()}
    assert ("other", "no_stuck_documents") in evaluated


def test_documents_of_what_is_newer_than_the_definitions_are_read(
    inst: Installation, instance: DagsterInstance
) -> None:
    create_parser(inst, inst.team_id, NewParser(name="Other"))
    defs = repository(inst)
    create_parser(inst, inst.team_id, NewParser(name="Invoices", fields=FIELDS))
    team_id = make_team(inst)
    create_parser(inst, team_id, NewParser(name="Theirs"))
    invoice(inst.settings.inbox / "invoices" / "a.pdf")
    result = defs.get_job("upload").execute_in_process(instance=instance)
    assert metadata(result, "invoices", "documents")["processed"] == 1
    assert metadata(result, "invoices", "line_items")["dagster/row_count"] == 2
    assert inst.warehouse.counts()["invoices"]["line_items"] == 2
    assert instance.get_latest_materialization_event(AssetKey(["invoices", "documents"])) is not None

    upload(inst, team_id, "theirs", b"hello", "hello.txt")
    result = defs.get_job(SELECTED_ASSETS).execute_in_process(
        instance=instance, asset_selection=[AssetKey(["other", "documents"])]
    )
    assert metadata(result, "theirs", "documents")["processed"] == 1


def test_a_run_reads_nothing_beside_another_that_goes_on(
    make_installation: MakeInstallation, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(run_handover_seconds=0.1)
    create_parser(inst, inst.team_id, NewParser(name="Other"))
    document_id = upload(inst, inst.team_id, "other", b"hello", "hello.txt")
    monkeypatch.setattr(
        "dagster_docduck.assets.processing_run.exclusive_run", partial(exclusive_run, wait_seconds=0.1)
    )
    with exclusive_run(inst) as alone:
        assert alone
        result = run(inst, instance, [("other", "documents")])
    assert result.success
    assert result.get_asset_materialization_events() == []
    assert {one.check_name for one in result.get_asset_check_evaluations()} >= {"no_stuck_documents"}
    assert get_document(inst, inst.team_id, document_id).status == "queued"
    assert run(inst, instance, [("other", "documents")]).get_asset_materialization_events() != []


SHELL = "import duckdb, sys; shell = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@pytest.mark.slow
def test_a_run_that_publishes_nothing_succeeds(inst: Installation, instance: DagsterInstance) -> None:
    create_parser(inst, inst.team_id, NewParser(name="Notes"))
    upload(inst, inst.team_id, "notes", b"hello", "hello.txt")
    assert run(inst, instance, [("notes", "documents")]).success
    command = [sys.executable, "-c", SHELL, str(inst.warehouse.published)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        assert shell.stdout.readline()
        result = run(inst, instance, [("notes", "documents")])
        shell.communicate("")
    assert result.success
    (event,) = result.get_asset_materialization_events()
    assert event.materialization.metadata["dagster/row_count"].value == 1


pytestmark = pytest.mark.slow

DAILY = [AssetKey(["invoices", "documents"]), AssetKey(["invoices", "line_items"])]
PIPELINE = "parsers: [{template: invoice, partitionsFrom: 2026-01-01}]\n"


def days(instance: DagsterInstance) -> set[str]:
    return set(instance.get_materialized_partitions(DAILY[0]))


def test_a_backfill_reads_the_documents_of_its_days_again(
    make_installation: MakeInstallation, tmp_path: Path, instance: DagsterInstance
) -> None:
    shop = make_installation(pipeline=with_pipeline(tmp_path, PIPELINE))
    four_parsers(shop)
    defs = repository(shop)
    table = defs.asset_graph.get(DAILY[1])
    assert table.partitions_def is not None
    assert table.partitions_def.get_first_partition_key() == "2026-01-01"
    assert table.backfill_policy == BackfillPolicy.single_run()
    assert defs.asset_graph.get(AssetKey(["receipts", "documents"])).partitions_def is None

    ids = [upload(shop, shop.team_id, "invoices", text, "a.txt") for text in (b"a", b"b", b"c")]
    request, _, _ = tick(shop, instance, "queued_documents", defs=defs)
    assert request is not None and not request.asset_selection
    assert run(shop, instance, [("receipts", "documents")]).success
    assert days(instance) == {dt.datetime.now(dt.UTC).date().isoformat()}, "those of its documents"

    for day, one in zip((2, 3, 5), ids, strict=True):
        with shop.catalog.transaction() as session:
            created = dt.datetime(2026, 2, day, 12, tzinfo=dt.UTC)
            session.execute(
                update(Document).where(Document.id == one).values(created_at=created, updated_at=created)
            )
    job = defs.get_implicit_job_def_for_assets(DAILY)
    assert job is not None
    done = job.execute_in_process(
        instance=instance,
        asset_selection=DAILY,
        tags={
            "dagster/asset_partition_range_start": "2026-02-02",
            "dagster/asset_partition_range_end": "2026-02-03",
        },
    )
    assert done.success
    assert get_parser(shop, shop.team_id, "invoices").id not in backlogs(shop)
    with shop.catalog.read_session() as session:
        attempts = [session.get_one(Document, one).attempt for one in ids]
    assert attempts == [2, 2, 1]
    assert days(instance) >= {"2026-02-02", "2026-02-03"}
    assert "2026-02-05" not in days(instance)

    # Documents of other days that the run has read, too.
    today = upload(shop, shop.team_id, "invoices", b"d", "a.txt")
    with shop.catalog.transaction() as session:
        created = dt.datetime(2026, 2, 7, 12, tzinfo=dt.UTC)
        session.execute(
            update(Document).where(Document.id == today).values(created_at=created, updated_at=created)
        )
    tags = {"dagster/partition": "2026-02-02"}
    done = job.execute_in_process(instance=instance, asset_selection=DAILY, tags=tags)
    assert done.success
    events = [event.partition for event in done.get_asset_materialization_events()]
    assert [events.count(f"2026-02-0{day}") for day in (2, 5, 7)] == [2, 0, 2]
