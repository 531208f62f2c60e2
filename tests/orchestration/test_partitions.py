"""Tables with daily partitions: a backfill reads the documents of its days again."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from dagster import AssetKey, BackfillPolicy, DagsterInstance
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import get_parser
from docduck.service.processing.document_queue import backlogs
from tests.conftest import MakeInstallation
from tests.orchestration.parts import four_parsers, repository, run, tick, with_pipeline
from tests.service.core.documents import upload

pytestmark = pytest.mark.slow

TABLES = [AssetKey(["invoices", "documents"]), AssetKey(["invoices", "line_items"])]
PIPELINE = "parsers: [{template: invoice, partitionsFrom: 2026-01-01}]\n"


@pytest.fixture
def shop(make_installation: MakeInstallation, tmp_path: Path) -> Installation:
    inst = make_installation(pipeline=with_pipeline(tmp_path, PIPELINE))
    four_parsers(inst)
    return inst


def days(instance: DagsterInstance) -> set[str]:
    return set(instance.get_materialized_partitions(TABLES[0]))


def test_only_tables_with_the_option_have_partitions(shop: Installation) -> None:
    graph = repository(shop).asset_graph
    partitions = graph.get(TABLES[1]).partitions_def
    assert partitions is not None and partitions.get_first_partition_key() == "2026-01-01"
    assert graph.get(TABLES[1]).backfill_policy == BackfillPolicy.single_run()
    assert graph.get(AssetKey(["receipts", "documents"])).partitions_def is None


def test_a_run_reports_the_days_of_its_documents(shop: Installation, instance: DagsterInstance) -> None:
    upload(shop, shop.team_id, "invoices", b"Total: 1", "a.txt")
    request, _, _ = tick(shop, instance, "queued_documents")
    assert request is not None and not request.asset_selection
    assert run(shop, instance, [("receipts", "documents")]).success
    assert days(instance) == {dt.datetime.now(dt.UTC).date().isoformat()}


def test_a_backfill_reads_the_documents_of_its_days_again(
    shop: Installation, instance: DagsterInstance
) -> None:
    ids = [upload(shop, shop.team_id, "invoices", text, "a.txt") for text in (b"a", b"b", b"c")]
    assert run(shop, instance, [("receipts", "documents")]).success
    for day, one in zip((2, 3, 5), ids, strict=True):
        with shop.catalog.transaction() as session:
            created = dt.datetime(2026, 2, day, 12, tzinfo=dt.UTC)
            session.execute(update(Document).where(Document.id == one).values(created_at=created))
    job = repository(shop).get_implicit_job_def_for_assets(TABLES)
    assert job is not None
    done = job.execute_in_process(
        instance=instance,
        asset_selection=TABLES,
        tags={
            "dagster/asset_partition_range_start": "2026-02-02",
            "dagster/asset_partition_range_end": "2026-02-03",
        },
    )
    assert done.success
    parser = get_parser(shop, shop.team_id, "invoices")
    assert parser.id not in backlogs(shop)
    with shop.catalog.read_session() as session:
        attempts = [session.get_one(Document, one).attempt for one in ids]
    assert attempts == [2, 2, 1]
    assert days(instance) >= {"2026-02-02", "2026-02-03"}
    assert "2026-02-05" not in days(instance)
