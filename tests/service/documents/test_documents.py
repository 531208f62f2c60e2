from __future__ import annotations

import json

import pytest
from sqlalchemy import func, insert, select

from docduck.catalog.models import Document, DocumentResult, DocumentStage, StoredFile
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.cancellation import cancel
from docduck.service.documents.deletion import delete_documents, delete_from_parser
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import get_document, history_of, show_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess, reprocess_document
from docduck.service.outputs.folder_exports import export_to_folder
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.field_editing import add_field, delete_field, update_field
from docduck.service.parsers.parsers import ParserChanges, delete_parser, update_parser
from docduck.service.processing.results import store_outcomes
from docduck.service.reviews.stage_changes import delete_stage
from tests.service.core.catalog import query_tables, statements
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
from tests.service.core.people import make_member, make_team, put_in_review
from tests.service.reviews.reviews_world import rule, stage


def test_a_document_is_shown_whole(any_inst: Installation) -> None:
    inst = any_inst
    parser, document_id = read_document(inst, rows=1)
    found = show_document(inst, inst.team_id, parser.id, document_id)
    assert found.data == {
        "Number": "A-1",
        "Total": 12.5,
        "Tags": ["a", "b"],
        "Line Items": [{"Description": "item 0", "Amount": 0.0}],
    }
    assert found.field_metadata["Line Items"][0]["Amount"]["page"] == 1
    assert found.is_processed
    assert not found.has_markdown
    assert found.history == ()
    history = history_of(inst, inst.team_id, parser.id, document_id)
    assert [one.event for one in history.rows] == ["stored", "claimed", "extracted"]
    assert history.total == 3
    second = history_of(inst, inst.team_id, parser.id, document_id, page=2, limit=2)
    assert ([one.event for one in second.rows], second.total) == (["extracted"], 3)
    assert get_document(inst, inst.team_id, document_id).history == history.rows
    # What was not found is null, and what is not read has no values.
    with inst.catalog.transaction() as session:
        session.get_one(DocumentResult, document_id).values = {}
    found = show_document(inst, inst.team_id, parser.id, document_id)
    assert found.data == {"Number": None, "Total": None, "Tags": [], "Line Items": []}
    for status in ("uploading", "queued", "processing", "failed", "skipped"):
        set_document(inst, document_id, status=status)
        found = show_document(inst, inst.team_id, parser.id, document_id)
        assert (found.data, found.field_metadata, found.is_processed) == ({}, {}, False)


def test_markdown_is_offered_where_the_parser_asks_for_it(inst: Installation) -> None:
    parser, document_id = read_document(inst, text=b"# A-1")
    assert not show_document(inst, inst.team_id, parser.id, document_id).has_markdown
    changes = ParserChanges(settings={"markdownParsing": {"enabled": True}})
    update_parser(inst, inst.team_id, parser.id, changes)
    assert show_document(inst, inst.team_id, parser.id, document_id).has_markdown


def test_reviews_are_told_of_each_document_of_a_list(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ids = add(inst, parser, 5)
    complete(inst, parser)
    ann = make_member(inst)
    put_in_review(inst, ids[0], ("A", "approved"), ("B", "in_progress"), assignee_id=ann)
    put_in_review(inst, ids[1], ("C", "approved"), ("D", "skipped"))
    put_in_review(inst, ids[2], ("E", "rejected"))
    set_document(inst, ids[2], status="rejected")
    put_in_review(inst, ids[3], ("F", "skipped"))
    set_document(inst, ids[3], status="processed")
    rows = {row.id: row.review for row in list_documents(inst, inst.team_id, parser.id).rows}
    required = [(True, status) for status in ("in_progress", "approved", "rejected")]
    told = [(rows[one].is_required, rows[one].status) for one in ids]
    assert told == [*required, *[(False, "not_required")] * 2]
    current = rows[ids[0]].current_stage
    assert current is not None and (current.name, current.position) == ("B", 2)
    assert [stage.assignee for stage in rows[ids[0]].stages if stage == current] == [rows[ids[0]].assignee]
    assert [stage.status for stage in rows[ids[1]].stages] == ["approved", "skipped"]


def test_a_review_is_pending_until_the_document_is_extracted(any_inst: Installation) -> None:
    inst, free, parser = any_inst, make_parser(any_inst), make_parser(any_inst, "Orders")
    add(inst, free, 2, "free")
    conditional = rule("Total", ">", 10**9)
    stage(inst, free, "Large", None, conditional)
    removed = stage(inst, free, "Removed", None)
    delete_stage(inst, free.team_id, free.id, removed.id)
    stage(inst, parser, "Check", make_member(inst))
    ids = add(inst, parser, 3)
    for one in ids:
        review = get_document(inst, inst.team_id, one).review
        assert (review.is_required, review.status) == (True, "pending")
        assert (review.current_stage, review.stages) == (None, ())
    complete(inst, parser)
    reprocess(inst, inst.team_id, ids[:1])
    with statements(inst) as seen:
        rows = list_documents(inst, inst.team_id).rows
    assert sum("FROM review_stages" in one for one in seen) == 1
    shown = {row.id: row.review.status for row in rows}
    assert [shown[one] for one in ids] == ["pending", "in_progress", "in_progress"]
    assert list(shown.values()).count("not_required") == 2


def test_a_document_is_named_by_exactly_one_id_and_hidden_with_its_parser(inst: Installation) -> None:
    parser, other = make_parser(inst), make_parser(inst, "Orders")
    (document_id,) = add(inst, parser)
    for ids in ({}, {"document_id": document_id, "external_id": "A"}):
        with pytest.raises(InputError, match="Provide exactly one of documentId or externalId"):
            show_document(inst, inst.team_id, parser.id, **ids)
    with pytest.raises(NotFound) as caught:
        show_document(inst, inst.team_id, parser.id, external_id="A")
    assert (caught.value.kind, caught.value.value) == ("externalId", "A")
    with pytest.raises(NotFound):
        show_document(inst, inst.team_id, parser.id, "no uuid")
    assert show_document(inst, inst.team_id, parser.id.upper(), document_id.upper()).id == document_id
    delete_parser(inst, inst.team_id, parser.id)
    with pytest.raises(NotFound, match="Parser not found"):
        show_document(inst, inst.team_id, parser.id, document_id)
    for act in (show_document, reprocess_document):
        with pytest.raises(NotFound, match="Document not found"):
            act(inst, inst.team_id, other.id, document_id)
    with pytest.raises(NotFound, match="Document not found"):
        delete_from_parser(inst, inst.team_id, other.id, [document_id])


def test_deleting_frees_the_external_id_and_removes_everything(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ids = add(inst, parser, 3)
    complete(inst, parser)
    update_document(inst, inst.team_id, parser.id, ids[1], {"external_id": "A"})
    sync_warehouse(inst)
    assert delete_from_parser(inst, inst.team_id, parser.id, [ids[0], ids[0]], ["A"]) == ids[:2]
    assert statuses(inst, ids) == ["processed"]
    upload(inst, inst.team_id, parser.id, b"again", external_id="A")
    assert query_tables(inst, "SELECT document_id FROM invoices.documents") == [(ids[2],)]
    with inst.catalog.read_session() as session:
        left = session.scalar(select(func.count()).select_from(StoredFile).where(StoredFile.refs > 0))
    assert left == 2


def test_an_id_in_two_spellings_is_one_document(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    first = upload(inst, inst.team_id, parser.id, b"twice", name="a.txt")
    upload(inst, inst.team_id, parser.id, b"twice", name="b.txt")
    twice = [first, first.upper()]
    assert cancel(inst, inst.team_id, twice) == 1
    assert delete_documents(inst, inst.team_id, twice) == 1
    with inst.catalog.read_session() as session:
        assert session.scalars(select(StoredFile.refs)).all() == [1]


def test_nothing_is_deleted_unless_all_are_there(any_inst: Installation) -> None:
    inst, parser, other = any_inst, make_parser(any_inst), make_parser(any_inst, "Orders")
    mine, (elsewhere,) = add(inst, parser, 2), add(inst, other)
    strangers = make_team(inst)
    (theirs,) = add(inst, make_parser(inst, "Theirs", strangers))
    unknown = new_id()
    with pytest.raises(NotFound) as caught:
        delete_from_parser(inst, inst.team_id, parser.id, [*mine, unknown, theirs, "no"], ["A", "B"])
    ids = [("documentId", one) for one in (unknown, theirs, "no")]
    assert caught.value.missing == (*ids, ("externalId", "A"), ("externalId", "B"))
    with pytest.raises(InputError, match="Parser ID mismatch"):
        delete_from_parser(inst, inst.team_id, parser.id, [*mine, elsewhere])
    with pytest.raises(InputError, match="Provide at least one of documentIds or externalIds"):
        delete_from_parser(inst, inst.team_id, parser.id)
    with pytest.raises(NotFound):
        delete_documents(inst, inst.team_id, [*mine, unknown])
    assert len(statuses(inst, [*mine, elsewhere, theirs])) == 4
    with pytest.raises(InputError, match="At most 10000 documents"):
        delete_from_parser(inst, inst.team_id, parser.id, [new_id()] * 10_001)


def test_many_are_deleted_at_once(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ids = add(inst, parser, 5)
    names = [f"x{number}" for number in range(1200)]
    with inst.catalog.transaction() as session:
        row = session.get_one(Document, ids[0])
        facts = {column.key: getattr(row, column.key) for column in Document.__table__.columns}
        copies = [{**facts, "id": new_id(), "external_id": name} for name in names]
        session.execute(insert(Document), copies)
    assert len(delete_from_parser(inst, inst.team_id, parser.id, ids[1:], names)) == 1204
    assert list_documents(inst, inst.team_id, parser.id).total == 1


def test_a_document_deleted_while_it_is_read_stays_deleted(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    first, second = add(inst, parser, 2)
    readings = read_outcomes(inst, parser)
    delete_from_parser(inst, inst.team_id, parser.id, [first])
    held = store_outcomes(inst, readings, "me").stored
    assert [reading.claim.document_id for reading in held] == [second]
    with inst.catalog.read_session() as session:
        assert session.scalars(select(DocumentResult.document_id)).all() == [second]
    assert list_documents(inst, inst.team_id, parser.id).total == 1


def test_reprocessing_gives_up_edits_and_reviews(any_inst: Installation) -> None:
    inst = any_inst
    parser, document_id = read_document(inst)
    put_in_review(inst, document_id, ("A", "in_progress"), assignee_id=make_member(inst))
    with inst.catalog.transaction() as session:
        result = session.get_one(DocumentResult, document_id)
        result.edited = True
    update_document(inst, inst.team_id, parser.id, document_id, {"external_id": "A"})
    again = reprocess_document(inst, inst.team_id, parser.id, external_id="A", discard_corrections=True)
    assert again == document_id
    found = show_document(inst, inst.team_id, parser.id, document_id)
    assert (found.status, found.data, found.review.stages) == ("queued", {}, ())
    assert found.review.assignee is None
    with pytest.raises(Conflict, match="Document is already being processed"):
        reprocess_document(inst, inst.team_id, parser.id, document_id)
    complete(inst, parser, number="B-2")
    found = show_document(inst, inst.team_id, parser.id, document_id)
    assert (found.status, found.data["Number"]) == ("in_review", "B-2"), "its review begins anew"
    with inst.catalog.read_session() as session:
        assert not session.get_one(DocumentResult, document_id).edited
        assert session.scalars(select(DocumentStage.status)).all() == ["in_progress"]


def test_a_document_is_reprocessed_unless_it_is_at_work(inst: Installation) -> None:
    (document_id,) = add(inst, make_parser(inst))
    for status in ("uploading", "queued", "processing"):
        set_document(inst, document_id, status=status)
        with pytest.raises(Conflict, match="Document is already being processed"):
            reprocess(inst, inst.team_id, [document_id])
        assert statuses(inst, [document_id]) == [status]
    for status in ("processed", "failed", "in_review", "approved", "rejected", "skipped"):
        set_document(inst, document_id, status=status)
        assert reprocess(inst, inst.team_id, [document_id]) == 1
        assert statuses(inst, [document_id]) == ["queued"]


def test_a_deleted_field_is_left_in_the_data_alone(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    place = (inst, inst.team_id, parser.id)
    before = show_document(*place, document_id)
    update_field(*place, "Line Items", {"columns": [{"name": "Description"}]})
    for name in ("Number", "Tags"):
        delete_field(*place, name)
    add_field(*place, {"name": "tags", "type": "boolean"})
    found = show_document(*place, document_id)
    assert found.data == {**before.data, "tags": None}
    assert found.field_metadata.keys() == {*before.field_metadata, "tags"}
    path = export_to_folder(*place).path
    assert path is not None
    assert json.loads(path.read_text())[0]["data"] == {
        "Total": 12.5,
        "Line Items": [{"Description": "item 0"}, {"Description": "item 1"}],
        "tags": None,
    }
    with pytest.raises(InputError, match="There is no field 'Number'"):
        set_values(*place, document_id, {"Number": "A-2"})
    replaced = set_values(*place, document_id, {"Total": 1}, replace=True)
    assert replaced.data.keys() == {"Total", "Line Items", "tags"}


def test_a_new_field_hides_what_is_left_of_a_former_one(inst: Installation) -> None:
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    place = (inst, inst.team_id, parser.id)
    before = show_document(*place, document_id).data
    delete_field(*place, "Tags")
    delete_field(*place, "Line Items")
    add_field(*place, {"name": "Tags"})
    assert show_document(*place, document_id).data == {**before, "Tags": None}
    reprocess(inst, inst.team_id, [document_id])
    complete(inst, parser)
    assert show_document(*place, document_id).data.keys() == {"Number", "Total", "Tags"}
