from __future__ import annotations

import datetime as dt

import pytest
from sqlalchemy import select, update

from docduck import clock
from docduck.catalog.models import AuditEntry, Document, Parser, StoredFile
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserChanges, ParserView, delete_parser, update_parser
from docduck.service.upkeep import retention
from docduck.service.upkeep.retention import delete_expired
from docduck.statuses import Status
from tests.service.core.documents import add, complete, make_parser, statuses


def kept_for(inst: Installation, days: int | None, name: str = "Invoices") -> ParserView:
    parser = make_parser(inst, name)
    return update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"retentionDays": days}))


def age(inst: Installation, document_id: str, days: float, status: Status | None = None) -> None:
    with inst.catalog.transaction() as session:
        row = session.get(Document, document_id)
        assert row is not None
        row.created_at = clock.now() - dt.timedelta(days=days)
        if status is not None:
            row.status = status


def test_old_documents_that_are_done_are_deleted(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_STEP", 2)
    inst, parser, forever = any_inst, kept_for(any_inst, 30), kept_for(any_inst, None, "Contracts")
    ids, others = add(inst, parser, 12), add(inst, forever, 1)
    complete(inst, parser)
    complete(inst, forever)
    gone = {*ids[:4], ids[5]}
    for document_id in (*ids[:4], *others):
        age(inst, document_id, 30.1)
    age(inst, ids[4], 29.9)
    age(inst, ids[5], 31, Status.FAILED)
    kept = [status for status in Status if status not in (Status.PROCESSED, Status.FAILED)]
    for document_id, status in zip(ids[6:], kept, strict=False):
        age(inst, document_id, 4000, status)
    assert delete_expired(inst) == {parser.slug: 5}
    with inst.catalog.read_session() as session:
        assert set(session.scalars(select(Document.id))) == {*ids, *others} - gone
        entries = session.execute(
            select(AuditEntry.resource_id, AuditEntry.actor).where(AuditEntry.action == "document.deleted")
        ).all()
        assert {tuple(entry) for entry in entries} == {(one, "retention") for one in gone}
        assert session.scalars(select(StoredFile).where(StoredFile.refs == 0)).all()
    assert delete_expired(inst) == {}
    assert statuses(inst, [ids[4]]) == ["processed"]


def test_documents_of_a_deleted_parser_expire_and_broken_settings_delete_nothing(inst: Installation) -> None:
    gone, broken = kept_for(inst, 1), kept_for(inst, 1, "Broken")
    for parser in (gone, broken):
        (document_id,) = add(inst, parser)
        complete(inst, parser)
        age(inst, document_id, 5000)
    delete_parser(inst, inst.team_id, gone.id)
    with inst.catalog.transaction() as session:
        values = {"settings": {"retentionDays": "soon"}}
        session.execute(update(Parser).where(Parser.id == broken.id).values(**values))
    assert sum(delete_expired(inst).values()) == 1
    with inst.catalog.read_session() as session:
        assert session.scalars(select(Document.parser_id)).all() == [broken.id]
