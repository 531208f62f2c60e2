"""What is wrong with an installation is found, and put right."""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
from collections.abc import Callable

import pytest
from sqlalchemy import update

from docduck import clock
from docduck.catalog.models import Document
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.processing import document_queue
from docduck.service.upkeep import doctor
from docduck.service.upkeep.doctor import Finding, examine
from tests.service.classifiers.classifiers_world import make_classifier
from tests.service.core.documents import add, complete, make_parser

OWNER = "nobody/-/0/0.0/0"


def read_two(inst: Installation) -> list[str]:
    parser = make_parser(inst, "Ones")
    ids = add(inst, parser, 2)
    complete(inst, parser)
    sync_warehouse(inst)
    return ids


def outcomes(findings: list[Finding]) -> list[tuple[str, bool, bool]]:
    return [(finding.part, finding.can_be_fixed, finding.is_fixed) for finding in findings]


def test_nothing_is_wrong_with_documents_that_were_read(any_inst: Installation) -> None:
    read_two(any_inst)
    steps: list[tuple[int, int]] = []
    assert examine(any_inst, on_progress=lambda done, of: steps.append((done, of))) == []
    assert steps == [(number, 7) for number in range(7)]
    make_parser(any_inst, "Twos")
    assert examine(any_inst) == [], "rows that are pending are no difference"


def test_a_model_that_settings_name_and_that_is_gone(inst: Installation) -> None:
    file = inst.settings.models_file
    file.write_text("hosted: {base_url: http://127.0.0.1:1/v1}")
    parser = make_parser(inst)
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"model": "hosted"}))
    classifier, _ = make_classifier(inst, "Bill", model="hosted")
    assert examine(inst) == []
    file.write_text("hosted: {base_url: x}")
    problem, *gone = examine(inst)
    assert {finding.part for finding in (problem, *gone)} == {"models"}
    assert problem.message.startswith("models.yaml:1: hosted.base_url: must match the pattern")
    assert [finding.message.partition(", which is not set up")[0] for finding in gone] == [
        f"parser '{parser.slug}' names the language model 'hosted'",
        f"classifier '{classifier.slug}' names the language model 'hosted'",
    ]


def test_documents_of_a_process_that_is_gone_are_queued(any_inst: Installation) -> None:
    (document_id,) = add(any_inst, make_parser(any_inst))
    document_queue.claim_documents(any_inst, any_inst.team_id, [document_id], OWNER)
    assert examine(any_inst) == [], "its lease still holds"
    with any_inst.catalog.transaction() as session:
        session.execute(update(Document).values(lease_expires_at=clock.now() - dt.timedelta(seconds=1)))
    (finding,) = examine(any_inst)
    assert finding == Finding("queue", "1 document in the work of a process that is gone", True)
    assert outcomes(examine(any_inst, fix=True)) == [("queue", True, True)]
    assert get_document(any_inst, any_inst.team_id, document_id).status == "queued"
    assert examine(any_inst) == []


def test_files_that_are_missing_or_that_nothing_names(any_inst: Installation) -> None:
    first, _ = read_two(any_inst)
    left = any_inst.files.put_bytes(b"never registered").sha256
    assert examine(any_inst) == [], "it may be about to be registered"
    os.utime(any_inst.files.path(left), (0, 0))
    with any_inst.catalog.read_session() as session:
        any_inst.files.path(session.get_one(Document, first).sha256).unlink()
    missing, unknown = examine(any_inst)
    assert missing.message.startswith(
        "1 stored file missing from the file store: among them those of 'doc-0.txt'"
    )
    assert first in missing.message
    assert not missing.can_be_fixed
    assert unknown.message == "1 stored file that nothing in the catalog names"
    assert outcomes(examine(any_inst, fix=True)) == [("files", False, False), ("files", True, True)]
    assert any_inst.files.stored_at(left) is None
    assert outcomes(examine(any_inst)) == [("files", False, False)]


def _delete_a_row(inst: Installation) -> None:
    with inst.warehouse._writing() as connection:
        connection.execute(
            "DELETE FROM ones.documents WHERE document_id = (SELECT min(document_id) FROM ones.documents)"
        )


def test_tables_that_differ_from_the_catalog_are_rebuilt(inst: Installation) -> None:
    read_two(inst)
    for damage in (
        lambda: inst.warehouse.drop("ones"),
        lambda: _delete_a_row(inst),
        lambda: (inst.settings.home / "warehouse.duckdb").unlink(),
    ):
        damage()
        (finding,) = examine(inst)
        assert finding.part == "tables"
        assert finding.message.startswith("ones.documents has ")
        assert finding.message.endswith(" rows, the catalog 2 documents")
        assert outcomes(examine(inst, fix=True)) == [("tables", True, True)]
        assert inst.warehouse.query("SELECT count(*) FROM ones.documents").rows == [(2,)]
        assert examine(inst) == []


def test_a_damaged_catalog_is_found(inst: Installation) -> None:
    read_two(inst)
    path = inst.settings.home / "catalog.sqlite"
    inst.catalog.engine.dispose()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'documents' LIMIT 1"
        ).fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    with path.open("r+b") as file:
        file.seek((page - 1) * size + 8)
        file.write(b"\xff" * 64)
    (finding,) = doctor._catalog(inst, False)
    assert finding.part == "catalog"
    assert "is damaged" in finding.message
    assert not finding.can_be_fixed


@pytest.mark.postgres
def test_clocks_that_are_apart_are_found(
    make_installation: Callable[..., Installation], postgres_catalog: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(catalog_url=postgres_catalog)
    assert list(doctor._catalog(inst, False)) == []
    later = clock.now() + dt.timedelta(seconds=100)
    monkeypatch.setattr("docduck.clock.now", lambda: later)
    (finding,) = doctor._catalog(inst, False)
    assert finding.part == "clock"
    assert " s apart" in finding.message
