"""PDFs that hold several documents: their parts become documents, the first of them in the file's place."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.reader import page_count
from docduck.errors import Conflict
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.queries.document_views import get_document, show_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.documents.unsplitting import undo_split
from docduck.service.parsers.parsers import ParserChanges, ParserView, update_parser
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.processing import process_queue
from docduck.service.reviews.stage_changes import delete_stage
from tests.documents.formats.files import lines_page, pdf
from tests.service.core.documents import make_parser, upload
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import stage
from tests.service.sources.archives import Part, parts
from tests.service.sources.intake_world import assert_files_match
from tests.service.sources.mails import reasons


def batch(*numbers: str) -> bytes:
    """A PDF with a page for each number."""
    return pdf(
        *(lines_page((f"Number: {number}", f"Total: {10 + at}.00")) for at, number in enumerate(numbers))
    )


def splitting_parser(inst: Installation, **how: Any) -> ParserView:
    parser = make_parser(inst)
    settings = {"splitDocuments": {"enabled": True, **how}}
    return update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=settings))


def numbers(inst: Installation, found: list[Part]) -> list[Any]:
    return [get_document(inst, inst.team_id, one.id).data.get("Number") for one in found]


def test_every_x_pages_is_a_document(any_inst: Installation) -> None:
    parser = splitting_parser(any_inst, mode="everyXPages", everyXPages=2)
    source = any_inst.files.put_bytes(data := batch("A-1", "A-2", "A-3", "A-4", "A-5"))
    with any_inst.catalog.transaction() as session:
        new = NewDocument(
            "batch.pdf",
            source.sha256,
            len(data),
            "application/pdf",
            source="api",
            external_id="X",
            custom={"lot": 7},
        )
        (document_id,) = register(session, any_inst.team_id, parser.id, [new], "test")
    (report,) = process_queue(any_inst)
    assert (report.documents, report.processed) == (3, 3)
    found = parts(any_inst)
    assert [one.name for one in found] == ["batch (p. 1-2).pdf", "batch (p. 3-4).pdf", "batch (p. 5).pdf"]
    assert [one.external_id for one in found] == ["X", "X-2", "X-3"]
    assert found[0].id == document_id
    assert [one.split for one in found] == [
        {
            "sourceDocumentId": document_id,
            "sourceName": "batch.pdf",
            "index": index,
            "total": 3,
            "pages": pages,
            "key": None,
            "unassignedPages": [],
        }
        for index, pages in enumerate(("1-2", "3-4", "5"), start=1)
    ]
    views = [get_document(any_inst, any_inst.team_id, one.id) for one in found]
    assert [view.page_count for view in views] == [2, 2, 1]
    assert [(view.source, view.custom) for view in views] == [("api", {"lot": 7})] * 3
    assert [page_count(any_inst.files.path(view.sha256).read_bytes()) for view in views] == [2, 2, 1]
    assert [view.data["Number"] for view in views][2] == "A-5"
    assert reasons(any_inst, document_id, "split") == ["batch.pdf holds 3 documents"]
    assert any_inst.files.path(source.sha256).is_file()
    assert_files_match(any_inst)
    assert backlogs(any_inst) == {}


def test_each_page_range_is_a_document_and_pages_in_none_are_told(any_inst: Installation) -> None:
    parser = splitting_parser(any_inst, mode="pageRanges", pageRanges="1-2,4,9")
    document_id = upload(any_inst, any_inst.team_id, parser.slug, batch("1", "2", "3", "4", "5"), "b.pdf")
    process_queue(any_inst)
    found = parts(any_inst)
    assert [(one.split or {})["pages"] for one in found] == ["1-2", "4"]
    assert [(one.split or {})["unassignedPages"] for one in found] == [[3, 5]] * 2
    assert reasons(any_inst, document_id, "split") == [
        "b.pdf holds 2 documents. There are no pages 9; the file has 5"
    ]


def test_ranges_past_the_end_leave_the_file_whole_with_a_warning(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="pageRanges", pageRanges="7-9")
    document_id = upload(inst, inst.team_id, parser.slug, batch("1", "2"), "b.pdf")
    process_queue(inst)
    document = get_document(inst, inst.team_id, document_id)
    assert (document.status, document.page_count, document.split) == ("processed", 2, None)
    assert "There are no pages 7-9; the file has 2" in document.warnings


def test_a_new_value_of_the_partition_key_begins_a_document(any_inst: Installation) -> None:
    parser = splitting_parser(any_inst, mode="partitionKey", partitionKey="Number")
    upload(any_inst, any_inst.team_id, parser.slug, batch("A-1", "A-1", "B-2", "C-3", "C-3"), "b.pdf")
    process_queue(any_inst)
    found = parts(any_inst)
    assert [((one.split or {})["pages"], (one.split or {})["key"]) for one in found] == [
        ("1-2", "A-1"),
        ("3", "B-2"),
        ("4-5", "C-3"),
    ]
    assert numbers(any_inst, found) == ["A-1", "B-2", "C-3"]


def test_the_pages_themselves_decide_where_documents_begin(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="ai")

    def invoice(number: str, page: int, pages: int) -> Any:
        head = ("ACME Ltd", "INVOICE") if page == 1 else ("ACME Ltd", "continued")
        return lines_page((*head, f"Number: {number}", f"Page {page} of {pages}", "Total: 12.00"))

    data = pdf(invoice("A-1", 1, 2), invoice("A-1", 2, 2), invoice("B-2", 1, 1), invoice("C-3", 1, 1))
    upload(inst, inst.team_id, parser.slug, data, "b.pdf")
    process_queue(inst)
    assert [(one.split or {})["pages"] for one in parts(inst)] == ["1-2", "3", "4"]


def test_files_other_than_pdfs_and_single_pages_are_not_split(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="everyXPages", everyXPages=1)
    upload(inst, inst.team_id, parser.slug, b"Number: T-1\nTotal: 1.00\n", "a.txt")
    upload(inst, inst.team_id, parser.slug, batch("S-1"), "single.pdf")
    process_queue(inst)
    assert [(one.name, one.split) for one in parts(inst)] == [("a.txt", None), ("single.pdf", None)]


def test_parts_are_not_split_again_when_they_are_processed_again(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="everyXPages", everyXPages=2)
    upload(inst, inst.team_id, parser.slug, batch("1", "2", "3"), "b.pdf")
    process_queue(inst)
    settings = {"splitDocuments": {"everyXPages": 1}}
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=settings))
    reprocess(inst, inst.team_id, [one.id for one in parts(inst)])
    process_queue(inst)
    assert [(one.split or {})["pages"] for one in parts(inst)] == ["1-2", "3"]


def test_parse_pages_selects_pages_of_each_part(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="everyXPages", everyXPages=2)
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"parsePages": "last"}))
    upload(inst, inst.team_id, parser.slug, batch("A-1", "A-2", "A-3", "A-4"), "b.pdf")
    process_queue(inst)
    assert numbers(inst, parts(inst)) == ["A-2", "A-4"]


def test_undoing_a_split_makes_the_file_whole_again(any_inst: Installation) -> None:
    parser = splitting_parser(any_inst, mode="everyXPages", everyXPages=1)
    data = batch("A-1", "A-2", "A-3")
    document_id = upload(any_inst, any_inst.team_id, parser.slug, data, "b.pdf", external_id="X")
    process_queue(any_inst)
    second = parts(any_inst)[1].id
    assert undo_split(any_inst, any_inst.team_id, parser.id, second, "ann") == document_id
    process_queue(any_inst)
    (whole,) = parts(any_inst)
    assert (whole.id, whole.name, whole.split, whole.external_id) == (document_id, "b.pdf", None, "X")
    document = get_document(any_inst, any_inst.team_id, document_id)
    assert (document.status, document.page_count) == ("processed", 3)
    assert any_inst.files.path(document.sha256).read_bytes() == data
    assert_files_match(any_inst)
    reprocess(any_inst, any_inst.team_id, [document_id])
    process_queue(any_inst)
    assert len(parts(any_inst)) == 1, "it stays whole"
    with pytest.raises(Conflict, match="was not split"):
        undo_split(any_inst, any_inst.team_id, parser.id, document_id, "ann")


def test_undoing_a_split_ends_the_reviews_of_its_parts(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="everyXPages", everyXPages=1)
    ann = make_member(inst)
    books = stage(inst, parser, "Books", ann)
    document_id = upload(inst, inst.team_id, parser.slug, batch("A-1", "A-2"), "b.pdf")
    process_queue(inst)
    assert show_document(inst, inst.team_id, parser.id, document_id).review.assignee is not None
    undo_split(inst, inst.team_id, parser.id, document_id, "ann")
    review = show_document(inst, inst.team_id, parser.id, document_id).review
    assert (review.assignee, review.stages) == (None, ())
    delete_stage(inst, inst.team_id, parser.id, books.id)
    process_queue(inst)
    assert get_document(inst, inst.team_id, document_id).status == "processed"


def test_a_split_is_undone_even_without_its_first_part(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="everyXPages", everyXPages=1)
    document_id = upload(inst, inst.team_id, parser.slug, batch("A-1", "A-2", "A-3"), "b.pdf")
    process_queue(inst)
    delete_documents(inst, inst.team_id, [document_id])
    _, third = parts(inst)
    undo_split(inst, inst.team_id, parser.id, third.id, "ann")
    process_queue(inst)
    (whole,) = parts(inst)
    assert get_document(inst, inst.team_id, whole.id).page_count == 3
    assert_files_match(inst)


def test_a_split_is_not_undone_while_a_part_is_being_processed(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="everyXPages", everyXPages=1)
    document_id = upload(inst, inst.team_id, parser.slug, batch("A-1", "A-2"), "b.pdf")
    process_queue(inst)
    reprocess(inst, inst.team_id, [parts(inst)[1].id])
    with pytest.raises(Conflict, match="already being processed"):
        undo_split(inst, inst.team_id, parser.id, document_id, "ann")


def test_the_source_is_released_with_its_last_part(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="everyXPages", everyXPages=1)
    upload(inst, inst.team_id, parser.slug, batch("A-1", "A-2"), "b.pdf")
    process_queue(inst)
    for one in parts(inst):
        assert_files_match(inst)
        delete_documents(inst, inst.team_id, [one.id])
    assert_files_match(inst)


def test_a_batch_of_120_documents_is_split_right(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="partitionKey", partitionKey="Number")
    pages = [f"INV-{n:04d}" for n in range(120) for _ in range(1 + n % 4)]
    upload(inst, inst.team_id, parser.slug, batch(*pages), "batch.pdf")
    (report,) = process_queue(inst)
    assert len(pages) == 300
    assert (report.processed, report.pages) == (120, 300)
    found = parts(inst)
    assert [(one.split or {})["key"] for one in found] == [f"INV-{n:04d}" for n in range(120)]
    assert numbers(inst, found[::40]) == ["INV-0000", "INV-0040", "INV-0080"]
