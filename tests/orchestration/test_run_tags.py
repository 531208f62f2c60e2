"""Runs are tagged with the operations of their documents."""

from __future__ import annotations

import pytest
from dagster import DagsterInstance, DagsterRunStatus, RunsFilter
from sqlalchemy import select

from dagster_docduck.assets.run_tags import OPERATIONS_TAG, OperationsTag
from docduck.catalog.models import Document, DocumentEvent
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import inbox
from tests.orchestration.parts import run
from tests.orchestration.test_sensors import add_run, drop
from tests.service.core.documents import upload


def claims(count: int, source: str = "api") -> list[Claim]:
    return [
        Claim(f"d{n}", "t", "p", "p", "a.pdf", "00", "application/pdf", 1, None, None, source, f"op{n}")
        for n in range(count)
    ]


def tags_of(instance: DagsterInstance, run_id: str) -> set[str]:
    found = instance.get_run_by_id(run_id)
    assert found is not None
    return set(found.tags.get(OPERATIONS_TAG, "").split())


def test_tags_are_written_once_a_second_and_at_the_end(
    instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = add_run(instance, None).run_id
    tags = OperationsTag(instance, run_id, 10)
    now = 1000.0
    monkeypatch.setattr("dagster_docduck.assets.run_tags.time.monotonic", lambda: now)
    tags.add([*claims(1), *claims(9, source="folder")[8:]])
    tags.add(claims(2)[1:])
    assert tags_of(instance, run_id) == {"op0"}
    now = 1001.0
    tags.add([])
    assert tags_of(instance, run_id) == {"op0", "op1"}
    tags.add(claims(3)[2:])
    tags.write()
    assert tags_of(instance, run_id) == {"op0", "op1", "op2"}


def test_as_many_as_allowed_are_written_at_once(
    instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = add_run(instance, None).run_id
    written: list[int] = []
    write = instance.add_run_tags

    def note(run_id: str, tags: dict[str, str]) -> None:
        written.append(len(tags))
        write(run_id, tags)

    monkeypatch.setattr(instance, "add_run_tags", note)
    tags = OperationsTag(instance, run_id, 1000)
    tags.add(claims(999))
    assert written == [1]
    tags.add(claims(1009)[1000:])
    tags.write()
    assert len(tags_of(instance, run_id)) == 1000


@pytest.mark.slow
def test_a_run_tags_itself_and_is_in_the_history_of_its_documents(
    shop: Installation, instance: DagsterInstance
) -> None:
    uploaded = upload(shop, shop.team_id, "invoices", b"Invoice Number: A-1", "a.txt")
    drop(shop)
    ingest(shop, inbox(shop))
    result = run(shop, instance, [("invoices", "documents")])
    assert result.success
    with shop.catalog.read_session() as session:
        operation = session.scalar(select(Document.operation_id).where(Document.id == uploaded))
        reasons = set(
            session.scalars(select(DocumentEvent.reason).where(DocumentEvent.event == "claimed")).all()
        )
    assert reasons == {f"run {result.run_id}"}
    assert tags_of(instance, result.run_id) == {operation}
    (found,) = instance.get_runs(RunsFilter(tags={OPERATIONS_TAG: str(operation)}))
    assert (found.run_id, found.status) == (result.run_id, DagsterRunStatus.SUCCESS)
    assert not [key for key in found.tags if key.startswith("docduck/") and key != OPERATIONS_TAG]
