"""Mails' attachments: documents of their own, which, of what, and each once; or pages, as the parser says."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.documents.contained_files import MOST_NESTED, StoredPart
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.folders import create_folder
from docduck.service.parsers.field_editing import add_fields
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import ParserChanges, ParserView, delete_parser, update_parser
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import store_outcomes
from docduck.service.processing.worker_tasks import MAX_ATTACHMENTS
from tests.conftest import MakeInstallation
from tests.documents.formats.files import lines_page, pdf
from tests.documents.formats.office.files import zipped
from tests.service.core.documents import correct, extraction, make_parser, upload
from tests.service.sources.intake_world import assert_files_match, ledger_of
from tests.service.sources.mails import (
    known,
    mail,
    names,
    paper,
    parser_for_mails,
    reasons,
    registered,
    set_up,
)

pytestmark = pytest.mark.slow

INVOICE = pdf(lines_page(("Number: A-77", "Total: 119.00")))


def deliver(inst: Installation, parser: ParserView, data: bytes, name: str = "mail.eml") -> str:
    return upload(inst, inst.team_id, parser.slug, data, name)


def id_of(inst: Installation, name: str) -> str:
    (found,) = [one.id for one in known(inst) if one.name == name]
    return found


def numbers(inst: Installation) -> dict[str, Any]:
    rows = inst.warehouse.query("SELECT name, number FROM invoices.documents").rows
    return {str(name): number for name, number in rows}


def test_attachments_become_documents_beside_their_mail(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    data = mail([("invoice.pdf", INVOICE), ("order.txt", paper("B-1"))], body="Number: M-1")
    folder = create_folder(any_inst, any_inst.team_id, parser.id, {"name": "March"})
    origin = {"source": "inbox", "path": "2024/mail.eml"}
    more: dict[str, Any] = {"external_id": "X-1", "custom": {"case": 7}, "folder_id": folder.id}
    mail_id = registered(any_inst, parser, "mail.eml", data, source_detail=origin, **more)
    (report,) = process_queue(any_inst)
    assert (report.documents, report.processed, report.failed, report.skipped) == (3, 3, 0, 0)
    assert numbers(any_inst) == {"invoice.pdf": "A-77", "mail.eml": "M-1", "order.txt": "B-1"}
    invoice, message, order = known(any_inst)
    assert message.detail == origin
    for number, part in enumerate((invoice, order), 1):
        assert part.detail == {**origin, "mail": mail_id, "part": number, "depth": 1}
        view = get_document(any_inst, any_inst.team_id, part.id)
        assert (view.folder_id, view.custom, view.source) == (folder.id, {"case": 7}, "folder")
        assert (view.external_id, view.source_detail, view.page_count) == (None, part.detail, 1)
    view = get_document(any_inst, any_inst.team_id, invoice.id)
    assert view.content_type == "application/pdf"
    assert any_inst.files.path(view.sha256).read_bytes() == INVOICE
    assert len(ledger_of(any_inst)) == 2, "nothing is attached to what is no mail"
    delete_documents(any_inst, any_inst.team_id, [mail_id])
    process_queue(any_inst)
    assert numbers(any_inst) == {"invoice.pdf": "A-77", "order.txt": "B-1"}, "they outlive their mail"
    assert_files_match(any_inst)


def test_a_mail_whose_body_is_not_to_be_parsed_is_skipped_with_the_reason(inst: Installation) -> None:
    parser = parser_for_mails(inst, emailParsing={"parseEmailBody": False})
    mail_id = deliver(inst, parser, mail([("order.txt", paper("B-1"))], body="Number: M-1"))
    bare_id = deliver(inst, parser, mail(body="Number: M-2"), "without.eml")
    (report,) = process_queue(inst)
    assert (report.documents, report.processed, report.failed, report.skipped) == (3, 1, 0, 2)
    assert names(inst) == [("mail.eml", "skipped"), ("order.txt", "processed"), ("without.eml", "skipped")]
    told = "Its body is not to be parsed; its attachment is a document of its own"
    assert reasons(inst, mail_id, "split") == reasons(inst, id_of(inst, "mail.eml"), "parted") == [told]
    assert reasons(inst, bare_id, "parted") == [
        "Its body is not to be parsed; it has no attachment that is a document"
    ]
    view = get_document(inst, inst.team_id, id_of(inst, "mail.eml"))
    assert (view.error, view.data) == (None, {})
    assert numbers(inst) == {"order.txt": "B-1"}


def test_the_id_of_a_mail_that_is_no_document_is_that_of_its_first_attachment(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    data = mail([("a.txt", paper("A-1")), ("b.txt", paper("A-2"))])
    folder = create_folder(any_inst, any_inst.team_id, parser.id, {"name": "March"})
    origin = {"source": "inbox", "path": "2024/mail.eml"}
    more: dict[str, Any] = {"external_id": "X-1", "custom": {"case": 7}, "folder_id": folder.id}
    upload_id = registered(any_inst, parser, "mail.eml", data, source_detail=origin, **more)
    process_queue(any_inst)
    first, second, message = known(any_inst)
    assert first.id == upload_id
    assert [one.detail for one in (first, second)] == [
        {**origin, "mail": message.id, "part": part, "depth": 1} for part in (1, 2)
    ]
    assert (message.name, message.status, message.detail) == ("mail.eml", "skipped", origin)
    views = [get_document(any_inst, any_inst.team_id, one.id) for one in (first, second, message)]
    assert [(view.data.get("Number"), view.external_id) for view in views] == [
        ("A-1", "X-1"),
        ("A-2", "X-1-2"),
        (None, None),
    ]
    assert [view.parts for view in views] == 3 * [[first.id, second.id]]
    assert views[2].status_reason == (
        "Its body holds no values of the parser's fields; its 2 attachments are documents of their own"
    )
    assert {(view.folder_id, str(view.custom)) for view in views} == {(folder.id, "{'case': 7}")}
    assert any_inst.files.path(views[2].sha256).read_bytes() == data
    assert_files_match(any_inst)
    reprocess(any_inst, any_inst.team_id, [one.id for one in (first, second, message)])
    process_queue(any_inst)
    assert known(any_inst) == [first, second, message], "nothing is brought again"
    set_up(any_inst, parser, emailParsing={"parseEmailBody": True})
    reprocess(any_inst, any_inst.team_id, [message.id])
    process_queue(any_inst)
    assert names(any_inst)[-1] == ("mail.eml", "processed"), "the mail can still be read"
    delete_documents(any_inst, any_inst.team_id, [upload_id, message.id])
    assert get_document(any_inst, any_inst.team_id, second.id).parts == []
    assert_files_match(any_inst)


def test_the_parts_of_an_upload_are_all_documents_that_came_of_it(inst: Installation) -> None:
    parser = parser_for_mails(inst, splitDocuments={"enabled": True, "mode": "everyXPages", "everyXPages": 1})
    pages = pdf(lines_page(("Number: P-1",)), lines_page(("Number: P-2",)))
    inner = mail([("b.txt", paper("I-1")), ("c.txt", paper("I-2"))])
    archive = zipped({"d.txt": paper("Z-1"), "e.txt": paper("Z-2")})
    deliver(inst, parser, mail([("f.txt", paper("Y-1"))], body="Number: M-1"), "own.eml")
    files = [("a.pdf", pages), ("inner.eml", inner), ("archive.zip", archive)]
    upload_id = deliver(inst, parser, mail(files), "outer.eml")
    alone = deliver(inst, parser, paper("S-1"), "alone.txt")
    process_queue(inst)
    parts = {one.id: get_document(inst, inst.team_id, one.id).parts for one in known(inst)}
    by_name = {one.name: one.id for one in known(inst)}
    of_upload = ["a (p. 1).pdf", "b.txt", "d.txt", "a (p. 2).pdf", "c.txt", "e.txt"]
    assert parts[upload_id][0] == upload_id == by_name["a (p. 1).pdf"]
    assert sorted(parts[upload_id]) == sorted(by_name[name] for name in of_upload)
    assert all(parts[by_name[name]] == parts[upload_id] for name in of_upload)
    assert parts[by_name["own.eml"]] == parts[by_name["f.txt"]] == [by_name["own.eml"], by_name["f.txt"]]
    assert parts[by_name["outer.eml"]] == parts[by_name["inner.eml"]] == parts[upload_id]
    assert parts[alone] == []


def test_by_default_a_body_is_a_document_if_values_are_in_it(inst: Installation) -> None:
    parser = parser_for_mails(inst)
    # What the headers say is no value of the body.
    headers = [{"name": "Vendor Name"}, {"name": "Invoice Date", "type": "date"}]
    add_fields(inst, inst.team_id, parser.id, headers)
    signature = "Kind regards,\nAnn Lee\nTotal Tools Ltd.\nNumber: 4711\nTotal: 5.00"
    bodies = {
        "bare.eml": ("Please see attached.", False),
        "signed.eml": (f"See attached\n\n{signature}", False),
        "values.eml": (
            "Please find our order below.\nNumber: M-1\nTotal: 7.00\n\nKind regards\nAnn Lee",
            True,
        ),
    }
    ids = {
        name: deliver(inst, parser, mail([(f"{name}.txt", paper("B-1"))], body=body), name)
        for name, (body, _) in bodies.items()
    }
    pictures = make_parser(inst, "Pictures")
    set_up(inst, pictures, emailParsing={"attachmentFileTypes": ["image/png"]})
    deliver(inst, pictures, mail([("order.txt", paper("B-1"))]), "whole.eml")
    process_queue(inst)
    told = "Its body holds no values of the parser's fields; its attachment is a document of its own"
    found = dict(names(inst))
    for name, (_, is_one) in bodies.items():
        assert (found[name], found[f"{name}.txt"]) == ("processed" if is_one else "skipped", "processed")
        assert reasons(inst, id_of(inst, name), "parted") == ([] if is_one else [told])
        assert (ids[name] == id_of(inst, name)) is is_one
    assert numbers(inst) == {f"{name}.txt": "B-1" for name in bodies} | {"values.eml": "M-1"}
    assert found["whole.eml"] == "processed", "none of its attachments is taken"
    assert "order.txt" not in found
    assert_files_match(inst)


def test_a_mail_that_loses_its_body_loses_its_values_unless_people_set_them(inst: Installation) -> None:
    parser = parser_for_mails(inst, emailParsing={"parseEmailBody": True})
    corrected = deliver(inst, parser, mail([("order.txt", paper("B-1"))]))
    read = deliver(inst, parser, mail([("a.txt", paper("B-2"))], body="Number: M-1"), "read.eml")
    process_queue(inst)
    assert get_document(inst, inst.team_id, read).data["Number"] == "M-1"
    correct(inst, inst.team_id, corrected, {"Number": "M-9"})
    for choice, document_id in ((None, corrected), (False, read)):
        set_up(inst, parser, emailParsing={"parseEmailBody": choice})
        reprocess(inst, inst.team_id, [document_id])
        process_queue(inst)
    assert get_document(inst, inst.team_id, read).data == {}
    assert numbers(inst) == {"mail.eml": "M-9", "order.txt": "B-1", "a.txt": "B-2"}


@pytest.mark.slow
def test_a_mail_processed_again_brings_only_what_it_has_not_brought(inst: Installation) -> None:
    parser = parser_for_mails(inst, emailParsing={"attachmentFileTypes": [".txt"]})
    data = mail([("a.txt", paper("A-1")), ("b.pdf", INVOICE), ("c.txt", paper("A-1")), ("d.txt", b"Terms")])
    deliver(inst, parser, data)
    process_queue(inst)
    before = known(inst)
    assert [one.name for one in before] == ["a.txt", "c.txt", "d.txt", "mail.eml"]
    delete_documents(inst, inst.team_id, [before[2].id])
    set_up(inst, parser, emailParsing={"attachmentFileTypes": []})
    first = id_of(inst, "mail.eml")
    deliver(inst, parser, data, "z.eml")
    reprocess(inst, inst.team_id, [first])
    process_queue(inst)
    second = id_of(inst, "z.eml")
    after = known(inst)
    brought = {
        mail_id: [one.name for one in after if one.detail.get("mail") == mail_id]
        for mail_id in (first, second)
    }
    assert brought[first] == ["a.txt", "b.pdf", "c.txt"], "what was deleted doesn't come back"
    assert brought[second] == ["a.txt", "b.pdf", "c.txt", "d.txt"]
    assert {one.id for one in before if one.name != "d.txt"} < {one.id for one in after}
    assert_files_match(inst)


def test_the_same_content_is_told_as_a_duplicate_and_never_dropped(inst: Installation) -> None:
    parser = make_parser(inst)
    twice = [("a.txt", paper("A-1")), ("copy of a.txt", paper("A-1"))]
    deliver(inst, parser, mail(twice), "first.eml")
    deliver(inst, parser, mail(twice[:1], body="Once more"), "second.eml")
    process_queue(inst)
    first_mail, second_mail = id_of(inst, "first.eml"), id_of(inst, "second.eml")
    parts = [one for one in known(inst) if one.name.endswith("a.txt")]
    assert sorted((one.detail["mail"], one.detail["part"]) for one in parts) == sorted(
        [(first_mail, 1), (first_mail, 2), (second_mail, 1)]
    )
    counts = [len(get_document(inst, inst.team_id, one.id).duplicate_of) for one in parts]
    assert sorted(counts) == [0, 1, 2]
    assert_files_match(inst)


@pytest.mark.slow
def test_what_can_not_be_taken_is_named(make_installation: MakeInstallation) -> None:
    assert MAX_ATTACHMENTS == 20
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


def test_attachments_of_a_mail_that_fails_are_read_and_a_bad_one_fails_by_itself(inst: Installation) -> None:
    parser = parser_for_mails(inst, parsePages="2-")
    two_pages = pdf(lines_page(("Number: A-1",)), lines_page(("Number: A-2",)))
    mail_id = deliver(inst, parser, mail([("two.pdf", two_pages)]))
    deliver(inst, parser, mail(), "bare.eml")
    other = make_parser(inst, "Other")
    deliver(
        inst, other, mail([("broken.pdf", b"%PDF-1.7\nnothing"), ("good.txt", paper("B-1"))]), "other.eml"
    )
    process_queue(inst)
    assert dict(names(inst)) == {
        "bare.eml": "failed",
        "mail.eml": "failed",
        "two.pdf": "processed",
        "broken.pdf": "failed",
        "good.txt": "processed",
        "other.eml": "skipped",
    }
    assert get_document(inst, inst.team_id, mail_id).error == "No pages match parsePages"
    assert numbers(inst)["two.pdf"] == "A-2"


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
    assert store_outcomes(any_inst, [reading], "another").stored == []
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


def test_attachments_are_pages_as_the_parser_says(inst: Installation) -> None:
    choices: dict[str, tuple[dict[str, object], int, str | None]] = {
        "Merged": ({"mergeEmailAttachments": True}, 2, "A-77"),
        "Alone": ({"mergeEmailAttachments": True, "includeEmailSubjectBody": False}, 1, "A-77"),
        "Pictures": ({"mergeEmailAttachments": True, "attachmentFileTypes": ["image/png"]}, 1, None),
        "Parted": ({"attachmentFileTypes": ["image/png"]}, 1, None),
    }
    for name, (settings, _, _) in choices.items():
        parser = make_parser(inst, name)
        update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"emailParsing": settings}))
        upload(inst, inst.team_id, parser.slug, mail([("invoice.pdf", INVOICE)]), "mail.eml")
    process_queue(inst)
    for name, (_, pages, number) in choices.items():
        (row,) = list_documents(inst, inst.team_id, name.lower()).rows
        assert (row.status, row.content_type, row.page_count) == ("processed", "message/rfc822", pages), name
        assert list(inst.warehouse.query(f"SELECT number FROM {name.lower()}.documents").rows) == [(number,)]


def test_the_sender_filters_synonyms_are_taken() -> None:
    stored = {
        "emailParsing": {
            "senderFilter": {"mode": "whitelist", "rules": [{"type": "domain", "value": "x.de"}]}
        }
    }
    assert read_settings(stored).email_parsing.sender_filter.mode == "allow"
    with pytest.raises(InputError, match="senderFilter"):
        read_settings({"emailParsing": {"senderFilter": {"mode": "maybe"}}})
