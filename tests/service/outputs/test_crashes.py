"""Processes that die while they write tables or exports: rows, and documents in files, are there once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import Export, WarehouseOutbox
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.outputs.folder_exports import export_to_folder
from docduck.service.outputs.warehouse_sync import publish, rebuild, sync_warehouse
from tests.conftest import MakeInstallation
from tests.object_store import keys_set, new_bucket, object_store
from tests.service.core.catalog import count
from tests.service.core.documents import add, complete, make_parser
from tests.service.core.nursery import Nursery

SCRIPT = """
from docduck.service.outputs import folder_exports, warehouse_sync
from docduck.warehouse import warehouse

POINTS = {
    "rows inserted": lambda count: dies_at(warehouse, "insert", count),
    "committed": lambda count: dies_at(warehouse_sync, "_forget", count, before=True),
    "written": lambda count: dies_at(folder_exports, "record_documents", count, before=True),
    "recorded": lambda count: dies_at(folder_exports, "_place_recorded", count, before=True),
    "placed": lambda count: dies_at(folder_exports, "place", count),
    "to be flushed": lambda count: dies_at(folder_exports, "flush_folder", count, before=True),
}

def work(inst, order):
    if "parser" in order:
        folder_exports.export_to_folder(inst, inst.team_id, order["parser"], increment="n")
    else:
        warehouse_sync.sync_warehouse(inst)
    return 0
"""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with keys_set():
        made = Nursery(SCRIPT)
    yield made
    made.close()


@pytest.fixture(params=["file", pytest.param("lake", marks=[pytest.mark.postgres, pytest.mark.extended])])
def settings(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """The settings of a home with its tables in a file, and again of one with them in a lake."""
    if request.param == "file":
        yield {}
        return
    with keys_set(), object_store() as server:
        yield {
            "catalog_url": request.getfixturevalue("postgres_catalog"),
            "lake_url": f"s3://{new_bucket(server).config['bucket']}/lake",
            "files_endpoint": server,
        }


def rows(inst: Installation) -> list[tuple[Any, ...]]:
    """What an analyst sees, and how much is still pending."""
    publish(inst, force=True)
    found = [
        row
        for table in ("documents", "line_items", "_evidence")
        for row in inst.warehouse.query(f"FROM invoices.{table} ORDER BY ALL").rows
    ]
    return [*found, (count(inst, WarehouseOutbox),)]


@pytest.mark.parametrize("point", ["rows inserted", "committed"])
def test_the_next_writer_repeats_what_was_not_forgotten(
    make_installation: MakeInstallation, nursery: Nursery, settings: dict[str, Any], point: str
) -> None:
    inst = make_installation(**settings)
    parser = make_parser(inst)
    ids = add(inst, parser, 4)
    complete(inst, parser)
    sync_warehouse(inst)
    before = rows(inst)
    delete_documents(inst, inst.team_id, ids[:1])
    reprocess(inst, inst.team_id, ids[1:3])
    complete(inst, parser, number="B", rows=3)
    assert nursery.run(inst, settings, {}, dies_at=(point, 1)) == [9]
    shown, pending = rows(inst)[:-1], rows(inst)[-1]
    assert pending == (3,)
    assert (shown == before[:-1]) == (point == "rows inserted")
    sync_warehouse(inst)
    after = rows(inst)
    assert after[-1] == (0,)
    assert {row[0] for row in after[:-1]} == {*ids[1:]}
    rebuild(inst)
    assert rows(inst) == after


@pytest.mark.parametrize("point", ["written", "recorded", "placed", "to be flushed"])
def test_an_export_that_dies_loses_and_doubles_nothing(
    inst: Installation, nursery: Nursery, point: str
) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser, 3)
    complete(inst, parser)
    assert nursery.run(inst, {}, {"parser": parser.id}, dies_at=(point, 1)) == [9]
    ids += add(inst, parser, 2, "more")
    complete(inst, parser)
    export_to_folder(inst, parser.team_id, parser.id, increment="n")
    files = (inst.settings.exports / "invoices").glob("*.json")
    exported = [one["document"]["id"] for path in files for one in json.loads(path.read_text())]
    assert sorted(exported) == sorted(ids)
    with inst.catalog.read_session() as session:
        assert session.scalars(select(Export.part).where(Export.part.is_not(None))).all() == []
