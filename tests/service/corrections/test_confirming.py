from __future__ import annotations

from typing import Any

import pytest

from docduck.catalog.models import DocumentResult, PendingCorrection
from docduck.errors import Forbidden, InputError, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import confirm_values, set_values
from docduck.service.corrections.learning import learned_layouts
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.field_editing import update_field
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.processing import process_queue
from tests.extraction.extractors.learned.sender_documents import FIELDS, SENDERS, paper
from tests.service.core.catalog import audited, count
from tests.service.core.documents import complete, read_document, upload
from tests.service.core.people import make_member, make_team, put_in_review


def marks(entry: Any) -> list[dict[str, Any]]:
    """The entries of a value, or of a table's cells."""
    return [cell for row in entry for cell in row.values()] if isinstance(entry, list) else [entry]


def test_all_values_are_marked_at_their_places_and_stay(any_inst: Installation) -> None:
    inst = any_inst
    parser, document = read_document(inst, total=None)
    before = get_document(inst, inst.team_id, document)
    ann = make_member(inst)
    confirm_values(inst, inst.team_id, parser.id, document, reviewer_id=ann)
    found = get_document(inst, inst.team_id, document)
    assert found.data == before.data
    for name, entry in found.field_metadata.items():
        for mark, was in zip(marks(entry), marks(before.field_metadata[name]), strict=True):
            assert (mark["edited"], mark["editedBy"], mark["confidence"]) == (True, ann, 1.0), name
            assert (mark["page"], mark["locations"]) == (was["page"], was["locations"])
    assert found.confidence == 1.0
    last = found.history[-1]
    told = (last.event, last.from_status, last.to_status, last.actor)
    assert told == ("confirmed", "processed", "processed", ann)
    ((actor, _, details),) = audited(inst, action="document.confirmed")
    assert (actor, details["fields"]) == (ann, sorted(found.data))
    reprocess(inst, inst.team_id, [document])
    complete(inst, parser, number="A-9", total=77.0, rows=3)
    again = get_document(inst, inst.team_id, document)
    assert (again.data, again.field_metadata) == (found.data, found.field_metadata)


@pytest.mark.parametrize("rows", [0, 2])
def test_confirming_again_changes_nothing(inst: Installation, rows: int) -> None:
    parser, document = read_document(inst, rows=rows)
    ann, bob = make_member(inst), make_member(inst, "Bob")
    set_values(inst, inst.team_id, parser.id, document, {"Number": "B-2"}, reviewer_id=ann)
    confirm_values(inst, inst.team_id, parser.id, document, reviewer_id=bob)
    once = get_document(inst, inst.team_id, document)
    assert (once.field_metadata["Number"]["editedBy"], once.field_metadata["Total"]["editedBy"]) == (ann, bob)
    process_pending(inst)
    once = get_document(inst, inst.team_id, document)
    for person in (ann, bob):
        confirm_values(inst, inst.team_id, parser.id, document, reviewer_id=person)
    assert get_document(inst, inst.team_id, document) == once
    assert count(inst, PendingCorrection) == 0
    reprocess(inst, inst.team_id, [document])
    complete(inst, parser, rows=3)
    items = get_document(inst, inst.team_id, document).data["Line Items"]
    assert items == once.data["Line Items"], "an empty table stays empty, too"


@pytest.mark.slow
def test_confirmed_values_teach_the_parser(inst: Installation) -> None:
    parser = create_parser(inst, inst.team_id, NewParser(name="Papers", fields=FIELDS))
    data, _ = paper(SENDERS[0], 0)
    document = upload(inst, inst.team_id, parser.slug, data, "a.pdf")
    process_queue(inst)
    confirm_values(inst, inst.team_id, parser.id, document)
    assert process_pending(inst) == 1
    (layout,) = learned_layouts(inst, parser.id)
    recipient = next(str(field.id) for field in parser.fields if field.name == "Recipient")
    assert layout.document_id == document
    assert set(layout.edits) == {str(field.id) for field in parser.fields}
    assert recipient in layout.places


def test_only_the_assignee_confirms_in_a_review_and_only_what_fits(inst: Installation) -> None:
    parser, document = read_document(inst)
    ann, bob = make_member(inst), make_member(inst, "Bob")
    put_in_review(inst, document, ("Check", "in_progress"), assignee_id=ann)
    with pytest.raises(Forbidden):
        confirm_values(inst, inst.team_id, parser.id, document, reviewer_id=bob)
    with pytest.raises(NotFound):
        confirm_values(inst, inst.team_id, parser.id, document, reviewer_id=new_id())
    with pytest.raises(NotFound):
        confirm_values(inst, make_team(inst), parser.id, document)
    confirm_values(inst, inst.team_id, parser.id, document, reviewer_id=ann)
    with inst.catalog.read_session() as session:
        assert session.get_one(DocumentResult, document).edited
    # A value that does not fit its field is not confirmed.
    parser, document = read_document(inst)
    update_field(inst, inst.team_id, parser.id, "Number", {"type": "number"})
    with pytest.raises(InputError, match="'Number' is a number"):
        confirm_values(inst, inst.team_id, parser.id, document)
    set_values(inst, inst.team_id, parser.id, document, {"Number": 1})
    confirm_values(inst, inst.team_id, parser.id, document)
