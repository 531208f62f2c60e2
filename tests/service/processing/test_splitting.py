"""Archives: their members become documents, the first of them in the archive's place."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.folders import create_folder, delete_folder
from docduck.service.parsers.parsers import delete_parser
from docduck.service.processing import processing, results
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import store_outcomes
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import ensure_inbox, inbox
from tests.conftest import MakeInstallation
from tests.documents.formats.files import lines_page, pdf
from tests.documents.formats.office.files import invoice_xlsx, zipped
from tests.service.core.documents import make_parser, upload
from tests.service.sources.archives import Part, locked, outcomes, parts
from tests.service.sources.intake_world import assert_files_match, drop, ledger_of
from tests.service.sources.mails import mail, paper, reasons, registered, set_up

INVOICE = pdf(lines_page(("Number: A-77", "Total: 119.00")))


def parts_of(inst: Installation, archive: str) -> list[Part]:
    return [one for one in parts(inst) if (one.split or {}).get("sourceName") == archive]


def numbers(inst: Installation) -> dict[str, Any]:
    return {
        row.name: get_document(inst, inst.team_id, row.id).data.get("Number")
        for row in list_documents(inst, inst.team_id, limit=100).rows
    }


def test_members_take_the_place_of_their_archive(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    data = zipped(
        {
            "batch/scan 10.txt": paper("B-10"),
            "batch/scan 9.txt": paper("B-9"),
            "__MACOSX/batch/._scan 9.txt": b"junk",
            "a.pdf": INVOICE,
            "sheet.xlsx": invoice_xlsx(),
            "batch/": b"",
        }
    )
    document_id = upload(any_inst, any_inst.team_id, parser.slug, data, "batch.zip")
    (report,) = process_queue(any_inst)
    assert (report.documents, report.processed, report.failed, report.skipped) == (4, 4, 0, 0)
    found = parts(any_inst)
    assert [(one.name, one.key) for one in found] == [
        ("a.pdf", "a.pdf"),
        ("scan 9.txt", "batch/scan 9.txt"),
        ("scan 10.txt", "batch/scan 10.txt"),
        ("sheet.xlsx", "sheet.xlsx"),
    ]
    assert found[0].id == document_id
    assert [one.split for one in found] == [
        {
            "sourceDocumentId": document_id,
            "sourceName": "batch.zip",
            "index": index,
            "total": 4,
            "pages": None,
            "key": one.key,
            "unassignedPages": [],
        }
        for index, one in enumerate(found, start=1)
    ]
    assert [one.detail for one in found] == [
        {"archive": document_id, "part": part, "depth": 1} for part in range(1, 5)
    ]
    read = numbers(any_inst)
    assert [read[one.name] for one in found[:3]] == ["A-77", "B-9", "B-10"]
    first = get_document(any_inst, any_inst.team_id, document_id)
    assert (first.content_type, first.page_count, first.parser_revision) == ("application/pdf", 1, 1)
    assert (first.name, first.file_name) == ("a.pdf", "a.pdf")
    assert any_inst.files.path(first.sha256).read_bytes() == INVOICE
    assert reasons(any_inst, document_id, "split") == ["batch.zip holds 4 files"]
    assert [row.name for row in list_documents(any_inst, any_inst.team_id, q="batch.zip").rows] == []
    assert [row.name for row in list_documents(any_inst, any_inst.team_id, q="a.pdf").rows] == ["a.pdf"]
    assert_files_match(any_inst)
    assert backlogs(any_inst) == {}


def test_members_have_their_archives_folder_custom_data_and_external_id(inst: Installation) -> None:
    parser = make_parser(inst)
    march, gone = (create_folder(inst, inst.team_id, parser.id, {"name": name}) for name in ("March", "Gone"))
    data = zipped({f"{n}.txt": paper(f"B-{n}") for n in range(4)})
    more: dict[str, Any] = {"source": "api", "source_detail": {"connector": "zapier"}, "custom": {"case": 7}}
    registered(inst, parser, "batch.zip", data, external_id="X", folder_id=march.id, **more)
    registered(inst, parser, "gone.zip", data, folder_id=gone.id, **more)
    delete_folder(inst, inst.team_id, parser.id, gone.id)
    upload(inst, inst.team_id, parser.slug, paper("C-1"), "other.txt", external_id="X-3")
    long = zipped({f"{n}.txt": paper(f"D-{n}") for n in range(11)})
    upload(inst, inst.team_id, parser.slug, long, "long.zip", external_id="x" * 255)
    process_queue(inst)
    ids = [(one.name, one.external_id) for one in parts_of(inst, "batch.zip")]
    assert ids == [("0.txt", "X"), ("1.txt", "X-2"), ("2.txt", "X-4"), ("3.txt", "X-5")]
    for archive, folder_id in (("batch.zip", march.id), ("gone.zip", None)):
        for one in parts_of(inst, archive):
            view = get_document(inst, inst.team_id, one.id)
            assert (view.status, view.folder_id, view.custom) == ("processed", folder_id, {"case": 7})
            assert (view.source, one.detail["connector"]) == ("api", "zapier")
    found = [str(one.external_id) for one in parts_of(inst, "long.zip")]
    assert len(set(found)) == 11
    assert {len(one) for one in found} == {255}
    assert found[-1].endswith("x-11")


def test_what_can_not_be_read_is_a_failed_document_of_its_name(inst: Installation) -> None:
    parser = make_parser(inst)
    members = {
        "1 good.txt": paper("B-1"),
        "2 broken.pdf": b"%PDF-1.7\nnothing",
        "3 odd.bin": b"\x00\x01\xff\xfe",
        "4 empty.txt": b"",
        "5 secret.txt": paper("B-5"),
        "6 damaged.txt": paper("B-6"),
        "7 broken.zip": b"PK\x03\x04" + bytes(100),
        "8 report.docx": zipped({"rubbish.bin": b"\x00\x01"}),
        "9 good.txt": paper("B-9"),
    }
    data = bytearray(locked(zipped(members), "5 secret.txt"))
    data[data.index(b"6 damaged.txt") + len("6 damaged.txt") + 2] ^= 0xFF
    for name, archive in {
        "mixed.zip": bytes(data),
        "broken.zip": b"PK\x03\x04" + bytes(100),
        "empty.zip": zipped({}),
        "folders.zip": zipped({"folder/": b""}),
        "locked.zip": locked(zipped({"a.txt": b"secret"}), "a.txt"),
    }.items():
        upload(inst, inst.team_id, parser.slug, archive, name)
    text_only = make_parser(inst, "Texts")
    set_up(inst, text_only, acceptedFileTypes=["application/zip", "text/plain"])
    upload(inst, inst.team_id, text_only.slug, zipped({"a.txt": paper("A-1"), "b.pdf": INVOICE}), "z.zip")
    damaged = "File is damaged or not readable"
    expected = {
        "1 good.txt": "processed",
        "2 broken.pdf": damaged,
        "3 odd.bin": "Unsupported file type",
        "4 empty.txt": "File is empty",
        "5 secret.txt": "File is password protected",
        "6 damaged.txt": damaged,
        "7 broken.zip": damaged,
        "8 report.docx": damaged,
        "9 good.txt": "processed",
        **dict.fromkeys(("broken.zip", "empty.zip", "folders.zip"), damaged),
        "locked.zip": "File is password protected",
        "a.txt": "processed",
        "b.pdf": "Unsupported file type",
    }
    process_queue(inst)
    assert dict(outcomes(inst)) == expected
    before = parts(inst)
    reprocess(inst, inst.team_id, [one.id for one in before])
    process_queue(inst)
    assert parts(inst) == before, "a part processed again is read for itself"
    assert_files_match(inst)


def test_archives_past_the_limits_fail_and_leave_nothing(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_archive_files=5, max_unpacked_bytes=1_000_000)
    parser = make_parser(inst)
    for name, members in {
        "large.zip": {"a.txt": b"x", "b.txt": b"0" * 2_000_000},
        "many.zip": {f"{n}.txt": b"x" for n in range(6)},
        "nested.zip": {f"{n}.zip": zipped({f"{i}.txt": b"x" for i in range(2)}) for n in range(2)},
        "nested large.zip": {f"{n}.zip": zipped({"a.txt": b"0" * 600_000}) for n in range(2)},
    }.items():
        upload(inst, inst.team_id, parser.slug, zipped(members), name)
    process_queue(inst)
    assert {outcome for _, outcome in outcomes(inst)} == {"File is damaged or not readable"}
    assert [one.name for one in parts(inst)] == ["large.zip", "many.zip", "nested large.zip", "nested.zip"]
    stored = [path for path in (inst.settings.home / "files").rglob("*") if path.is_file()]
    assert len(stored) == 4


def test_archives_inside_archives_are_unpacked_with_them_down_to_some_depth(inst: Installation) -> None:
    parser = make_parser(inst)
    inner = zipped({"c.txt": paper("C-1"), "d.zip": zipped({"e.txt": paper("E-1")})})
    upload(inst, inst.team_id, parser.slug, zipped({"a.txt": paper("A-1"), "b.zip": inner}), "outer.zip")
    data = zipped({"x.txt": paper("X-1"), "y.txt": paper("Y-1")})
    for level in (3, 2, 1):
        data = zipped({f"{level}.zip": data, f"{level}.txt": paper(f"L-{level}")})
    upload(inst, inst.team_id, parser.slug, data, "deep.zip")
    # Names in UTF-8 that are not marked so.
    data = zipped({"Belege/März.txt": paper("A-1")})
    unmarked = bytearray(data)
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        unmarked[data.index(header) + flags + 1] &= ~0x08
    upload(inst, inst.team_id, parser.slug, bytes(unmarked), "unmarked.zip")
    process_queue(inst)
    assert {one.status for one in parts(inst)} == {"processed"}
    assert [(one.name, one.key) for one in parts_of(inst, "outer.zip")] == [
        ("a.txt", "a.txt"),
        ("c.txt", "b.zip/c.txt"),
        ("e.txt", "b.zip/d.zip/e.txt"),
    ]
    deep = parts_of(inst, "deep.zip")
    paths = ["1.txt", "1.zip/2.txt", "1.zip/2.zip/3.txt", "1.zip/2.zip/3.zip"]
    assert [one.key for one in deep] == paths
    assert get_document(inst, inst.team_id, deep[-1].id).page_count == 2, "it is one document"
    (found,) = parts_of(inst, "unmarked.zip")
    assert (found.name, found.key) == ("März.txt", "Belege/März.txt")


def test_mails_and_archives_in_each_other_end(inst: Installation) -> None:
    parser = make_parser(inst)
    deep = mail([("deep.zip", zipped({"p.txt": paper("P-1"), "q.txt": paper("Q-1")}))], body="Number: M-2")
    bundle = zipped({"z.txt": paper("Z-1"), "inner.eml": deep})
    upload(inst, inst.team_id, parser.slug, mail([("bundle.zip", bundle)], body="Number: M-1"), "a.eml")
    merging = make_parser(inst, "Merging")
    set_up(inst, merging, emailParsing={"mergeEmailAttachments": True})
    two = zipped({"p.txt": paper("P-1"), "q.txt": paper("Q-1")})
    upload(inst, inst.team_id, merging.slug, mail([("two.zip", two)]), "merged.eml")
    upload(inst, inst.team_id, merging.slug, two, "alone.zip")
    process_queue(inst)
    found = {one.name: one for one in parts(inst)}
    assert [found.pop(name).split is None for name in ("p.txt", "q.txt")] == [False, False]
    merged = found.pop("merged.eml")
    assert get_document(inst, inst.team_id, merged.id).page_count == 3, "an archive's files are its pages"
    assert {name: one.status for name, one in found.items()} == dict.fromkeys(
        ("a.eml", "z.txt", "inner.eml", "deep.zip"), "processed"
    )
    depths = {name: one.detail.get("depth", 0) for name, one in found.items()}
    assert depths == {"a.eml": 0, "inner.eml": 2, "z.txt": 2, "deep.zip": 3}
    assert found["inner.eml"].split == {
        "sourceDocumentId": found["inner.eml"].id,
        "sourceName": "bundle.zip",
        "index": 1,
        "total": 2,
        "pages": None,
        "key": "inner.eml",
        "unassignedPages": [],
    }
    assert get_document(inst, inst.team_id, found["deep.zip"].id).page_count == 2


def test_an_archive_that_is_dropped_again_is_not_read_twice(inst: Installation) -> None:
    parser = make_parser(inst)
    ensure_inbox(inst)
    folder = inst.settings.inbox / parser.slug
    data = zipped({"a.txt": paper("A-1"), "b.txt": paper("B-1")})
    drop(folder, "first.zip", data)
    ingest(inst, inbox(inst))
    process_queue(inst)
    drop(folder, "second.zip", data)
    ingest(inst, inbox(inst))
    process_queue(inst)
    found = parts(inst)
    assert [one.name for one in found] == ["a.txt", "b.txt"]
    entry = ledger_of(inst)[f"{parser.slug}/second.zip"]
    assert (entry.outcome, entry.document_id) == ("duplicate", found[0].id)
    assert entry.message == f"same content as first.zip (document {found[0].id}), not read again"
    delete_documents(inst, inst.team_id, [one.id for one in found])
    drop(folder, "third.zip", data)
    ingest(inst, inbox(inst))
    process_queue(inst)
    assert [one.name for one in parts(inst)] == ["a.txt", "b.txt"]


def test_what_comes_too_late_registers_nothing(inst: Installation) -> None:
    parser = make_parser(inst)
    data = zipped({"a.txt": paper("A-1"), "b.txt": paper("B-1")})
    document_id = upload(inst, inst.team_id, parser.slug, data, "z.zip")
    late: list[ExtractionOutcome] = []
    real = results.store_outcomes

    def keep(session: Any, readings: Any, owner: str) -> Any:
        late.extend(one for one in readings if one.members)
        return real(session, readings, owner)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processing, "store_outcomes", keep)
        process_queue(inst)
    assert len(late) == 1
    before = parts(inst)
    assert store_outcomes(inst, late, "another").stored == []
    assert parts(inst) == before
    delete_documents(inst, inst.team_id, [document_id])
    assert store_outcomes(inst, late, "another").stored == []
    assert [one.name for one in parts(inst)] == ["b.txt"]


def test_a_parser_deleted_meanwhile_keeps_its_files_counted(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    data = zipped({"a.txt": paper("A-1"), "b.txt": paper("B-1")})
    upload(inst, inst.team_id, parser.slug, data, "z.zip")
    real = results.store_outcomes

    def after_the_end(*given: Any) -> Any:
        delete_parser(inst, inst.team_id, parser.id)
        return real(*given)

    monkeypatch.setattr(processing, "store_outcomes", after_the_end)
    process_queue(inst)
    assert outcomes(inst) == [("a.txt", "queued"), ("b.txt", "queued")]
    assert_files_match(inst)


def test_a_transaction_that_meets_another_is_tried_again(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    data = zipped({"a.txt": paper("A-1"), "b.txt": paper("B-1")})
    upload(inst, inst.team_id, parser.slug, data, "z.zip", external_id="X")
    real = results.store_outcomes
    met: list[int] = []

    def meets(session: Any, readings: Any, owner: str) -> Any:
        held = real(session, readings, owner)
        if len(met) < 2:
            met.append(1)
            raise IntegrityError("INSERT", {}, Exception("documents.parser_id, documents.external_id"))
        return held

    monkeypatch.setattr(processing, "store_outcomes", meets)
    process_queue(inst)
    assert outcomes(inst) == [("a.txt", "processed"), ("b.txt", "processed")]
    assert_files_match(inst)
