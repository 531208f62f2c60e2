"""PDFs that hold several documents: their parts become documents, the first of them in the file's place."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from docduck.documents.reader import page_count
from docduck.errors import Conflict
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
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
from tests.service.sources.mails import reasons, registered


def batch(*numbers: str) -> bytes:
    """A PDF with a page for each number."""
    return pdf(
        *(lines_page((f"Number: {number}", f"Total: {10 + at}.00")) for at, number in enumerate(numbers))
    )


def splitting_parser(inst: Installation, name: str = "Invoices", **how: Any) -> ParserView:
    parser = make_parser(inst, name)
    settings = {"splitDocuments": {"enabled": True, **how}}
    return update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=settings))


def numbers(inst: Installation, found: list[Part]) -> list[Any]:
    return [get_document(inst, inst.team_id, one.id).data.get("Number") for one in found]


def parts_of(inst: Installation, source: str) -> list[Part]:
    """The parts of a file, or the file itself, by its name without the suffix."""
    return [one for one in parts(inst) if one.name.partition(" (")[0].partition(".")[0] == source]


def pages_of(found: list[Part]) -> list[str]:
    return [one.split["pages"] for one in found if one.split]


def test_every_x_pages_is_a_document(any_inst: Installation) -> None:
    parser = splitting_parser(any_inst, mode="everyXPages", everyXPages=2)
    data = batch("A-1", "A-2", "A-3", "A-4", "A-5")
    more: dict[str, Any] = {"source": "api", "external_id": "X", "custom": {"lot": 7}}
    document_id = registered(any_inst, parser, "batch.pdf", data, **more)
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
    assert any_inst.files.stored_at(sha256(data).hexdigest()) is not None
    assert_files_match(any_inst)
    assert backlogs(any_inst) == {}


def test_files_are_split_as_the_parser_says(inst: Installation) -> None:
    ranges = splitting_parser(inst, "Ranges", mode="pageRanges", pageRanges="1-2,4,9")
    past = splitting_parser(inst, "Past", mode="pageRanges", pageRanges="7-9")
    keys = splitting_parser(inst, "Keys", mode="partitionKey", partitionKey="Number")
    itself = splitting_parser(inst, "Itself", mode="ai")
    last = splitting_parser(inst, "Last", mode="everyXPages", everyXPages=2)
    update_parser(inst, inst.team_id, last.id, ParserChanges(settings={"parsePages": "last"}))

    def invoice(number: str, page: int, pages: int) -> Any:
        head = ("ACME Ltd", "INVOICE") if page == 1 else ("ACME Ltd", "continued")
        return lines_page((*head, f"Number: {number}", f"Page {page} of {pages}", "Total: 12.00"))

    invoices = pdf(invoice("A-1", 1, 2), invoice("A-1", 2, 2), invoice("B-2", 1, 1), invoice("C-3", 1, 1))
    ids = {
        name: upload(inst, inst.team_id, parser.slug, data, name)
        for parser, name, data in (
            (ranges, "ranges.pdf", batch("1", "2", "3", "4", "5")),
            (past, "past.pdf", batch("1", "2")),
            (keys, "keys.pdf", batch("A-1", "A-1", "B-2", "C-3", "C-3")),
            (itself, "itself.pdf", invoices),
            (last, "last.pdf", batch("A-1", "A-2", "A-3", "A-4")),
            (last, "text.txt", b"Number: T-1\nTotal: 1.00\n"),
            (last, "single.pdf", batch("S-1")),
        )
    }
    process_queue(inst)
    found = parts_of(inst, "ranges")
    assert pages_of(found) == ["1-2", "4"]
    assert [(one.split or {})["unassignedPages"] for one in found] == [[3, 5]] * 2
    told = "ranges.pdf holds 2 documents. There are no pages 9; the file has 5"
    assert reasons(inst, ids["ranges.pdf"], "split") == [told]
    document = get_document(inst, inst.team_id, ids["past.pdf"])
    assert (document.status, document.page_count, document.split) == ("processed", 2, None)
    assert "There are no pages 7-9; the file has 2" in document.warnings
    found = parts_of(inst, "keys")
    assert pages_of(found) == ["1-2", "3", "4-5"]
    assert [one.key for one in found] == numbers(inst, found) == ["A-1", "B-2", "C-3"]
    assert pages_of(parts_of(inst, "itself")) == ["1-2", "3", "4"], "the pages decide"
    assert numbers(inst, parts_of(inst, "last")) == ["A-2", "A-4"], "of each part"
    for name in ("text", "single"):
        assert [one.split for one in parts_of(inst, name)] == [None]


def test_undoing_a_split_makes_the_file_whole_again(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="everyXPages", everyXPages=1)
    data = batch("A-1", "A-2", "A-3")
    document_id = upload(inst, inst.team_id, parser.slug, data, "b.pdf", external_id="X")
    pairs = splitting_parser(inst, "Pairs", mode="everyXPages", everyXPages=2)
    for name, slug in (("headless.pdf", parser.slug), ("again.pdf", pairs.slug), ("gone.pdf", parser.slug)):
        upload(inst, inst.team_id, slug, batch("B-1", "B-2", name), name)
    process_queue(inst)

    def undo(document_id: str, parser: ParserView = parser) -> str:
        return undo_split(inst, inst.team_id, parser.id, document_id, "ann")

    assert undo(parts_of(inst, "b")[1].id) == document_id
    first, _, third = parts_of(inst, "headless")
    delete_documents(inst, inst.team_id, [first.id])
    undo(third.id)
    again = parts_of(inst, "again")
    singly = ParserChanges(settings={"splitDocuments": {"everyXPages": 1}})
    update_parser(inst, inst.team_id, pairs.id, singly)
    reprocess(inst, inst.team_id, [one.id for one in again])
    with pytest.raises(Conflict, match="already being processed"):
        undo(again[0].id, pairs)
    for one in parts_of(inst, "gone"):
        delete_documents(inst, inst.team_id, [one.id])
        # The file is released with its last part.
        assert_files_match(inst)
    process_queue(inst)
    for name in ("b", "headless"):
        (whole,) = parts_of(inst, name)
        assert whole.split is None
        document = get_document(inst, inst.team_id, whole.id)
        assert (document.status, document.page_count) == ("processed", 3)
    assert parts_of(inst, "again") == again, "parts are not split again"
    (whole,) = parts_of(inst, "b")
    assert (whole.id, whole.name, whole.external_id) == (document_id, "b.pdf", "X")
    assert inst.files.path(get_document(inst, inst.team_id, whole.id).sha256).read_bytes() == data
    assert_files_match(inst)
    reprocess(inst, inst.team_id, [document_id])
    process_queue(inst)
    assert len(parts_of(inst, "b")) == 1, "it stays whole"
    with pytest.raises(Conflict, match="was not split"):
        undo(document_id)


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


def test_a_batch_of_30_documents_is_split_right(inst: Installation) -> None:
    parser = splitting_parser(inst, mode="partitionKey", partitionKey="Number")
    pages = [f"INV-{n:04d}" for n in range(30) for _ in range(1 + n % 4)]
    upload(inst, inst.team_id, parser.slug, batch(*pages), "batch.pdf")
    (report,) = process_queue(inst)
    assert (report.processed, report.pages) == (30, len(pages))
    found = parts(inst)
    assert [one.key for one in found] == [f"INV-{n:04d}" for n in range(30)]
    assert numbers(inst, found[::10]) == ["INV-0000", "INV-0010", "INV-0020"]
