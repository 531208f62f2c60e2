"""Tables with daily partitions: a backfill reads the documents of its days again."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from dagster import AssetKey, BackfillPolicy, DagsterInstance
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.service.parsers.parsers import get_parser
from docduck.service.processing.document_queue import backlogs
from tests.conftest import MakeInstallation
from tests.orchestration.parts import four_parsers, repository, run, tick, with_pipeline
from tests.service.core.documents import upload

pytestmark = pytest.mark.slow

TABLES = [AssetKey(["invoices", "documents"]), AssetKey(["invoices", "line_items"])]
PIPELINE = "parsers: [{template: invoice, partitionsFrom: 2026-01-01}]\n"


def days(instance: DagsterInstance) -> set[str]:
    return set(instance.get_materialized_partitions(TABLES[0]))


def test_a_backfill_reads_the_documents_of_its_days_again(
    make_installation: MakeInstallation, tmp_path: Path, instance: DagsterInstance
) -> None:
    shop = make_installation(pipeline=with_pipeline(tmp_path, PIPELINE))
    four_parsers(shop)
    defs = repository(shop)
    table = defs.asset_graph.get(TABLES[1])
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
            session.execute(update(Document).where(Document.id == one).values(created_at=created))
    job = defs.get_implicit_job_def_for_assets(TABLES)
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
    assert get_parser(shop, shop.team_id, "invoices").id not in backlogs(shop)
    with shop.catalog.read_session() as session:
        attempts = [session.get_one(Document, one).attempt for one in ids]
    assert attempts == [2, 2, 1]
    assert days(instance) >= {"2026-02-02", "2026-02-03"}
    assert "2026-02-05" not in days(instance)
