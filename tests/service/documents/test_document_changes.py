from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from docduck.catalog.models import Folder, WarehouseOutbox
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
from docduck.service.parsers.parsers import ParserView
from tests.service.core.at_once import at_once
from tests.service.core.catalog import audited, count, query_tables
from tests.service.core.documents import add, complete, make_parser, read_document
from tests.service.core.people import make_member, make_team, put_in_review


def make_folder(inst: Installation, parser: ParserView, name: str = "Paid") -> str:
    with inst.catalog.transaction() as session:
        folder = Folder(
            team_id=parser.team_id, parser_id=parser.id, parent_key=parser.id, name=name, slug=name.lower()
        )
        session.add(folder)
        session.flush()
        return folder.id


def test_what_is_said_of_a_document_can_be_changed(any_inst: Installation) -> None:
    inst = any_inst
    parser, document_id = read_document(inst)
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
    sql = "SELECT name, external_id, folder FROM invoices.documents"
    assert query_tables(inst, sql) == [("Invoice 1437", "A-1", "Paid")]
    nothing: DocumentChanges = {"external_id": None, "custom": None, "folder_id": None, "assignee_id": None}
    cleared = update_document(inst, inst.team_id, parser.id, document_id, nothing)
    assert (cleared.external_id, cleared.custom, cleared.folder_id) == (None, None, None)
    assert cleared.review.assignee is None
    assert cleared.updated_at > found.updated_at
    assert query_tables(inst, sql) == [("Invoice 1437", None, None)]
    # What is no change leaves no trace.
    for changes in (DocumentChanges(), DocumentChanges(name=cleared.name, external_id=None)):
        assert update_document(inst, inst.team_id, parser.id, document_id, changes) == cleared
    assert count(inst, WarehouseOutbox) == 0
    log = [entry[:2] for entry in audited(inst, resource_id=document_id)]
    assert log == [("key abc", "document.updated"), ("user", "document.updated")]


def test_bad_values_are_refused(inst: Installation) -> None:
    wrong: list[tuple[Any, str]] = [
        *(({"name": name}, "name") for name in (" ", "x" * 256, "a\nb", "a\x7fb")),
        *(({"external_id": one}, "externalId") for one in ("", "x" * 256)),
        *(({"custom": one}, "custom") for one in ({"a": "x" * 17_000}, {"a": [[[[[1]]]]]}, [1])),
    ]
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    before = show_document(inst, inst.team_id, parser.id, document_id)
    for changes, path in wrong:
        with pytest.raises(InputError) as caught:
            update_document(inst, inst.team_id, parser.id, document_id, changes)
        assert caught.value.path == path
    assert show_document(inst, inst.team_id, parser.id, document_id) == before


def test_documents_folders_and_people_of_others_are_not_found(inst: Installation) -> None:
    parser, other, strangers = make_parser(inst), make_parser(inst, "Orders"), make_team(inst)
    (document_id,) = add(inst, parser)
    stranger = make_member(inst, "Eve", strangers)
    for changes, kind in (
        (DocumentChanges(folder_id=make_folder(inst, other)), "folderId"),
        (DocumentChanges(folder_id=new_id()), "folderId"),
        (DocumentChanges(assignee_id=stranger), "assigneeId"),
        (DocumentChanges(assignee_id=new_id()), "assigneeId"),
    ):
        with pytest.raises(NotFound) as caught:
            update_document(inst, inst.team_id, parser.id, document_id, {**changes, "name": "no"})
        assert caught.value.kind == kind
    theirs = make_parser(inst, "Theirs", strangers)
    for team, parser_id, one, message in (
        (inst.team_id, other.id, document_id, "Parser ID mismatch"),
        (inst.team_id, parser.id, new_id(), "Document not found"),
        (inst.team_id, new_id(), document_id, "Parser not found"),
        (strangers, theirs.id, document_id, "Document not found"),
    ):
        with pytest.raises((InputError, NotFound), match=message):
            update_document(inst, team, parser_id, one, {"name": "x"})
    assert show_document(inst, inst.team_id, parser.id, document_id).name == "doc-0.txt"


def test_an_external_id_is_one_documents_of_its_parser(any_inst: Installation) -> None:
    inst, parser, other = any_inst, make_parser(any_inst), make_parser(any_inst, "Orders")
    (elsewhere,) = add(inst, other)
    update_document(inst, inst.team_id, other.id, elsewhere, {"external_id": "A"})
    wanted: DocumentChanges = {"external_id": "A"}
    take = partial(update_document, inst, inst.team_id, parser.id, changes=wanted)
    outcomes = at_once(*[partial(take, one) for one in add(inst, parser, 8)])
    (got,) = (one for one in outcomes if not isinstance(one, Conflict))
    taken = "externalId already exists: A"
    assert [one.message for one in outcomes if isinstance(one, Conflict)] == [taken] * 7
    update_document(inst, inst.team_id, parser.id, got.id, {"external_id": "A", "name": "same"})


def test_the_assignee_stays_while_a_stage_is_in_progress(inst: Installation) -> None:
    parser, document_id = read_document(inst)
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
    ((failed, error),) = done.failed
    assert (failed, error.code) == (ids[0], "assignee_required")
    assert error.message == "Cannot remove the assignee while a review stage is in progress"
    seen = [show_document(inst, inst.team_id, parser.id, one) for one in ids]
    changed = [(folder, {"a": 1})] * 2
    assert [(one.folder_id, one.custom) for one in seen] == [(None, None), (None, None), *changed]


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
    cases: list[tuple[list[str], list[str], BulkChanges, str]] = [
        ([], [], {"custom": None}, "Provide at least one of documentIds or externalIds"),
        ([mine], [], {}, "Provide at least one of folderId, assigneeId or custom"),
        ([mine] * 300, ["x"] * 201, {"custom": None}, "At most 500 documents"),
    ]
    for ids, names, changes, message in cases:
        with pytest.raises(InputError, match=message):
            update_documents(inst, inst.team_id, parser.id, ids, names, changes)
