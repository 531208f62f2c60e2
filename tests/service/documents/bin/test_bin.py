"""Documents that are deleted on the pages: kept whole in the bin, restored, and deleted for good."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import (
    BinnedDocument,
    Document,
    DocumentResult,
    ExportedDocument,
    IntakeEntry,
    PendingText,
    StoredFile,
    Webhook,
    WebhookDelivery,
)
from docduck.errors import Conflict, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.bin import restoring, snapshots
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.bin.contents import batch_ids, delete_for_good, empty_bin, list_binned
from docduck.service.documents.bin.restoring import restore_documents
from docduck.service.documents.bin.snapshots import read_rows
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.folders import delete_folder
from docduck.service.parsers.parsers import ParserChanges, ParserView, delete_parser, update_parser
from docduck.service.processing.results import store_outcomes
from docduck.service.reviews.decisions import approve
from docduck.service.reviews.stage_changes import delete_stage
from docduck.service.search import index, long_texts
from docduck.service.search.index_tables import numbers_of
from docduck.service.search.query import DocumentQuery
from docduck.service.upkeep.retention import delete_expired
from tests.conftest import MakeInstallation
from tests.service.core.catalog import audited, count, query_tables
from tests.service.core.documents import (
    add,
    complete,
    make_parser,
    read_document,
    read_outcomes,
    set_document,
    statuses,
    upload,
)
from tests.service.core.people import make_member, make_team
from tests.service.folders.test_auto_assignment import folder
from tests.service.reviews.reviews_world import stage, stages_at
from tests.service.webhooks.receiver import deliveries, subscribe


def rows_of(inst: Installation, document_id: str) -> Any:
    """All rows of a document, but for what restoring adds to its history, and when it last changed."""
    with inst.catalog.read_session() as session:
        rows = read_rows(session, [document_id])[document_id]
    rows["documents"] = [{**row, "updated_at": None} for row in rows["documents"]]
    rows["document_events"] = [row for row in rows["document_events"] if row["event"] != "restored"]
    return rows


def references(inst: Installation) -> Counter[str]:
    """The references to files, each counted right."""
    with inst.catalog.read_session() as session:
        refs = Counter({row.sha256: row.refs for row in session.scalars(select(StoredFile)) if row.refs})
        used = Counter(session.scalars(select(Document.sha256)))
        used.update(one for one in session.scalars(select(DocumentResult.markdown_sha256)) if one)
        for binned in session.scalars(select(BinnedDocument)):
            used.update(one for one in (binned.sha256, binned.markdown_sha256) if one)
        assert refs == used
        return refs


def found(inst: Installation, parser: ParserView, number: str) -> list[str]:
    filters = [{"field": "Number", "operator": "equals", "value": number}]
    query = DocumentQuery(q=number, filters=filters, in_values=True)
    return [row.id for row in find_documents(inst, parser.team_id, parser.id, query).rows]


def test_a_restored_document_is_what_it_was(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ann = make_member(inst)
    stage(inst, parser, "Books", ann)
    stage(inst, parser, "CFO", ann)
    bills = folder(inst, parser, "bills")
    first, second = add(inst, parser, 2)
    complete(inst, parser, text=b"# A-1")
    set_values(inst, parser.team_id, parser.id, first, {"Number": "Ü-7", "Total": 99}, actor=ann)
    custom = {"a": [1, {"b": 2.5}], "big": 2**70}
    update_document(inst, parser.team_id, parser.id, first, {"folder_id": bills, "custom": custom})
    approve(inst, parser.team_id, parser.id, first, ann, ann)
    with inst.catalog.transaction() as session:
        session.add(ExportedDocument(parser_id=parser.id, name="monthly", document_id=first))
        session.add(
            IntakeEntry(
                **{"team_id": parser.team_id, "source": "inbox", "item": "a", "item_sha256": "a" * 64},
                **{"fingerprint": "1", "document_id": first, "outcome": "registered", "message": ""},
            )
        )
    before, refs, stages = rows_of(inst, first), references(inst), stages_at(inst, first)
    view = get_document(inst, parser.team_id, first)

    batch = bin_documents(inst, parser.team_id, [first, second], ann)
    assert batch is not None and batch_ids(inst, parser.team_id, batch) == sorted([first, second])
    with pytest.raises(NotFound):
        get_document(inst, parser.team_id, first)
    assert found(inst, parser, "Ü-7") == []
    assert references(inst) == refs
    binned = list_binned(inst, parser.team_id)
    assert (binned.total, {row.name for row in binned.rows}) == (2, {"doc-0.txt", "doc-1.txt"})
    assert {row.deleted_by for row in binned.rows} == {ann}
    assert binned.rows[0].goes_at - binned.rows[0].deleted_at == dt.timedelta(days=30)

    assert restore_documents(inst, parser.team_id, [first, second], ann).notes == []
    assert rows_of(inst, first) == before
    assert (references(inst), stages_at(inst, first)) == (refs, stages)
    now = get_document(inst, parser.team_id, first)
    assert now.data == view.data and now.review == view.review and now.custom == custom
    assert (now.history[-1].event, now.history[-1].actor) == ("restored", ann)
    assert found(inst, parser, "Ü-7") == [first]
    assert find_documents(inst, parser.team_id, parser.id, DocumentQuery()).total == 2
    assert list_binned(inst, parser.team_id).total == 0
    with pytest.raises(NotFound):
        restore_documents(inst, parser.team_id, [first], ann)
    approve(inst, parser.team_id, parser.id, first, ann, ann)
    assert get_document(inst, parser.team_id, first).status == "approved"


def test_rows_of_tables_and_numbers_of_the_index_come_back(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    original, copy = add(inst, parser, 2)
    complete(inst, parser)

    def numbers(*ids: str) -> dict[str, int]:
        with inst.catalog.read_session() as session:
            return numbers_of(session, ids)

    before, sql = numbers(original, copy), "SELECT number FROM invoices.documents"
    assert query_tables(inst, sql) == [("A-1",)] * 2
    for act, rows in ((bin_documents, 1), (restore_documents, 2)):
        act(inst, parser.team_id, [original], "user")
        assert query_tables(inst, sql) == [("A-1",)] * rows
    assert numbers(original, copy) == before, "it is no duplicate of its later copy"
    (later,) = add(inst, parser, prefix="later")
    assert numbers(later)[later] > max(before.values())


def test_what_is_gone_meanwhile_is_left_out_and_told(inst: Installation) -> None:
    parser = make_parser(inst)
    ann = make_member(inst)
    books = stage(inst, parser, "Books", ann)
    bills = folder(inst, parser, "bills")
    document_id = upload(inst, parser.team_id, parser.slug, b"one", "one.txt", external_id="A")
    complete(inst, parser)
    update_document(inst, parser.team_id, parser.id, document_id, {"folder_id": bills})
    bin_documents(inst, parser.team_id, [document_id], ann)
    delete_folder(inst, parser.team_id, parser.id, bills)
    delete_stage(inst, parser.team_id, parser.slug, books.id)
    upload(inst, parser.team_id, parser.slug, b"two", "two.txt", external_id="A")
    (note,) = restore_documents(inst, parser.team_id, [document_id], ann).notes
    assert note == "one.txt was restored without its external id 'A', which another document has now"
    view = get_document(inst, parser.team_id, document_id)
    assert (view.folder_id, view.external_id) == (None, None)
    assert view.status == "queued", "its review could not go on"
    assert [entry.event for entry in view.history][-2:] == ["restored", "reprocessed"]
    bin_documents(inst, parser.team_id, [document_id], "user")
    delete_parser(inst, parser.team_id, parser.id)
    with pytest.raises(Conflict, match=r"^'one.txt' can't be restored, as its parser was deleted$"):
        restore_documents(inst, parser.team_id, [document_id], "user")
    assert list_binned(inst, parser.team_id).total == 1


def test_documents_in_work_are_finished_after_they_were_restored(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    first, second = add(inst, parser, 2)
    readings = read_outcomes(inst, parser, 1)
    bin_documents(inst, parser.team_id, [first, second], "user")
    assert read_outcomes(inst, parser, owner="other") == []
    restore_documents(inst, parser.team_id, [first, second], "user")
    assert store_outcomes(inst, readings, "me").stored == readings
    complete(inst, parser)
    assert statuses(inst, [first, second]) == ["processed"] * 2


@pytest.mark.parametrize("paused", [False, True])
def test_deliveries_that_waited_wait_again(inst: Installation, paused: bool) -> None:
    parser = make_parser(inst)
    webhook_id, _ = subscribe(inst, parser.id, "https://example.com/hook", ["document.processed"])
    first, second = add(inst, parser, 2)
    complete(inst, parser)
    with inst.catalog.transaction() as session:
        sent = update(WebhookDelivery).where(WebhookDelivery.document_id == second)
        session.execute(sent.values(status="succeeded", next_attempt_at=None))
        if paused:
            session.execute(update(Webhook).where(Webhook.id == webhook_id).values(status="paused"))
    bin_documents(inst, parser.team_id, [first, second], "user")
    ended = {row.document_id: row.status for row in deliveries(inst)}
    assert ended == {first: "cancelled", second: "succeeded"}
    restore_documents(inst, parser.team_id, [first, second], "user")
    waiting = {row.document_id: (row.status, row.next_attempt_at is None) for row in deliveries(inst)}
    assert waiting == {first: ("pending", paused), second: ("succeeded", True)}


def test_an_external_id_that_is_taken_in_the_middle_is_left_out(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    document_id = upload(inst, parser.team_id, parser.slug, b"one", "one.txt", external_id="A")
    bin_documents(inst, parser.team_id, [document_id], "user")
    calls = list[int]()
    taken = restoring._taken

    def late(session: Session, documents: Any) -> list[str]:
        calls.append(1)
        if len(calls) == 1:
            upload(inst, parser.team_id, parser.slug, b"two", "two.txt", external_id="A")
        return [] if len(calls) <= 2 else taken(session, documents)

    monkeypatch.setattr(restoring, "_taken", late)
    (note,) = restore_documents(inst, parser.team_id, [document_id], "user").notes
    assert note.startswith("one.txt was restored without its external id 'A'")


def test_long_texts_are_found_again(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    inst = any_inst
    parser, document_id = read_document(inst)
    for module in (index, long_texts):
        monkeypatch.setattr(module, "LONG_TEXT", 2)
    bin_documents(inst, parser.team_id, [document_id], "user")
    restore_documents(inst, parser.team_id, [document_id], "user")
    assert found(inst, parser, "A-1") == [document_id]
    assert count(inst, PendingText) == 0


def test_documents_are_deleted_while_they_are_read(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    (document_id,) = add(inst, parser)
    read_outcomes(inst, parser)
    calls = list[int]()

    def meanwhile(snapshot: Any) -> Any:
        calls.append(1)
        set_document(inst, document_id, pages_read=len(calls), lease_expires_at=clock.now())
        return snapshots.as_json(snapshot)

    monkeypatch.setattr(f"{bin_documents.__module__}.as_json", meanwhile)
    bin_documents(inst, parser.team_id, [document_id], "user")
    assert len(calls) == 1


def test_many_are_deleted_and_restored_some_at_a_time(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ids = sorted(add(inst, parser, 5))
    monkeypatch.setattr(snapshots, "_PORTION", 2)
    with pytest.raises(NotFound):
        bin_documents(inst, parser.team_id, [*ids, new_id()], "user")
    assert list_binned(inst, parser.team_id).total == 0
    batch = bin_documents(inst, parser.team_id, ids, "user")
    with pytest.raises(NotFound):
        restore_documents(inst, parser.team_id, [*ids, new_id()], "user")
    assert list_binned(inst, parser.team_id).total == 5
    assert batch_ids(inst, parser.team_id, str(batch)) == ids
    assert restore_documents(inst, parser.team_id, ids, "user").ids == ids
    assert find_documents(inst, parser.team_id, parser.id, DocumentQuery()).total == 5


def test_the_bin_of_others_is_not_reached(inst: Installation) -> None:
    parser, stranger = make_parser(inst), make_team(inst)
    (document_id,) = add(inst, parser)
    batch = bin_documents(inst, parser.team_id, [document_id], "user")
    assert batch_ids(inst, stranger, str(batch)) == []
    assert delete_for_good(inst, stranger, [document_id], "user") == 0
    for team, one in ((stranger, document_id), (parser.team_id, "x")):
        with pytest.raises(NotFound):
            restore_documents(inst, team, [one], "user")
    assert list_binned(inst, stranger).total == 0


def test_the_bin_is_emptied(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    kept, old, chosen = add(inst, parser, 3)
    complete(inst, parser, text=b"# A-1")
    bin_documents(inst, parser.team_id, [kept, old, chosen], "user")
    with inst.catalog.transaction() as session:
        aged = update(BinnedDocument).where(BinnedDocument.id == old)
        session.execute(aged.values(deleted_at=clock.now() - dt.timedelta(days=30, seconds=1)))
    assert empty_bin(inst) == 1
    assert delete_for_good(inst, parser.team_id, [chosen, old], "user") == 1
    assert [row.id for row in list_binned(inst, parser.team_id).rows] == [kept]
    assert len(references(inst)) == 2, "its file and its markdown"
    for one in (old, chosen):
        assert audited(inst, action="document.deleted_for_good", resource_id=one)


def test_retention_reaches_into_the_bin(inst: Installation) -> None:
    parser = make_parser(inst)
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"retentionDays": 3}))
    first, second = add(inst, parser, 2)
    set_document(inst, first, created_at=clock.now() - dt.timedelta(days=4))
    bin_documents(inst, parser.team_id, [first, second], "user")
    delete_expired(inst)
    assert [row.id for row in list_binned(inst, parser.team_id).rows] == [second]


def test_without_a_bin_documents_are_deleted_at_once(make_installation: MakeInstallation) -> None:
    inst = make_installation(bin_days=0)
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    assert bin_documents(inst, parser.team_id, [document_id], "user") is None
    assert list_binned(inst, parser.team_id).total == 0
    assert references(inst) == Counter()


def test_a_change_while_the_snapshot_is_taken_is_in_it(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = any_inst
    parser, document_id = read_document(inst)
    calls = list[int]()

    def meanwhile(snapshot: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            set_values(inst, parser.team_id, parser.id, document_id, {"Number": "late"})
        if len(calls) == 2:
            update_document(inst, parser.team_id, parser.id, document_id, {"custom": {"late": True}})
        return snapshots.as_json(snapshot)

    monkeypatch.setattr(f"{bin_documents.__module__}.as_json", meanwhile)
    bin_documents(inst, parser.team_id, [document_id], "user")
    assert len(calls) == 3
    restore_documents(inst, parser.team_id, [document_id], "user")
    view = get_document(inst, parser.team_id, document_id)
    assert (view.data["Number"], view.custom) == ("late", {"late": True})


def test_nothing_is_lost_if_the_process_ends_in_the_middle(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = any_inst
    parser, document_id = read_document(inst)
    before = rows_of(inst, document_id)

    class Killed(BaseException):
        pass

    def killed(session: Session, *_: Any) -> None:
        session.flush()
        raise Killed

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(f"{bin_documents.__module__}.delete_rows", killed)
        bin_documents(inst, parser.team_id, [document_id], "user")
    assert rows_of(inst, document_id) == before and list_binned(inst, parser.team_id).total == 0
    bin_documents(inst, parser.team_id, [document_id], "user")
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr("docduck.service.documents.bin.restoring._go_on", killed)
        restore_documents(inst, parser.team_id, [document_id], "user")
    assert list_binned(inst, parser.team_id).total == 1 and found(inst, parser, "A-1") == []
    restore_documents(inst, parser.team_id, [document_id], "user")
    assert rows_of(inst, document_id) == before
