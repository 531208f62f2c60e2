from __future__ import annotations

import threading
from typing import Any

import pytest
from sqlalchemy import func, select

from docduck.catalog.models import AuditEntry, Folder, WarehouseOutbox
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import (
    BulkChanges,
    DocumentChanges,
    update_document,
    update_documents,
)
from docduck.service.documents.queries.document_views import show_document
from docduck.service.outputs import warehouse_sync
from docduck.service.parsers.parsers import ParserView
from tests.service.core.documents import add, complete, make_parser
from tests.service.core.people import make_member, make_team, put_in_review


def make_folder(inst: Installation, parser: ParserView, name: str = "Paid") -> str:
    with inst.catalog.transaction() as session:
        folder = Folder(
            team_id=parser.team_id, parser_id=parser.id, parent_key=parser.id, name=name, slug=name.lower()
        )
        session.add(folder)
        session.flush()
        return folder.id


def behind(inst: Installation) -> int:
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(WarehouseOutbox)) or 0


def audited(inst: Installation, document_id: str) -> list[tuple[str, str, Any]]:
    with inst.catalog.read_session() as session:
        rows = session.scalars(
            select(AuditEntry).where(AuditEntry.resource_id == document_id).order_by(AuditEntry.at)
        )
        return [(row.actor, row.action, row.details) for row in rows]


def test_what_is_said_of_a_document_can_be_changed(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    folder, ann = make_folder(inst, parser), make_member(inst)
    changes: DocumentChanges = {
        "name": "  Invoice 1437 ",
        "external_id": "A-1",
        "custom": {"order": [1, {"a": None}]},
        "folder_id": folder.upper(),
        "assignee_id": ann.upper(),
    }
    found = update_document(inst, inst.team_id, parser.id, document_id, changes, "key abc")
    assert (found.name, found.external_id, found.folder_id) == ("Invoice 1437", "A-1", folder)
    assert found.custom == {"order": [1, {"a": None}]}
    assert found.review.assignee is not None and found.review.assignee.name == "Ann"
    assert not found.review.is_required
    assert found == show_document(inst, inst.team_id, parser.id, external_id="A-1")
    warehouse_sync.sync_warehouse(inst)
    warehouse_sync.publish(inst, force=True)
    rows = inst.warehouse.query("SELECT name, external_id, folder FROM invoices.documents").rows
    assert rows == [("Invoice 1437", "A-1", "Paid")]
    cleared = update_document(
        inst,
        inst.team_id,
        parser.id,
        document_id,
        {"external_id": None, "custom": None, "folder_id": None, "assignee_id": None},
    )
    assert (cleared.external_id, cleared.custom, cleared.folder_id) == (None, None, None)
    assert cleared.review.assignee is None
    assert cleared.updated_at > found.updated_at
    assert [entry[:2] for entry in audited(inst, document_id)] == [
        ("key abc", "document.updated"),
        ("user", "document.updated"),
    ]
    warehouse_sync.sync_warehouse(inst)
    warehouse_sync.publish(inst, force=True)
    rows = inst.warehouse.query("SELECT name, external_id, folder FROM invoices.documents").rows
    assert rows == [("Invoice 1437", None, None)]


def test_no_change_is_no_change(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    (document_id,) = add(inst, parser)
    before = show_document(inst, inst.team_id, parser.id, document_id)
    for changes in (DocumentChanges(), DocumentChanges(name=before.name, external_id=None)):
        assert update_document(inst, inst.team_id, parser.id, document_id, changes) == before
    assert audited(inst, document_id) == []
    assert behind(inst) <= 1, "only the parser's own tables"


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "a\x7fb"}, "name"),
        ({"external_id": ""}, "externalId"),
        ({"external_id": "x" * 256}, "externalId"),
        ({"custom": {"a": "x" * 17_000}}, "custom"),
        ({"custom": {"a": [[[[[1]]]]]}}, "custom"),
        ({"custom": [1]}, "custom"),
    ],
)
def test_a_bad_value_is_refused(inst: Installation, changes: DocumentChanges, path: str) -> None:
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    before = show_document(inst, inst.team_id, parser.id, document_id)
    with pytest.raises(InputError) as caught:
        update_document(inst, inst.team_id, parser.id, document_id, changes)
    assert caught.value.path == path
    assert show_document(inst, inst.team_id, parser.id, document_id) == before


def test_folders_and_people_of_others_are_not_found(any_inst: Installation) -> None:
    inst, parser, other = any_inst, make_parser(any_inst), make_parser(any_inst, "Orders")
    (document_id,) = add(inst, parser)
    stranger = make_member(inst, "Eve", make_team(inst))
    for changes, kind in (
        (DocumentChanges(folder_id=make_folder(inst, other)), "folderId"),
        (DocumentChanges(folder_id=new_id()), "folderId"),
        (DocumentChanges(assignee_id=stranger), "assigneeId"),
        (DocumentChanges(assignee_id=new_id()), "assigneeId"),
    ):
        with pytest.raises(NotFound) as caught:
            update_document(inst, inst.team_id, parser.id, document_id, {**changes, "name": "no"})
        assert caught.value.kind == kind
    assert show_document(inst, inst.team_id, parser.id, document_id).name == "doc-0.txt"


def test_documents_are_found_in_their_parser_and_team_only(any_inst: Installation) -> None:
    inst, parser, other = any_inst, make_parser(any_inst), make_parser(any_inst, "Orders")
    (document_id,) = add(inst, parser)
    with pytest.raises(InputError, match="Parser ID mismatch"):
        update_document(inst, inst.team_id, other.id, document_id, {"name": "x"})
    with pytest.raises(NotFound, match="Document not found"):
        update_document(inst, inst.team_id, parser.id, new_id(), {"name": "x"})
    with pytest.raises(NotFound, match="Parser not found"):
        update_document(inst, inst.team_id, new_id(), document_id, {"name": "x"})
    strangers = make_team(inst)
    theirs = make_parser(inst, "Theirs", strangers)
    with pytest.raises(NotFound, match="Document not found"):
        update_document(inst, strangers, theirs.id, document_id, {"name": "x"})


def test_an_external_id_is_one_documents_of_its_parser(any_inst: Installation) -> None:
    inst, parser, other = any_inst, make_parser(any_inst), make_parser(any_inst, "Orders")
    first, second = add(inst, parser, 2)
    (elsewhere,) = add(inst, other)
    update_document(inst, inst.team_id, parser.id, first, {"external_id": "A"})
    update_document(inst, inst.team_id, other.id, elsewhere, {"external_id": "A"})
    update_document(inst, inst.team_id, parser.id, first, {"external_id": "A", "name": "same"})
    with pytest.raises(Conflict, match="externalId already exists: A"):
        update_document(inst, inst.team_id, parser.id, second, {"external_id": "A"})


def test_of_many_who_want_an_external_id_one_gets_it(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ids = add(inst, parser, 8)
    begin = threading.Barrier(len(ids))
    outcomes: list[str] = []

    def want(document_id: str) -> None:
        begin.wait()
        try:
            update_document(inst, inst.team_id, parser.id, document_id, {"external_id": "A"})
            outcomes.append("got it")
        except Conflict as error:
            outcomes.append(error.message)

    threads = [threading.Thread(target=want, args=(one,)) for one in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["externalId already exists: A"] * 7 + ["got it"]


def test_the_assignee_stays_while_a_stage_is_in_progress(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    ann, bob = make_member(inst), make_member(inst, "Bob")
    put_in_review(inst, document_id, ("First", "in_progress"), ("Second", "pending"), assignee_id=ann)
    with pytest.raises(Conflict, match="Cannot remove the assignee while a review stage is in progress"):
        update_document(inst, inst.team_id, parser.id, document_id, {"assignee_id": None, "name": "no"})
    found = update_document(inst, inst.team_id, parser.id, document_id, {"assignee_id": bob})
    assert found.name == "doc-0.txt"
    review = found.review
    assert (review.is_required, review.status) == (True, "in_progress")
    assert review.assignee is not None and review.assignee.id == bob
    assert review.current_stage == review.stages[0]
    assert review.stages[0].assignee == review.assignee
    assert [(s.name, s.status, s.reviewer_instructions) for s in review.stages] == [
        ("First", "in_progress", "look at First"),
        ("Second", "pending", "look at Second"),
    ]


def test_many_are_changed_in_the_same_way(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ids = add(inst, parser, 4)
    complete(inst, parser)
    update_document(inst, inst.team_id, parser.id, ids[3], {"external_id": "X"})
    ann = make_member(inst)
    put_in_review(inst, ids[0], ("First", "in_progress"), assignee_id=ann)
    folder = make_folder(inst, parser)
    everything: BulkChanges = {"folder_id": folder, "custom": {"a": 1}, "assignee_id": None}
    done = update_documents(inst, inst.team_id, parser.id, [ids[2], ids[0], ids[2]], ["X"], everything)
    assert done.ids == [ids[2], ids[3]]
    assert done.failed == [(ids[0], "Cannot remove the assignee while a review stage is in progress")]
    seen = [show_document(inst, inst.team_id, parser.id, one) for one in ids]
    assert [(one.folder_id, one.custom) for one in seen] == [
        (None, None),
        (None, None),
        (folder, {"a": 1}),
        (folder, {"a": 1}),
    ]


def test_all_that_is_unknown_is_listed_and_nothing_is_changed(any_inst: Installation) -> None:
    inst, parser, other = any_inst, make_parser(any_inst), make_parser(any_inst, "Orders")
    (mine,) = add(inst, parser)
    (elsewhere,) = add(inst, other)
    unknown = new_id()
    with pytest.raises(NotFound) as caught:
        update_documents(inst, inst.team_id, parser.id, [mine, unknown], ["no"], {"custom": {"a": 1}})
    assert caught.value.missing == (("documentId", unknown), ("externalId", "no"))
    with pytest.raises(InputError, match="Parser ID mismatch"):
        update_documents(inst, inst.team_id, parser.id, [mine, elsewhere], [], {"custom": {"a": 1}})
    with pytest.raises(NotFound, match="Folder not found"):
        update_documents(inst, inst.team_id, parser.id, [mine], [], {"folder_id": new_id()})
    assert show_document(inst, inst.team_id, parser.id, mine).custom is None


def test_a_bulk_change_has_bounds(inst: Installation) -> None:
    parser = make_parser(inst)
    (mine,) = add(inst, parser)
    cases: list[tuple[list[str], list[str], BulkChanges, str]] = [
        ([], [], {"custom": None}, "Provide at least one of documentIds or externalIds"),
        ([mine], [], {}, "Provide at least one of folderId, assigneeId or custom"),
        ([mine] * 300, ["x"] * 201, {"custom": None}, "At most 500 documents"),
    ]
    for ids, names, changes, message in cases:
        with pytest.raises(InputError, match=message):
            update_documents(inst, inst.team_id, parser.id, ids, names, changes)
