"""Documents that could not be read are filled in by hand."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.errors import Conflict, DamagedFile, InputError
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import ChangedMeanwhile
from docduck.service.corrections.pending_corrections import is_pending
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.filling import enter_values
from docduck.service.processing.processing import process_queue
from docduck.service.reviews.stage_changes import create_stage
from docduck.service.search.query import DocumentQuery
from tests.service.core.documents import complete, make_parser, read_document, upload
from tests.service.sources.mails import set_up

ROWS = [{"Description": "set", "Amount": 7.0}]


def failed(inst: Installation, **settings: Any) -> tuple[ParserView, str]:
    parser = make_parser(inst)
    parser = set_up(inst, parser, **settings)
    document = upload(inst, inst.team_id, parser.slug, b"%PDF-1.4 broken", "scan.pdf")
    complete(inst, parser, error=DamagedFile())
    return parser, document


def fill(inst: Installation, parser: ParserView, document: str, data: Any, **more: Any) -> DocumentView:
    enter_values(inst, inst.team_id, parser.id, document, data, actor="ann", **more)
    return get_document(inst, inst.team_id, document)


def test_a_failed_document_is_processed_when_its_values_are_set(any_inst: Installation) -> None:
    inst = any_inst
    parser, document = failed(inst, documentNameTemplate="{Number}")
    found = fill(inst, parser, document, {"Number": "A-1", "Line Items": ROWS})
    assert (found.status, found.error, found.status_reason) == ("processed", None, None)
    assert found.data == {"Number": "A-1", "Total": None, "Tags": [], "Line Items": ROWS}
    assert found.name == "A-1"
    entry = found.field_metadata["Number"]
    assert (entry["source"], entry["edited"], entry["editedBy"]) == ("user", True, "ann")
    assert found.confidence == 1.0
    assert found.page_count is None, "its pages were never counted"
    assert [(event.event, event.to_status) for event in found.history][-2:] == [
        ("filled", "processing"),
        ("extracted", "processed"),
    ]
    assert found.history[-2].actor == "ann"
    page = find_documents(inst, inst.team_id, parser.id, DocumentQuery(q="A-1"))
    assert [row.id for row in page.rows] == [document]
    assert not is_pending(inst, document), "nothing is learned from what can't be read"
    process_queue(inst)
    rows = inst.warehouse.query("SELECT number FROM invoices.documents").rows
    assert [*rows] == [("A-1",)]
    again = fill(inst, parser, document, {"Total": 5})
    assert (again.status, again.data["Number"], again.data["Total"]) == ("processed", "A-1", 5)


def test_what_was_filled_in_stays_when_the_document_is_read_again(inst: Installation) -> None:
    parser, document = failed(inst)
    fill(inst, parser, document, {"Number": "A-1"})
    reprocess(inst, inst.team_id, [document])
    complete(inst, parser, error=DamagedFile())
    assert get_document(inst, inst.team_id, document).status == "failed"
    found = fill(inst, parser, document, {"Total": 5})
    assert (found.data["Number"], found.data["Total"]) == ("A-1", 5)
    reprocess(inst, inst.team_id, [document])
    complete(inst, parser, number="B-2", total=7.0)
    found = get_document(inst, inst.team_id, document)
    assert (found.data["Number"], found.data["Total"], found.data["Tags"]) == ("A-1", 5, ["a", "b"])
    reprocess(inst, inst.team_id, [document])
    complete(inst, parser, error=DamagedFile())
    found = fill(inst, parser, document, {"Tags": ["c"]}, replace=True)
    assert found.data == {"Number": None, "Total": None, "Tags": ["c"], "Line Items": []}


def test_a_filled_document_is_reviewed_where_a_stage_applies(inst: Installation) -> None:
    parser, document = failed(inst)
    create_stage(inst, inst.team_id, parser.id, {"name": "Check"})
    found = fill(inst, parser, document, {"Number": "A-1"})
    stage = found.review.current_stage
    assert (found.status, stage and stage.name) == ("in_review", "Check")


def test_what_is_wrong_changes_nothing(inst: Installation) -> None:
    parser, document = failed(inst)
    before = get_document(inst, inst.team_id, document)
    with pytest.raises(InputError):
        fill(inst, parser, document, {"Total": "much"})
    with pytest.raises(InputError):
        fill(inst, parser, document, {"Unknown": "1"})
    with pytest.raises(Conflict, match="has no values"):
        fill(inst, parser, document, {})
    assert get_document(inst, inst.team_id, document) == before
    fill(inst, parser, document, {"Number": "A-1"})
    with pytest.raises(ChangedMeanwhile):
        fill(inst, parser, document, {"Number": "A-2"}, seen=before.updated_at)


def test_a_document_with_values_is_corrected_as_ever(inst: Installation) -> None:
    parser, document = read_document(inst)
    found = fill(inst, parser, document, {"Number": "B-2"})
    assert found.data["Number"] == "B-2"
    assert is_pending(inst, document)
