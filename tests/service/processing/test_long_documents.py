"""Long documents are read in pieces: nothing begins again, and nothing is read for nobody."""

from __future__ import annotations

import os
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from docduck.catalog.models import Document, DocumentEvent, ParserField
from docduck.documents.pieces import PIECE_PAGES
from docduck.errors import GivenUp
from docduck.service.core.installation import Installation
from docduck.service.documents.cancellation import cancel, cancel_orphans
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import ParserChanges, ParserView, delete_parser, update_parser
from docduck.service.processing import long_documents
from docduck.service.processing.long_documents import PieceFolder, forget_pieces
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.workers.process import WorkerProcess
from tests.conftest import MakeInstallation
from tests.documents.formats.office.files import zipped
from tests.documents.test_pieces import scan
from tests.service.core.documents import make_parser, upload
from tests.service.processing.test_pdf_splitting import batch, splitting_parser
from tests.service.processing.test_processing import invoice

PAGES = 3 * PIECE_PAGES


def pieces(inst: Installation) -> list[Path]:
    return [path for path in (inst.settings.home / "pieces").glob("*/*/*") if path.name.isdigit()]


def row(inst: Installation, document_id: str) -> Any:
    with inst.catalog.read_session() as session:
        columns = (Document.status, Document.error, Document.pages_read, Document.pages_to_read)
        return session.execute(select(*columns).where(Document.id == document_id)).one()


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, int]]:
    """The pieces that are kept: their folder and number."""
    found: list[tuple[Path, int]] = []
    keep = PieceFolder.keep

    def noted(self: PieceFolder, number: int, outputs: Path | None) -> None:
        found.append((self._folder, number))
        keep(self, number, outputs)

    monkeypatch.setattr(PieceFolder, "keep", noted)
    return found


def make_fast_parser(inst: Installation) -> ParserView:
    parser = make_parser(inst)
    changes = ParserChanges(settings={"dataExtractionMode": "fast"})
    return update_parser(inst, inst.team_id, parser.id, changes)


def test_a_long_document_is_the_same_in_pieces(
    inst: Installation, kept: list[tuple[Path, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    update_parser(
        inst, inst.team_id, parser.id, ParserChanges(settings={"markdownParsing": {"enabled": True}})
    )
    long = upload(inst, inst.team_id, parser.slug, invoice("A-7", PAGES), "long.pdf")
    process_queue(inst, RunOptions(idle_seconds=0))
    assert sorted(number for _, number in kept) == [0, 1, 2]
    found = get_document(inst, inst.team_id, long)
    assert (found.status, found.error, found.page_count) == ("processed", None, PAGES)
    assert found.data["Number"] == "A-7"
    assert not pieces(inst)
    # At once, as samples are read.
    monkeypatch.setattr(long_documents, "PieceFolder", None)
    monkeypatch.setattr("docduck.service.processing.processing.KeptPieces", lambda: None)
    again = upload(inst, inst.team_id, parser.slug, invoice("A-7", PAGES), "again.pdf")
    process_queue(inst, RunOptions(idle_seconds=0))
    whole = get_document(inst, inst.team_id, again)
    for name in ("data", "field_metadata", "warnings", "page_count", "confidence", "has_markdown"):
        assert getattr(whole, name) == getattr(found, name)


def test_a_long_document_that_is_not_divided_is_read_once_for_each_purpose(
    inst: Installation, kept: list[tuple[Path, int]]
) -> None:
    parser = splitting_parser(inst, mode="partitionKey", partitionKey="Number")
    document_id = upload(inst, inst.team_id, parser.slug, batch(*["A-1"] * PAGES), "batch.pdf")
    process_queue(inst, RunOptions(idle_seconds=0))
    found = get_document(inst, inst.team_id, document_id)
    assert (found.status, found.split, found.data["Number"]) == ("processed", None, "A-1")
    assert len(kept) == len(set(kept))
    assert {number for _, number in kept} == {0, 1, 2}


def test_a_document_that_controls_its_worker_fails_alone(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_fast_parser(inst)
    files = [(scan(PAGES), "scan.tiff"), *((zipped({f"{n}.txt": b"A-1"}), f"{n}.zip") for n in range(4))]
    ids = [upload(inst, inst.team_id, parser.slug, data, name) for data, name in files]
    move, kinds, used = (
        WorkerProcess.move_outputs,
        cycle(["link", "pipe", "folder", "nothing"]),
        Counter[str](),
    )

    def with_others(self: WorkerProcess, folder: Path) -> bool:
        has_outputs = move(self, folder)
        for path in list(folder.iterdir()) if has_outputs else ():
            path.unlink()
            used[kind := next(kinds)] += 1
            match kind:
                case "link":
                    path.symlink_to(__file__)
                case "pipe":
                    os.mkfifo(path)
                case "folder":
                    path.mkdir()
        return has_outputs

    monkeypatch.setattr(WorkerProcess, "move_outputs", with_others)
    for _ in range(1 + 5):
        assert not {row(inst, id_).status for id_ in ids} & {"failed", "processed"}
        process_queue(inst, RunOptions(idle_seconds=0))
    failed = ("failed", GivenUp().message)
    assert [(found.status, found.error) for found in (row(inst, id_) for id_ in ids)] == [failed] * 5
    assert len(used) == 4
    assert not pieces(inst)


@pytest.mark.extended
def test_a_run_goes_on_where_another_ended(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = make_fast_parser(inst)
    document_id = upload(inst, inst.team_id, parser.slug, scan(PAGES), "scan.tiff")
    process_queue(inst, RunOptions(idle_seconds=0, stop=lambda: bool(pieces(inst))))
    waiting = row(inst, document_id)
    assert waiting.status == "queued"
    before = {path: path.stat().st_mtime_ns for path in pieces(inst)}
    assert before
    process_queue(inst, RunOptions(idle_seconds=0, stop=lambda: len(pieces(inst)) == 3))
    after = {path: path.stat().st_mtime_ns for path in pieces(inst)}
    assert after.items() >= before.items()
    process_queue(inst, RunOptions(idle_seconds=0))
    assert row(inst, document_id).status == "processed"
    assert not pieces(inst)


@pytest.mark.extended
def test_progress_is_recorded(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = make_fast_parser(inst)
    document_id = upload(inst, inst.team_id, parser.slug, scan(PAGES), "scan.tiff")
    seen: set[tuple[int | None, int | None]] = set()

    def look() -> bool:
        found = row(inst, document_id)
        seen.add((found.pages_read, found.pages_to_read))
        return False

    process_queue(inst, RunOptions(idle_seconds=0, stop=look))
    assert {total for _, total in seen} == {None, PAGES}
    assert any(0 < (read or 0) < PAGES for read, _ in seen)


@pytest.mark.parametrize("how", ["deleted", "cancelled", "parser"])
def test_nothing_goes_on_for_a_document_that_nobody_wants(
    make_installation: MakeInstallation, how: str
) -> None:
    inst = make_installation(heartbeat_seconds=0.2)
    parser = make_fast_parser(inst)
    document_id = upload(inst, inst.team_id, parser.slug, scan(20 * PIECE_PAGES), "scan.tiff")
    done: list[float] = []

    def stop() -> bool:
        if not done and pieces(inst):
            match how:
                case "deleted":
                    delete_documents(inst, inst.team_id, [document_id])
                case "cancelled":
                    cancel(inst, inst.team_id, [document_id])
                case _:
                    delete_parser(inst, inst.team_id, parser.id)
                    cancel_orphans(inst)
            done.append(time.monotonic())
        return False

    process_queue(inst, RunOptions(idle_seconds=0, stop=stop))
    assert time.monotonic() - done[0] < 10
    assert not pieces(inst)
    if how != "deleted":
        found = row(inst, document_id)
        assert (found.status, found.error) == ("failed", "Cancelled")


def test_long_documents_of_two_parsers_take_turns(inst: Installation, kept: list[tuple[Path, int]]) -> None:
    one, other = make_parser(inst), make_parser(inst, "Other")
    first = upload(inst, inst.team_id, one.slug, invoice("A-1", 30 * PIECE_PAGES), "1.pdf")
    second = upload(inst, inst.team_id, other.slug, invoice("A-2", 2 * PIECE_PAGES), "2.pdf")
    process_queue(inst, RunOptions(idle_seconds=0))
    order = [folder.parent.name for folder, _ in kept]
    # Turns are shares of time, so that where the short one comes in depends on the machine.
    assert order[-1] == first
    assert order.count(second) == 2
    assert order.count(first) == 30
    with inst.catalog.read_session() as session:
        attempts = session.scalars(select(Document.attempt)).all()
        events = session.scalars(select(DocumentEvent.event)).all()
    assert set(attempts) == {1}
    assert "set_aside" not in events


def test_pieces_of_documents_that_are_gone_are_deleted(inst: Installation) -> None:
    left = inst.settings.home / "pieces" / "0192f0c1-2b4e-7c3a-9d5e-6f7a8b9c0d1e" / "key"
    left.mkdir(parents=True)
    forget_pieces(inst)
    assert not left.exists()


def test_slow_documents_of_a_broken_parser_wait_without_holding_up_the_run(inst: Installation) -> None:
    parser, other = make_parser(inst), make_parser(inst, "Other")
    waiting = upload(inst, inst.team_id, parser.slug, b"Number: A-1", "1.txt")
    done = upload(inst, inst.team_id, other.slug, b"Number: A-2", "2.txt")
    with inst.catalog.transaction() as session:
        session.execute(update(Document).values(slow=True))
        broken = update(ParserField).where(ParserField.parser_id == parser.id)
        session.execute(broken.values(labels={"damaged": True}))
    process_queue(inst, RunOptions(idle_seconds=0))
    assert (row(inst, waiting).status, row(inst, done).status) == ("queued", "processed")
