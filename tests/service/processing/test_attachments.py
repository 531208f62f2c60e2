"""Mails' attachments as documents of their own: which, of what, and each once."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import Document, Folder
from docduck.documents.detection.sniff import content_type
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.documents.contained_files import MOST_NESTED, StoredPart
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.field_editing import add_fields
from docduck.service.parsers.parsers import ParserView, delete_parser
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import store_outcomes
from tests.conftest import MakeInstallation
from tests.documents.formats.files import lines_page, pdf
from tests.service.core.documents import correct, extraction, make_parser, upload
from tests.service.sources.intake_world import assert_files_match, ledger_of
from tests.service.sources.mails import known, mail, names, paper, parser_for_mails, reasons, set_up

pytestmark = pytest.mark.slow

INVOICE = pdf(lines_page(("Number: A-77", "Total: 119.00")))


def deliver(inst: Installation, parser: ParserView, data: bytes, name: str = "mail.eml") -> str:
    return upload(inst, inst.team_id, parser.slug, data, name)


def numbers(inst: Installation) -> dict[str, Any]:
    rows = inst.warehouse.query("SELECT name, number FROM invoices.documents").rows
    return {str(name): number for name, number in rows}


def test_attachments_become_documents_beside_their_mail(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    data = mail([("invoice.pdf", INVOICE), ("order.txt", paper("B-1"))], body="Number: M-1")
    mail_id = deliver(any_inst, parser, data)
    (report,) = process_queue(any_inst)
    assert (report.documents, report.processed, report.failed, report.skipped) == (3, 3, 0, 0)
    assert numbers(any_inst) == {"invoice.pdf": "A-77", "mail.eml": "M-1", "order.txt": "B-1"}
    invoice, message, order = known(any_inst)
    assert message.detail == {}
    assert invoice.detail == {"mail": mail_id, "part": 1, "depth": 1}
    assert order.detail == {"mail": mail_id, "part": 2, "depth": 1}
    view = get_document(any_inst, any_inst.team_id, invoice.id)
    assert (view.content_type, view.source, view.page_count) == ("application/pdf", "api", 1)
    assert view.source_detail == invoice.detail
    assert any_inst.files.path(view.sha256).read_bytes() == INVOICE
    assert_files_match(any_inst)


def test_an_attachment_has_its_mails_folder_custom_data_and_source(inst: Installation) -> None:
    parser = make_parser(inst)
    data = mail([("order.txt", paper("B-1"))])
    stored = inst.files.put_bytes(data)
    folder_id = new_id()
    with inst.catalog.transaction() as session:
        session.add(
            Folder(
                id=folder_id,
                team_id=inst.team_id,
                parser_id=parser.id,
                parent_key=parser.id,
                name="March",
                slug="march",
            )
        )
        session.flush()
        new = NewDocument(
            "mail.eml",
            stored.sha256,
            stored.size,
            content_type(data),
            source_detail={"source": "inbox", "path": "2024/mail.eml"},
            external_id="X-1",
            custom={"case": 7},
            folder_id=folder_id,
        )
        (mail_id,) = register(session, inst.team_id, parser.id, [new], "intake")
    process_queue(inst)
    with inst.catalog.read_session() as session:
        part = session.scalars(select(Document).where(Document.id != mail_id)).one()
        assert (part.folder_id, part.custom, part.source) == (folder_id, {"case": 7}, "folder")
        assert part.external_id is None
        assert part.source_detail == {
            "source": "inbox",
            "path": "2024/mail.eml",
            "mail": mail_id,
            "part": 1,
            "depth": 1,
        }


def test_a_mail_whose_body_is_not_to_be_parsed_is_skipped_with_the_reason(any_inst: Installation) -> None:
    parser = parser_for_mails(any_inst, emailParsing={"parseEmailBody": False})
    mail_id = deliver(any_inst, parser, mail([("order.txt", paper("B-1"))], body="Number: M-1"))
    bare_id = deliver(any_inst, parser, mail(body="Number: M-2"), "without.eml")
    (report,) = process_queue(any_inst)
    assert (report.documents, report.processed, report.failed, report.skipped) == (3, 1, 0, 2)
    assert names(any_inst) == [
        ("mail.eml", "skipped"),
        ("order.txt", "processed"),
        ("without.eml", "skipped"),
    ]
    assert reasons(any_inst, mail_id, "parted") == [
        "Its body is not to be parsed; its attachment is a document of its own"
    ]
    assert reasons(any_inst, bare_id, "parted") == [
        "Its body is not to be parsed; it has no attachment that is a document"
    ]
    view = get_document(any_inst, any_inst.team_id, mail_id)
    assert (view.error, view.data) == (None, {})
    assert numbers(any_inst) == {"order.txt": "B-1"}


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        ("Please see attached.", False),
        ("See attached\n\nKind regards,\nAnn Lee\nTotal Tools Ltd.\nNumber: 4711\nTotal: 5.00", False),
        ("Please find our order below.\nNumber: M-1\nTotal: 7.00\n\nKind regards\nAnn Lee", True),
    ],
)
def test_by_default_a_body_is_a_document_if_values_are_in_it(
    any_inst: Installation, body: str, is_one: bool
) -> None:
    parser = parser_for_mails(any_inst)
    mail_id = deliver(any_inst, parser, mail([("order.txt", paper("B-1"))], body=body))
    process_queue(any_inst)
    assert names(any_inst) == [("mail.eml", "processed" if is_one else "skipped"), ("order.txt", "processed")]
    told = "Its body holds no values of the parser's fields; its attachment is a document of its own"
    assert reasons(any_inst, mail_id, "parted") == ([] if is_one else [told])
    assert numbers(any_inst) == {"order.txt": "B-1"} | ({"mail.eml": "M-1"} if is_one else {})
    assert_files_match(any_inst)


def test_what_the_headers_say_is_no_value_of_the_body(inst: Installation) -> None:
    parser = parser_for_mails(inst)
    add_fields(
        inst, inst.team_id, parser.id, [{"name": "Vendor Name"}, {"name": "Invoice Date", "type": "date"}]
    )
    deliver(inst, parser, mail([("order.txt", paper("B-1"))]))
    process_queue(inst)
    assert names(inst) == [("mail.eml", "skipped"), ("order.txt", "processed")]


def test_by_default_a_mail_of_which_no_attachment_is_taken_is_a_document(inst: Installation) -> None:
    parser = parser_for_mails(inst, emailParsing={"attachmentFileTypes": ["image/png"]})
    deliver(inst, parser, mail([("order.txt", paper("B-1"))]))
    process_queue(inst)
    assert names(inst) == [("mail.eml", "processed")]


def test_what_people_set_in_a_mails_body_stays_and_keeps_it_a_document(inst: Installation) -> None:
    parser = parser_for_mails(inst, emailParsing={"parseEmailBody": True})
    mail_id = deliver(inst, parser, mail([("order.txt", paper("B-1"))]))
    process_queue(inst)
    correct(inst, inst.team_id, mail_id, {"Number": "M-9"})
    for choice in (None, True):
        set_up(inst, parser, emailParsing={"parseEmailBody": choice})
        reprocess(inst, inst.team_id, [mail_id])
        process_queue(inst)
        assert get_document(inst, inst.team_id, mail_id).data["Number"] == "M-9"
    assert numbers(inst) == {"mail.eml": "M-9", "order.txt": "B-1"}


@pytest.mark.slow
def test_a_mail_that_loses_its_body_loses_its_values(inst: Installation) -> None:
    parser = make_parser(inst)
    mail_id = deliver(inst, parser, mail([("order.txt", paper("B-1"))], body="Number: M-1"))
    process_queue(inst)
    assert get_document(inst, inst.team_id, mail_id).data["Number"] == "M-1"
    set_up(inst, parser, emailParsing={"parseEmailBody": False})
    reprocess(inst, inst.team_id, [mail_id])
    process_queue(inst)
    assert get_document(inst, inst.team_id, mail_id).data == {}
    assert numbers(inst) == {"order.txt": "B-1"}


@pytest.mark.slow
def test_a_mail_processed_again_brings_only_what_it_has_not_brought(any_inst: Installation) -> None:
    parser = parser_for_mails(any_inst, emailParsing={"attachmentFileTypes": [".txt"]})
    files = [("a.txt", paper("A-1")), ("b.pdf", INVOICE), ("c.txt", paper("A-1"))]
    mail_id = deliver(any_inst, parser, mail(files))
    process_queue(any_inst)
    before = known(any_inst)
    assert [one.name for one in before] == ["a.txt", "c.txt", "mail.eml"]
    set_up(any_inst, parser, emailParsing={"attachmentFileTypes": []})
    reprocess(any_inst, any_inst.team_id, [mail_id])
    process_queue(any_inst)
    after = known(any_inst)
    assert [one.name for one in after] == ["a.txt", "b.pdf", "c.txt", "mail.eml"]
    assert {one.id for one in before} < {one.id for one in after}
    assert_files_match(any_inst)


@pytest.mark.slow
def test_what_was_deleted_comes_back_with_another_mail_only(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    data = mail([("a.txt", paper("A-1")), ("terms.txt", b"Our terms")])
    first_mail = deliver(any_inst, parser, data)
    process_queue(any_inst)
    (terms,) = [one for one in known(any_inst) if one.name == "terms.txt"]
    delete_documents(any_inst, any_inst.team_id, [terms.id])
    second_mail = deliver(any_inst, parser, data, "z.eml")
    reprocess(any_inst, any_inst.team_id, [first_mail])
    process_queue(any_inst)
    brought = {(one.detail.get("mail"), one.name) for one in known(any_inst)}
    assert (second_mail, "terms.txt") in brought
    assert (first_mail, "terms.txt") not in brought
    assert len(brought) == 5


def test_attachments_outlive_their_mail(inst: Installation) -> None:
    parser = make_parser(inst)
    mail_id = deliver(inst, parser, mail([("a.txt", paper("A-1"))]))
    process_queue(inst)
    delete_documents(inst, inst.team_id, [mail_id])
    process_queue(inst)
    assert numbers(inst) == {"a.txt": "A-1"}
    assert_files_match(inst)


def test_the_same_content_is_told_as_a_duplicate_and_never_dropped(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    twice = [("a.txt", paper("A-1")), ("copy of a.txt", paper("A-1"))]
    first_mail = deliver(any_inst, parser, mail(twice), "first.eml")
    second_mail = deliver(any_inst, parser, mail(twice[:1], body="Once more"), "second.eml")
    process_queue(any_inst)
    parts = [one for one in known(any_inst) if one.name.endswith("a.txt")]
    assert sorted((one.detail["mail"], one.detail["part"]) for one in parts) == sorted(
        [(first_mail, 1), (first_mail, 2), (second_mail, 1)]
    )
    counts = [len(get_document(any_inst, any_inst.team_id, one.id).duplicate_of) for one in parts]
    assert sorted(counts) == [0, 1, 2]
    assert_files_match(any_inst)


@pytest.mark.slow
def test_what_can_not_be_taken_is_named(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_attachments=2)
    parser = parser_for_mails(
        inst, acceptedFileTypes=["message/rfc822", "text/plain"], emailParsing={"parseEmailBody": True}
    )
    files = [("odd.bin", b"\x00\x01\x02"), ("invoice.pdf", INVOICE)]
    files += [(f"{i}.txt", paper(f"A-{i}")) for i in range(5)]
    mail_id = deliver(inst, parser, mail(files))
    process_queue(inst)
    assert [name for name, _ in names(inst)] == ["0.txt", "1.txt", "mail.eml"]
    left_out = [
        "odd.bin was left out: Unsupported file type",
        "invoice.pdf was left out: Unsupported file type",
        "3 more attachments were left out: a mail's first 2 are taken",
    ]
    assert get_document(inst, inst.team_id, mail_id).warnings == left_out
    set_up(inst, parser, emailParsing={"parseEmailBody": False})
    reprocess(inst, inst.team_id, [mail_id])
    process_queue(inst)
    (reason,) = reasons(inst, mail_id, "parted")
    assert reason == ". ".join(
        ["Its body is not to be parsed; its 2 attachments are documents of their own", *left_out]
    )


def test_an_uploaded_mail_has_at_most_twenty_attachments_as_documents(inst: Installation) -> None:
    parser = make_parser(inst)
    mail_id = deliver(inst, parser, mail([(f"{i:02}.txt", paper(f"A-{i}")) for i in range(23)]))
    process_queue(inst)
    assert names(inst) == [
        *((f"{i:02}.txt", "processed") for i in range(20)),
        ("mail.eml", "skipped"),
    ]
    (reason,) = reasons(inst, mail_id, "parted")
    assert str(reason).endswith("3 more attachments were left out: a mail's first 20 are taken")


@pytest.mark.slow
def test_a_mail_of_too_many_messages_has_its_attachments_read(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_pages=1)
    parser = make_parser(inst)
    body = "Second\n\nOn Mon, 4 Mar 2024, Bob wrote:\n> First\n"
    mail_id = deliver(inst, parser, mail([("a.txt", paper("A-1"))], body=body))
    process_queue(inst)
    assert names(inst) == [("a.txt", "processed"), ("mail.eml", "failed")]
    assert get_document(inst, inst.team_id, mail_id).error == (
        "Document has 2 pages; at most 1 can be read (choose some with parsePages)"
    )


@pytest.mark.slow
def test_mails_in_mails_part_to_a_bounded_depth_and_lose_nothing(inst: Installation) -> None:
    parser = make_parser(inst)
    depth = MOST_NESTED + 2
    data = mail([("innermost.txt", paper("Z-9"))], body=f"Level {depth}")
    for level in reversed(range(depth)):
        data = mail([(f"{level + 1}.eml", data)], body=f"Level {level}")
    deliver(inst, parser, data, "0.eml")
    process_queue(inst)
    found = known(inst)
    assert [(one.name, one.status) for one in found] == [
        *((f"{level}.eml", "skipped") for level in range(MOST_NESTED)),
        (f"{MOST_NESTED}.eml", "processed"),
    ]
    assert [one.detail.get("depth", 0) for one in found] == list(range(MOST_NESTED + 1))
    assert [one.detail.get("mail") for one in found] == [None, *(one.id for one in found[:-1])]
    last = get_document(inst, inst.team_id, found[-1].id)
    assert last.page_count == 2, "the mail attached to the deepest one is a page of it"


def test_a_mail_without_a_page_to_read_has_its_attachments_read(inst: Installation) -> None:
    parser = parser_for_mails(inst, parsePages="2-")
    two_pages = pdf(lines_page(("Number: A-1",)), lines_page(("Number: A-2",)))
    mail_id = deliver(inst, parser, mail([("two.pdf", two_pages)]))
    deliver(inst, parser, mail(), "bare.eml")
    process_queue(inst)
    assert names(inst) == [("bare.eml", "failed"), ("mail.eml", "failed"), ("two.pdf", "processed")]
    assert get_document(inst, inst.team_id, mail_id).error == "No pages match parsePages"
    assert numbers(inst)["two.pdf"] == "A-2"


def test_a_bad_attachment_fails_by_itself(inst: Installation) -> None:
    parser = make_parser(inst)
    deliver(inst, parser, mail([("broken.pdf", b"%PDF-1.7\nnothing"), ("good.txt", paper("B-1"))]))
    process_queue(inst)
    assert names(inst) == [("broken.pdf", "failed"), ("good.txt", "processed"), ("mail.eml", "skipped")]


def test_files_that_are_no_mails_keep_what_is_attached_to_them(inst: Installation) -> None:
    parser = make_parser(inst)
    deliver(inst, parser, INVOICE, "invoice.pdf")
    process_queue(inst)
    assert names(inst) == [("invoice.pdf", "processed")]
    assert ledger_of(inst) == {}


def _attached(inst: Installation, count: int = 2) -> list[StoredPart]:
    stored = [inst.files.put_bytes(paper(f"A-{i}")) for i in range(count)]
    return [StoredPart(i + 1, f"{i}.txt", "text/plain", one.sha256, one.size) for i, one in enumerate(stored)]


def test_a_result_that_comes_too_late_registers_nothing(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    deliver(any_inst, parser, mail())
    (late,) = claim(any_inst, [ClaimRequest(parser.id, 1)], "me")
    reading = ExtractionOutcome(late, parser, extraction(), files=_attached(any_inst))
    assert store_outcomes(any_inst, [reading], "another").stored == []
    assert len(known(any_inst)) == 1
    assert store_outcomes(any_inst, [reading], "me").stored == [reading]
    assert store_outcomes(any_inst, [reading], "me").stored == []
    assert len(known(any_inst)) == 3


def test_a_deleted_mail_or_parser_registers_nothing(inst: Installation) -> None:
    parser = make_parser(inst)
    ids = [deliver(inst, parser, mail(body=f"{i}"), f"{i}.eml") for i in range(2)]
    claims = claim(inst, [ClaimRequest(parser.id, 2)], "me")
    files = _attached(inst)
    delete_documents(inst, inst.team_id, ids[:1])
    delete_parser(inst, inst.team_id, parser.id)
    store_outcomes(inst, [ExtractionOutcome(one, parser, extraction(), files=files) for one in claims], "me")
    assert [one.id for one in known(inst)] == ids[1:]
    assert_files_match(inst)
