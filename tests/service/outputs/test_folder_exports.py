"""Exports to folders: what they hold, what they are called, and that nothing is lost or doubled."""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from sqlalchemy import func, select, update

from docduck import clock
from docduck.catalog.models import Document, Export, ExportedDocument
from docduck.errors import Conflict, InputError, NotFound
from docduck.exports import Format
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.reprocessing import reprocess_document
from docduck.service.outputs import folder_exports
from docduck.service.outputs.exporting import ExportRequest, write_export
from docduck.service.outputs.file_exports import export_to_store
from docduck.service.outputs.folder_exports import ExportView, export_by_spec, export_to_folder
from docduck.service.outputs.selection import Selection
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.upkeep.expired_rows import KEEP_EXPORTS_DAYS, delete_expired_rows
from docduck.service.upkeep.housekeeping import sweep
from tests.service.core.documents import add, complete, make_parser
from tests.service.core.people import make_team


def done(inst: Installation, parser: ParserView, count: int = 1, **values: Any) -> list[str]:
    ids = add(inst, parser, count, prefix=os.urandom(4).hex())
    complete(inst, parser, **values)
    return ids


def export(inst: Installation, parser: ParserView, **more: Any) -> ExportView:
    request = more.pop("request", ExportRequest())
    return export_to_folder(inst, parser.team_id, parser.id, request, **more)


def selected(inst: Installation, parser: ParserView, **selection: Any) -> list[str]:
    view = export(inst, parser, request=ExportRequest(selection=Selection(**selection)))
    return ids_in(view.path)


def ids_in(path: Path | None) -> list[str]:
    assert path is not None
    return [one["document"]["id"] for one in json.loads(path.read_text())]


def set_status(inst: Installation, document_id: str, status: str) -> None:
    with inst.catalog.transaction() as session:
        row = session.get(Document, document_id)
        assert row is not None
        row.status = status


def test_what_is_done_is_exported_oldest_first(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    ids = done(any_inst, parser, 3)
    add(any_inst, parser, 1, prefix="queued")
    set_status(any_inst, ids[1], "in_review")
    view = export(any_inst, parser)
    assert ids_in(view.path) == [ids[0], ids[2]]
    assert (view.document_count, view.row_count, view.skipped, view.warnings) == (2, 2, (), ())


def test_ids_and_external_ids_are_joined_and_filters_narrow_them(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    first, second = done(any_inst, parser, 2, number="A-1", total=5.0)
    (third,) = done(any_inst, parser, number="B-1", total=50.0)
    with any_inst.catalog.transaction() as session:
        row = session.get(Document, third)
        assert row is not None
        row.external_id = "X"
    assert selected(any_inst, parser, document_ids=[second.upper(), second]) == [second]
    assert selected(any_inst, parser, document_ids=[second], external_ids=["X"]) == [second, third]
    above = [{"field": "Total", "operator": ">", "value": 10}]
    assert selected(any_inst, parser, filters=above) == [third]
    assert selected(any_inst, parser, document_ids=[first, second], external_ids=["X"], filters=above) == [
        third
    ]
    words = [
        {"field": "Number", "operator": "starts_with", "value": "a"},
        {"field": "Line Items.Amount", "operator": "equals", "value": 1},
    ]
    assert selected(any_inst, parser, filters=words) == [first, second]
    unindexed = [{"field": "Number", "operator": "matches_regex", "value": "^B"}]
    assert selected(any_inst, parser, filters=unindexed) == [third]


def test_a_filter_on_the_status_selects_from_those_that_are_done(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    processed, reviewed, rejected = done(any_inst, parser, 3)
    set_status(any_inst, reviewed, "in_review")
    set_status(any_inst, rejected, "rejected")
    filters = [{"field": "$status", "operator": "in", "value": ["in_review", "rejected", "processed"]}]
    assert selected(any_inst, parser, filters=filters) == [processed]
    assert selected(any_inst, parser, filters=filters, document_ids=[reviewed]) == [reviewed]
    view = export(
        any_inst, parser, request=ExportRequest(selection=Selection([rejected, reviewed, processed]))
    )
    assert ids_in(view.path) == [processed, reviewed]
    assert view.skipped == (rejected,)


def test_documents_without_values_are_skipped(inst: Installation) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser, 2)
    view = export(inst, parser, request=ExportRequest(selection=Selection(ids)))
    assert (view.document_count, view.skipped) == (0, tuple(ids))
    assert ids_in(view.path) == []


def test_what_is_unknown_is_told(any_inst: Installation) -> None:
    parser, other = make_parser(any_inst), make_parser(any_inst, "Other")
    (mine,), (theirs,) = done(any_inst, parser), done(any_inst, other)
    stranger = make_team(any_inst, "Strangers")
    missing = "00000000-0000-0000-0000-000000000000"
    with pytest.raises(NotFound) as caught:
        selected(any_inst, parser, document_ids=[mine, missing, "x"], external_ids=["nope"])
    assert caught.value.missing == (("documentId", missing), ("documentId", "x"), ("externalId", "nope"))
    with pytest.raises(InputError, match="Parser ID mismatch"):
        selected(any_inst, parser, document_ids=[theirs])
    with pytest.raises(InputError, match="Unknown field: Sum"):
        selected(any_inst, parser, filters=[{"field": "Sum", "operator": "exists"}])
    with pytest.raises(InputError, match="documentIds must not be empty"):
        selected(any_inst, parser, document_ids=[])
    with pytest.raises(NotFound, match="Parser not found"):
        export_to_folder(any_inst, stranger, parser.id)


def test_names_of_files(inst: Installation, tmp_path: Path) -> None:
    parser = make_parser(inst)
    done(inst, parser)
    first = export(inst, parser, folder=tmp_path / "out", file="{parser} {format} {date}")
    assert first.file_name is not None
    assert first.file_name[:14] == "invoices json "
    second = export(inst, parser, folder=tmp_path / "out", file="{parser} {format} {date}")
    assert second.file_name == first.file_name.replace(".json", "-2.json")
    for _ in range(2):
        last = export(inst, parser, folder=tmp_path / "out", file="latest")
        assert last.path == tmp_path / "out" / "latest.json"
    assert len(list((tmp_path / "out").iterdir())) == 3
    for wrong in ("../x", "{year}", "{", " ", "a/b", "{parser.slug}"):
        with pytest.raises(InputError):
            export(inst, parser, file=wrong)


def test_an_incremental_export_has_each_document_once(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    first = done(any_inst, parser, 2)
    assert ids_in(export(any_inst, parser, increment="nightly").path) == first
    nothing = export(any_inst, parser, increment="nightly")
    assert (nothing.path, nothing.file_name, nothing.document_count) == (None, None, 0)
    second = done(any_inst, parser)
    assert ids_in(export(any_inst, parser, increment="nightly").path) == second
    assert len(ids_in(export(any_inst, parser, increment="another").path)) == 3
    reprocess_document(any_inst, parser.team_id, parser.id, first[0])
    complete(any_inst, parser)
    assert export(any_inst, parser, increment="nightly").path is None
    delete_documents(any_inst, parser.team_id, [first[0]])
    with any_inst.catalog.read_session() as session:
        assert session.scalar(select(func.count()).select_from(ExportedDocument)) == 4


def test_documents_that_are_done_while_an_export_is_written_are_in_the_next(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(any_inst)
    done(any_inst, parser, 5)
    late: list[str] = []

    def slowly(*arguments: Any, **more: Any) -> Any:
        result = write_export(*arguments, **more)
        late.extend(done(any_inst, parser, 2))
        return result

    monkeypatch.setattr(folder_exports, "write_export", slowly)
    view = export(any_inst, parser, increment="n")
    monkeypatch.undo()
    assert view.document_count == 5
    assert ids_in(export(any_inst, parser, increment="n").path) == late


def test_two_incremental_exports_of_one_name_do_not_double_documents(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    ids = done(any_inst, parser, 4)
    found: list[str] = []
    barrier = threading.Barrier(3)

    def run() -> None:
        barrier.wait()
        try:
            view = export(any_inst, parser, increment="n")
        except Conflict:
            return
        found.extend(ids_in(view.path) if view.path else [])

    threads = [threading.Thread(target=run) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(found) == sorted(ids)
    assert not list((any_inst.settings.exports / "invoices").glob(".*"))


KILLED = """
import os, signal, sys
from docduck.service.core.installation import open_installation
from docduck.service.outputs import folder_exports
from docduck.settings import Settings
home, parser_id, place = sys.argv[1:]
inst = open_installation(Settings(home=home))
inner = getattr(folder_exports, place)
def killed(*arguments, **more):
    if place == "place":
        inner(*arguments, **more)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(folder_exports, place, killed)
folder_exports.export_to_folder(inst, inst.team_id, parser_id, increment="n")
"""


@pytest.mark.slow
@pytest.mark.parametrize("place", ["record_documents", "_place_recorded", "place", "flush_folder"])
def test_a_killed_export_loses_and_doubles_nothing(inst: Installation, place: str) -> None:
    parser = make_parser(inst)
    ids = done(inst, parser, 3)
    arguments = [str(inst.settings.home), parser.id, place]
    run = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert run.returncode == -signal.SIGKILL
    more = done(inst, parser, 2)
    export(inst, parser, increment="n")
    files = sorted((inst.settings.exports / "invoices").glob("*.json"))
    assert sorted(one for path in files for one in ids_in(path)) == sorted(ids + more)
    with inst.catalog.read_session() as session:
        assert session.scalars(select(Export.part).where(Export.part.is_not(None))).all() == []


def test_what_a_killed_export_has_left_is_removed(inst: Installation, tmp_path: Path) -> None:
    parser = make_parser(inst)
    done(inst, parser)
    export(inst, parser, folder=tmp_path, file="a")
    old, new, recorded = (tmp_path / f".export-{name}" for name in ("old", "new", "recorded"))
    with inst.catalog.transaction() as session:
        session.execute(update(Export).values(part=str(recorded)))
    for part in (old, new, recorded):
        part.write_bytes(b"half")
        if part is not new:
            os.utime(part, (0, 0))
    export(inst, parser, folder=tmp_path, file="b")
    assert (old.exists(), new.exists(), recorded.exists()) == (False, True, True)


def age_exports(inst: Installation, **conditions: Any) -> None:
    with inst.catalog.transaction() as session:
        long_ago = clock.now() - dt.timedelta(days=KEEP_EXPORTS_DAYS + 1)
        session.execute(update(Export).filter_by(**conditions).values(created_at=long_ago))


def test_old_records_are_deleted_and_what_was_exported_is_still_known(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    had = done(any_inst, parser, 3)
    assert sorted(ids_in(export(any_inst, parser, increment="n").path)) == sorted(had)
    export(any_inst, parser)
    age_exports(any_inst)
    export(any_inst, parser, file="young")
    sweep(any_inst)
    with any_inst.catalog.read_session() as session:
        assert session.scalars(select(Export.file_name)).all() == ["young.json"]
    assert export(any_inst, parser, increment="n").path is None
    more = done(any_inst, parser, 2)
    assert sorted(ids_in(export(any_inst, parser, increment="n").path)) == sorted(more)


def test_records_of_files_that_are_kept_or_unfinished_stay(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    done(any_inst, parser)
    export_to_store(any_inst, parser.team_id, parser.id, ExportRequest())
    left = export(any_inst, parser, increment="n").path
    with any_inst.catalog.transaction() as session:
        session.execute(update(Export).filter_by(name="n").values(part=str(left)))
    age_exports(any_inst)
    assert delete_expired_rows(any_inst)["exports"] == 0
    with any_inst.catalog.transaction() as session:
        session.execute(update(Export).values(sha256=None, part=None))
    assert delete_expired_rows(any_inst)["exports"] == 2


class FullDisk:
    """A file on a disk that is full after ``room`` bytes."""

    def __init__(self, file: BinaryIO, room: int) -> None:
        self._file, self._room = file, room

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, data: Any) -> int:
        self._room -= len(data)
        if self._room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._file.write(data)


@pytest.mark.parametrize("format", list(Format))
@pytest.mark.parametrize("increment", [None, "n"])
def test_a_full_disk_leaves_no_file(
    inst: Installation, monkeypatch: pytest.MonkeyPatch, format: Format, increment: str | None
) -> None:
    parser = make_parser(inst)
    done(inst, parser, 2, rows=200)
    with monkeypatch.context() as patch:
        patch.setattr(
            folder_exports,
            "write_export",
            lambda inst, target, *rest, **more: write_export(inst, FullDisk(target, 2_000), *rest, **more),  # type: ignore[arg-type]
        )
        with pytest.raises(OSError, match="No space left"):
            export(inst, parser, request=ExportRequest(format), increment=increment)
    assert list((inst.settings.exports / "invoices").iterdir()) == []
    view = export(inst, parser, request=ExportRequest(format), increment=increment)
    assert view.document_count == 2


def test_an_export_of_the_pipeline_file(inst: Installation, tmp_path: Path) -> None:
    parser = make_parser(inst)
    done(inst, parser, 2, number="A")
    done(inst, parser, number="B")
    spec = ExportSpec(
        name="Nightly",
        parser="invoices",
        format="json",
        filters=({"field": "Number", "operator": "equals", "value": "A"},),
        only_new=True,
        folder=tmp_path / "out",
        file="{export}-{parser}-{date}",
        after="each run",
    )
    view = export_by_spec(inst, parser.team_id, parser.id, spec)
    assert view.document_count == 2
    assert view.path is not None
    assert view.path.name.startswith("Nightly-invoices-")
    assert export_by_spec(inst, parser.team_id, parser.id, spec).path is None
    whole = spec.model_copy(update={"only_new": False, "file": "{export}"})
    assert export_by_spec(inst, parser.team_id, parser.id, whole).path == tmp_path / "out" / "Nightly.json"


def test_a_file_needs_a_date_if_it_has_only_what_is_new(inst: Installation) -> None:
    with pytest.raises(InputError, match=r"needs \{date\} or \{time\}"):
        export(inst, make_parser(inst), increment="n", file="latest")
