from __future__ import annotations

import datetime as dt
import hashlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest

from docduck.files import Batch
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.parsers.parsers import ParserChanges, delete_parser, update_parser
from docduck.service.sources import folder_files, folder_intake, registration
from docduck.service.sources.intake import ingest, inspect_source
from docduck.service.sources.remote_sources import RemoteSource
from docduck.service.sources.scan import SourceFile
from docduck.service.sources.sources import FolderSource, ensure_inbox, inbox, sources
from tests.conftest import MakeInstallation
from tests.documents.detection.test_sniff import LARGE
from tests.permissions import permissions_hold
from tests.service.sources.intake_world import (
    assert_files_match,
    documents,
    drop,
    invoices,
    ledger_of,
    outcomes,
    rows,
)
from tests.work import calls


def box(inst: Installation) -> Path:
    return inst.settings.inbox / "invoices"


def test_a_dropped_file_becomes_one_queued_document(any_inst: Installation) -> None:
    parser = invoices(any_inst)
    drop(box(any_inst), "2026/a b.txt", b"Invoice 1")
    seen = inspect_source(any_inst, inbox(any_inst))
    assert (seen.new, seen.waiting) == (1, 0)
    assert seen.message == f"1 file to take in from {any_inst.settings.inbox}."

    report = ingest(any_inst, inbox(any_inst))
    assert (report.registered, report.by_parser, report.messages) == (1, {"invoices": 1}, [])
    (document,) = rows(any_inst)
    assert (document.name, document.status, document.source) == ("a b.txt", "queued", "folder")
    assert (document.parser_id, document.content_type) == (parser.id, "text/plain")
    assert document.source_detail == {"source": "inbox", "path": "2026/a b.txt"}
    assert document.sha256 == hashlib.sha256(b"Invoice 1").hexdigest()
    known = ledger_of(any_inst)["invoices/2026/a b.txt"]
    assert (known.outcome, known.document_id, known.finished) == ("registered", document.id, True)
    assert (box(any_inst) / "2026/a b.txt").read_bytes() == b"Invoice 1"
    assert_files_match(any_inst)

    seen = inspect_source(any_inst, inbox(any_inst))
    assert (seen.new, seen.waiting, seen.message) == (0, 0, f"Nothing new in {any_inst.settings.inbox}.")
    assert ingest(any_inst, inbox(any_inst)).registered == 0
    assert len(rows(any_inst)) == 1


def test_files_of_any_name_and_content_are_documents(any_inst: Installation) -> None:
    invoices(any_inst)
    unreadable: dict[str, tuple[bytes, str]] = {
        "unknown.xyz": (bytes(range(256)) * 4, "application/octet-stream"),
        "damaged.pdf": (b"%PDF-1.7\nnothing more", "application/pdf"),
        "empty.pdf": (b"", "application/octet-stream"),
    }
    for name, (content, _) in {**unreadable, **LARGE}.items():
        drop(box(any_inst), name, content)
    odd = [
        (b"-rf.txt", "-rf.txt", "-rf.txt"),
        (b"two\nlines.txt", "two lines.txt", "two\nlines.txt"),
        ("Mu\u0308ller.txt".encode(), "Müller.txt", "Mu\u0308ller.txt"),
        ("Müller.txt".encode(), "Müller.txt", "Müller.txt"),
        (b"caf\xe9.txt", "caf\ufffd.txt", "caf\\xe9.txt"),
        (b" a  b .txt", "a b .txt", " a  b .txt"),
        (b"'; drop table--.txt", "'; drop table--.txt", "'; drop table--.txt"),
    ]
    for raw, _, _ in odd:
        drop(box(any_inst), os.fsdecode(raw), raw)
    names = [*unreadable, *LARGE]
    assert ingest(any_inst, inbox(any_inst)).registered == len(names) + len(odd)
    found = rows(any_inst)
    assert sorted(one.name for one in found) == sorted([*names, *(name for _, name, _ in odd)])
    items = [*names, *(item for _, _, item in odd)]
    assert outcomes(any_inst) == {f"invoices/{item}": "registered" for item in items}
    for name, (content, kind) in {**unreadable, **LARGE}.items():
        (document,) = (one for one in found if one.name == name)
        assert (document.content_type, document.size) == (kind, len(content))
    assert inspect_source(any_inst, inbox(any_inst)).new == 0


def test_a_file_that_may_still_be_growing_waits(make_installation: MakeInstallation) -> None:
    inst = make_installation(settle_seconds=3600)
    invoices(inst)
    drop(box(inst), "a.txt", b"half")
    seen = inspect_source(inst, inbox(inst))
    assert (seen.new, seen.waiting) == (0, 1)
    assert "1 file not yet settled" in seen.message and "may still be being written" in seen.message
    gone = drop(box(inst), "gone.txt")
    report = ingest(inst, inbox(inst))
    assert (report.registered, report.waiting) == (0, 2)
    assert outcomes(inst) == {"invoices/a.txt": "waiting", "invoices/gone.txt": "waiting"}
    assert rows(inst) == []
    gone.unlink()
    assert ingest(inst, inbox(inst)).vanished == 1
    assert outcomes(inst)["invoices/gone.txt"] == "vanished"

    drop(box(inst), "a.txt", b"half and whole")
    patient = make_installation(settle_seconds=0, empty_settle_seconds=3600)
    assert ingest(patient, inbox(patient)).registered == 1
    assert [row.size for row in rows(inst)] == [14]
    assert outcomes(inst)["invoices/a.txt"] == "registered"
    drop(box(inst), "empty.txt", b"")
    seen = inspect_source(patient, inbox(patient))
    assert (seen.new, seen.waiting) == (0, 1) and "is empty" in seen.message, "it is waited for longer"
    assert ingest(patient, inbox(patient)).registered == 0
    settled = make_installation()
    assert ingest(settled, inbox(settled)).registered == 1


def test_a_file_from_the_future_is_taken_once_two_looks_agree(make_installation: MakeInstallation) -> None:
    inst = make_installation(settle_seconds=0.3)
    invoices(inst)
    file = drop(box(inst), "a.txt", b"12")
    ahead = time.time() + 86400

    os.utime(file, (ahead, ahead))
    seen = inspect_source(inst, inbox(inst))
    assert (seen.new, seen.waiting) == (0, 1) and "lies in the future" in seen.message
    time.sleep(0.35)
    file.write_bytes(b"1234")
    os.utime(file, (ahead, ahead))
    assert inspect_source(inst, inbox(inst)).new == 0, "it has grown since the first look"
    assert inspect_source(inst, inbox(inst)).new == 0
    time.sleep(0.35)
    assert inspect_source(inst, inbox(inst)).new == 1
    assert ingest(inst, inbox(inst)).registered == 1
    assert inspect_source(inst, inbox(inst)).new == 0


def after_batches(monkeypatch: pytest.MonkeyPatch, act: Callable[[int], None]) -> None:
    """Call ``act`` with the number of batches that are registered, after each."""
    real, numbers = registration.register_items, count(1)

    def registering(*given: Any) -> Any:
        registered = real(*given)
        act(next(numbers))
        return registered

    monkeypatch.setattr(folder_intake, "register_items", registering)


def test_a_file_that_goes_away_before_it_is_taken_is_no_error(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(intake_batch=1)
    invoices(inst)
    files = [drop(box(inst), f"{number}.txt", b"%d" % number) for number in range(5)]
    after_batches(monkeypatch, lambda _done: files[3].unlink(missing_ok=True))
    report = ingest(inst, inbox(inst))
    assert (report.registered, report.vanished) == (4, 1)
    assert outcomes(inst)["invoices/3.txt"] == "vanished"
    assert outcomes(inst)["invoices/4.txt"] == "registered"
    assert "went away before it was taken" in report.messages[0]
    drop(box(inst), "3.txt", b"back")
    assert ingest(inst, inbox(inst)).registered == 1


def test_an_unreadable_file_is_tried_again_until_it_is_readable(inst: Installation) -> None:
    invoices(inst)
    file = drop(box(inst), "a.txt")
    drop(box(inst), "b.txt", b"fine")
    file.chmod(0)
    with permissions_hold():
        report = ingest(inst, inbox(inst))
        assert (report.registered, report.unreadable) == (1, 1)
        assert "Permission denied" in report.messages[0]
        assert outcomes(inst)["invoices/a.txt"] == "unreadable"
        seen = inspect_source(inst, inbox(inst))
        assert seen.new == 0 and "Permission denied" in seen.message
        file.chmod(0o600)
        assert inspect_source(inst, inbox(inst), seen.signature).new == 1
        assert ingest(inst, inbox(inst)).registered == 1
        drop(box(inst), "closed/a.txt").parent.chmod(0)
        seen = inspect_source(inst, inbox(inst))
    (box(inst) / "closed").chmod(0o700)
    assert seen.new == 0
    assert f"{box(inst)}/closed: the folder can't be read (Permission denied)" in seen.message
    assert documents(inst) == ["a.txt", "b.txt"]


def test_a_file_that_changes_while_it_is_read_waits(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    file = drop(box(inst), "a.txt", b"before")
    add = Batch.add

    def add_and_grow(*args: object, **kwargs: object) -> object:
        with file.open("ab") as stream:
            stream.write(b" and after")
        return add(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Batch, "add", add_and_grow)
    report = ingest(inst, inbox(inst))
    assert (report.registered, report.waiting) == (0, 1)
    assert outcomes(inst) == {"invoices/a.txt": "waiting"}
    assert "changed while it was read" in report.messages[0]
    monkeypatch.undo()
    assert ingest(inst, inbox(inst)).registered == 1
    assert rows(inst)[0].size == 16


def test_a_file_that_is_too_large_is_refused_until_the_limit_is_raised(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(max_file_bytes=10)
    invoices(inst)
    drop(box(inst), "a.txt", b"x" * 11)
    seen = inspect_source(inst, inbox(inst))
    assert seen.new == 0 and "has 11 bytes, more than the 10 allowed" in seen.message
    assert outcomes(inst) == {"invoices/a.txt": "refused"}
    assert ingest(inst, inbox(inst)).refused == 1
    assert rows(inst) == [] and list(inst.files.hashes()) == []
    larger = make_installation(max_file_bytes=11)
    assert inspect_source(larger, inbox(larger), seen.signature).new == 1
    assert ingest(larger, inbox(larger)).registered == 1


def test_links_out_of_the_folder_and_pipes_are_refused(inst: Installation, tmp_path: Path) -> None:
    invoices(inst)
    secret = drop(tmp_path / "outside", "secret.txt", b"secret")
    drop(box(inst), "a.txt", b"a")
    (box(inst) / "link.txt").symlink_to(secret)
    (box(inst) / "folder").symlink_to(secret.parent)
    os.mkfifo(box(inst) / "pipe.txt")
    report = ingest(inst, inbox(inst))
    assert (report.registered, report.refused) == (1, 3)
    assert any("not a regular file" in one for one in report.messages), "it does not hold anything up"
    assert documents(inst) == ["a.txt"]
    known = ledger_of(inst)
    assert known["invoices/link.txt"].outcome == known["invoices/folder"].outcome == "refused"
    assert known["invoices/link.txt"].message.startswith("is a link that leads out of")
    assert hashlib.sha256(b"secret").hexdigest() not in set(inst.files.hashes())
    seen = inspect_source(inst, inbox(inst))
    assert "leads out of" in seen.message
    assert inspect_source(inst, inbox(inst), seen.signature) == seen, "it is said again at every look"
    receipts = invoices(inst, "Receipts")
    (inst.settings.inbox / "receipts").rmdir()
    (inst.settings.inbox / "receipts").symlink_to(secret.parent)
    assert f"{inst.settings.inbox / 'receipts'}" in inspect_source(inst, inbox(inst)).message
    assert ingest(inst, inbox(inst)).registered == 0
    assert documents(inst, receipts) == [], "a parser's folder that is a link out is refused"


def test_a_link_put_in_place_of_a_file_after_the_look_is_refused(
    make_installation: MakeInstallation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(intake_batch=1)
    invoices(inst)
    secret = drop(tmp_path / "outside", "b.txt", b"secret")
    for name in ("a.txt", "b.txt", "c.txt"):
        drop(box(inst), name, name.encode())
    drop(box(inst) / "sub", "b.txt", b"b")

    def swap(done: int) -> None:
        if done == 1:
            (box(inst) / "sub").rename(tmp_path / "away")
            (box(inst) / "sub").symlink_to(secret.parent)

    after_batches(monkeypatch, swap)
    report = ingest(inst, inbox(inst))
    assert (report.registered, report.refused) == (3, 1)
    assert hashlib.sha256(b"secret").hexdigest() not in set(inst.files.hashes())


def test_the_same_content_for_the_same_parser_is_a_duplicate(any_inst: Installation) -> None:
    first, second = invoices(any_inst), invoices(any_inst, "Receipts")
    for number in range(3):
        drop(box(any_inst), f"{number}.txt", b"same")
    drop(any_inst.settings.inbox / "receipts", "a.txt", b"same")
    report = ingest(any_inst, inbox(any_inst))
    assert (report.registered, report.duplicates) == (2, 2)
    assert report.by_parser == {"invoices": 1, "receipts": 1}
    drop(box(any_inst), "b.txt", b"same")
    report = ingest(any_inst, inbox(any_inst))
    assert (report.registered, report.duplicates) == (0, 1)
    assert (documents(any_inst, first), documents(any_inst, second)) == (["0.txt"], ["a.txt"])
    known = ledger_of(any_inst)["invoices/b.txt"]
    kept = rows(any_inst)[0]
    assert (known.outcome, known.document_id) == ("duplicate", kept.id)
    assert known.message == f"same content as 0.txt (document {kept.id}), not read again"
    assert inspect_source(any_inst, inbox(any_inst)).new == 0
    assert len(list(any_inst.files.hashes())) == 1
    assert_files_match(any_inst)


def test_a_file_whose_document_was_deleted_is_not_taken_again(inst: Installation) -> None:
    invoices(inst)
    file = drop(box(inst), "a.txt", b"text")
    ingest(inst, inbox(inst))
    delete_documents(inst, inst.team_id, [row.id for row in rows(inst)])
    assert inspect_source(inst, inbox(inst)).new == 0
    assert ingest(inst, inbox(inst)).registered == 0
    file.touch()
    assert ingest(inst, inbox(inst)).registered == 0
    assert "was deleted" in ledger_of(inst)["invoices/a.txt"].message
    assert inspect_source(inst, inbox(inst)).new == 0
    assert rows(inst) == []
    drop(box(inst), "b.txt", b"text")
    assert ingest(inst, inbox(inst)).registered == 1
    assert documents(inst) == ["b.txt"], "what was deleted makes no duplicate"


def test_a_touched_file_is_known_and_new_content_is_a_new_document(any_inst: Installation) -> None:
    invoices(any_inst)
    file = drop(box(any_inst), "a.txt", b"one")
    ingest(any_inst, inbox(any_inst))
    before = ledger_of(any_inst)
    os.utime(file, (1, 1))
    report = ingest(any_inst, inbox(any_inst))
    assert (report.registered, report.duplicates, report.messages) == (0, 0, [])
    assert ledger_of(any_inst) == before
    assert inspect_source(any_inst, inbox(any_inst)).new == 0
    file.write_bytes(b"two")
    os.utime(file, (1, 1))
    assert inspect_source(any_inst, inbox(any_inst)).new == 1, "although of the same size and time"
    assert ingest(any_inst, inbox(any_inst)).registered == 1
    assert documents(any_inst) == ["a.txt", "a.txt"]
    assert len({row.sha256 for row in rows(any_inst)}) == 2
    assert_files_match(any_inst)


def test_what_is_known_of_a_file_outlasts_its_waiting(make_installation: MakeInstallation) -> None:
    inst = make_installation()
    invoices(inst)
    files = [drop(box(inst), name, name.encode()) for name in ("deleted.txt", "kept.txt")]
    ingest(inst, inbox(inst))
    delete_documents(inst, inst.team_id, [rows(inst)[0].id])
    assert documents(inst) == ["kept.txt"]
    for file in files:
        file.touch()
    patient = make_installation(settle_seconds=3600)
    assert ingest(patient, inbox(patient)).waiting == 2
    assert set(outcomes(inst).values()) == {"waiting"}
    report = ingest(inst, inbox(inst))
    assert (report.registered, report.duplicates) == (0, 0)
    assert set(outcomes(inst).values()) == {"registered"}
    assert documents(inst) == ["kept.txt"]


def test_files_without_a_parser_are_said_and_left(inst: Installation) -> None:
    invoices(inst)
    drop(inst.settings.inbox, "stray.txt")
    drop(inst.settings.inbox / "foo", "a.txt")
    (inst.settings.inbox / "empty").mkdir()
    seen = inspect_source(inst, inbox(inst))
    assert seen.new == 0
    assert f"{inst.settings.inbox}/stray.txt lies in no parser's folder" in seen.message
    drop(inst.settings.inbox, "stray2.txt")
    words = "stray.txt and 1 more lie in no parser's folder"
    assert words in inspect_source(inst, inbox(inst)).message
    expected = f"{inst.settings.inbox}/foo: no parser is called foo; create it or move the files"
    assert expected in seen.message and "empty" not in seen.message
    report = ingest(inst, inbox(inst))
    assert report.registered == 0 and expected in report.messages
    invoices(inst, "foo")
    assert inspect_source(inst, inbox(inst), seen.signature).new == 1
    assert ingest(inst, inbox(inst)).by_parser == {"foo": 1}


def test_an_inactive_parser_takes_nothing_and_one_made_anew_what_lies_there(inst: Installation) -> None:
    parser = invoices(inst)
    update_parser(inst, inst.team_id, parser.id, ParserChanges(is_active=False))
    drop(box(inst), "a.txt")
    seen = inspect_source(inst, inbox(inst))
    assert seen.new == 0 and "parser invoices is not active" in seen.message
    assert ingest(inst, inbox(inst)).registered == 0
    update_parser(inst, inst.team_id, parser.id, ParserChanges(is_active=True))
    assert inspect_source(inst, inbox(inst), seen.signature).new == 1
    assert ingest(inst, inbox(inst)).registered == 1
    delete_parser(inst, inst.team_id, parser.id)
    assert "no parser is called invoices" in inspect_source(inst, inbox(inst)).message
    again = invoices(inst)
    assert ingest(inst, inbox(inst)).registered == 1
    assert documents(inst, again) == ["a.txt"]


def test_an_unchanged_folder_is_not_looked_up_again(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    for make in (lambda: ensure_inbox(inst), lambda: inspect_source(inst, inbox(inst))):
        box(inst).rmdir()
        make()
        make()
        assert box(inst).is_dir(), "folders that are missing are made"
    drop(box(inst), "a.txt")
    first = inspect_source(inst, inbox(inst))
    assert inspect_source(inst, inbox(inst), first.signature).new == 1, "work that is open stays open"
    ingest(inst, inbox(inst))
    rest = inspect_source(inst, inbox(inst), first.signature)
    monkeypatch.setattr(
        "docduck.service.sources.folder_intake.open_files", lambda *_: pytest.fail("rows were loaded")
    )
    assert inspect_source(inst, inbox(inst), rest.signature).signature == rest.signature


def test_sources_are_the_inbox_and_the_pipelines(make_installation: MakeInstallation, tmp_path: Path) -> None:
    file = tmp_path / "pipeline.yaml"
    inst = make_installation(pipeline=file)
    assert sources(inst) == [FolderSource("inbox", inst.settings.inbox)]
    file.write_text(
        "sources:\n- {name: scans, folder: scans, parser: invoices, pattern: '*.pdf', after: move}\n"
        "- {name: web, url: 'https://example.org/a.pdf', parser: invoices, every: 2h}\n"
    )
    _, scans, web = sources(inst)
    assert scans == FolderSource("scans", tmp_path / "scans", "invoices", "*.pdf", after="move")
    assert isinstance(web, RemoteSource)
    assert (web.kind, web.place, web.every) == ("url", "https://example.org/a.pdf", dt.timedelta(hours=2))


def test_a_source_needs_its_folder_and_its_parser(inst: Installation, tmp_path: Path) -> None:
    source = FolderSource("scans", tmp_path / "scans", "invoices")
    words = "Source scans: no parser is called invoices; create it or name another"
    assert words in inspect_source(inst, source).message
    parser = invoices(inst)
    assert f"There is no folder {tmp_path / 'scans'}" in inspect_source(inst, source).message
    assert ingest(inst, source).messages == [f"There is no folder {tmp_path / 'scans'}; create it"]
    drop(tmp_path / "scans", "a.txt")
    assert ingest(inst, source).registered == 1
    update_parser(inst, inst.team_id, parser.id, ParserChanges(is_active=False))
    assert "parser invoices is not active" in inspect_source(inst, source).message
    other = invoices(inst, "Receipts")
    assert ingest(inst, FolderSource("scans", tmp_path / "scans", "receipts")).registered == 1
    assert documents(inst, other) == ["a.txt"], "another parser for it reads its files, too"


@pytest.mark.parametrize(("after", "done"), [("move", ".taken"), ("move", "done"), ("delete", "")])
def test_taken_files_are_moved_or_deleted(inst: Installation, tmp_path: Path, after: str, done: str) -> None:
    invoices(inst)
    scans = tmp_path / "scans"
    move_to = scans / done if done == "done" else None
    source = FolderSource("scans", scans, "invoices", after=after, move_to=move_to)  # type: ignore[arg-type]
    drop(scans, "sub/a.txt", b"a")
    drop(scans, "twin.txt", b"a")
    assert ingest(inst, source).registered == 1
    left = {str(path.relative_to(scans)) for path in scans.rglob("*") if path.is_file()}
    assert left == ({f"{done}/sub/a.txt", f"{done}/twin.txt"} if after == "move" else set())
    assert all(known.finished for known in ledger_of(inst).values())
    assert inspect_source(inst, source).new == 0

    drop(scans, "sub/a.txt", b"other")
    assert ingest(inst, source).registered == 1
    if after == "move":
        assert (scans / done / "sub/a-2.txt").read_bytes() == b"other"
    drop(scans, "sub/a.txt", b"other")
    report = ingest(inst, source)
    assert (report.registered, report.duplicates) == (0, 1), "dropped again, so it is said and moved"
    assert not (scans / "sub/a.txt").exists()
    assert_files_match(inst)


def test_a_folder_that_cant_be_written_is_said_and_its_files_are_taken_once(
    inst: Installation, tmp_path: Path
) -> None:
    invoices(inst)
    scans = tmp_path / "scans"
    source = FolderSource("scans", scans, "invoices", after="move")
    drop(scans, "a.txt")
    scans.chmod(0o500)
    with permissions_hold():
        report = ingest(inst, source)
        assert report.registered == 1
        words = f"{scans}/a.txt: taken, but left in place: can't be moved (Permission denied)"
        assert report.messages == [words]
        seen = inspect_source(inst, source)
        assert seen.new == 0 and words in seen.message
        assert ingest(inst, source).registered == 0
    scans.chmod(0o700)
    assert documents(inst) == ["a.txt"]
    ingest(inst, source)
    assert (scans / ".taken/a.txt").is_file() and not (scans / "a.txt").exists()
    assert ledger_of(inst)["a.txt"].finished


def test_a_file_replaced_before_it_is_moved_is_not_lost(
    inst: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    scans = tmp_path / "scans"
    source = FolderSource("scans", scans, "invoices", after="delete")
    drop(scans, "a.txt", b"one")

    def replace_then_finish(
        inst: Installation, source: FolderSource, files: Sequence[SourceFile]
    ) -> list[str]:
        if files:
            drop(scans, "a.txt", b"two")
        return folder_files.dispose(inst, source, files)

    monkeypatch.setattr(folder_intake, "dispose", replace_then_finish)
    ingest(inst, source)
    assert (scans / "a.txt").read_bytes() == b"two"
    monkeypatch.undo()
    ingest(inst, source)
    assert len({row.sha256 for row in rows(inst)}) == 2
    assert not (scans / "a.txt").exists()


def test_files_dropped_while_others_are_taken_in_are_not_lost(make_installation: MakeInstallation) -> None:
    inst = make_installation(intake_batch=5)
    invoices(inst)
    stop = threading.Event()

    def keep_dropping() -> None:
        for number in range(60):
            drop(box(inst), f"{number:03}.txt", b"%d" % number)
        stop.set()

    thread = threading.Thread(target=keep_dropping)
    thread.start()
    while not stop.is_set():
        ingest(inst, inbox(inst))
    thread.join()
    ingest(inst, inbox(inst))
    final = {hashlib.sha256(b"%d" % number).hexdigest() for number in range(60)}
    assert final <= {row.sha256 for row in rows(inst)}
    assert_files_match(inst)


@pytest.mark.extended
def test_thousands_of_files_at_once(make_installation: MakeInstallation) -> None:
    inst = make_installation()
    invoices(inst)
    found: dict[int, int] = {}
    for number in range(2_000):
        if number in (200, 1_000):
            found[number] = calls(lambda: inspect_source(inst, inbox(inst)))
        (box(inst) / f"{number}.txt").write_bytes(b"%d" % number)
    assert found[1_000] < 6 * found[200]
    assert inspect_source(inst, inbox(inst)).new == 2_000
    report = ingest(inst, inbox(inst))
    assert (report.registered, report.messages) == (2_000, [])
    assert len({row.sha256 for row in rows(inst)}) == 2_000
    assert inspect_source(inst, inbox(inst)).new == 0


@pytest.mark.parametrize("after", ["keep", "move"])
def test_of_many_files_those_that_are_done_are_told_apart_alike(
    inst: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: Literal["keep", "move"]
) -> None:
    monkeypatch.setattr("docduck.service.sources.scan._MANY", 0)
    invoices(inst)
    folder = tmp_path / "scans"
    source = FolderSource("scans", folder, parser="invoices", after=after)
    for name in ("a.txt", "b.txt"):
        drop(folder, name, name.encode())
    with monkeypatch.context() as patch:
        patch.setattr("docduck.service.sources.folder_intake.dispose", lambda *_: [])
        assert ingest(inst, source).registered == 2
    assert inspect_source(inst, source).new == (0 if after == "keep" else 2), "they are to be moved"
    assert ingest(inst, source).registered == 0
    assert inspect_source(inst, source).new == 0
    assert sorted(path.name for path in folder.glob("*.txt")) == (
        [] if after == "move" else ["a.txt", "b.txt"]
    )
    drop(folder, "a.txt", b"another")
    assert inspect_source(inst, source).new == 1
    assert ingest(inst, source).registered == 1
