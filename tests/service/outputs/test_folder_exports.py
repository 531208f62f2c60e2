"""Exports to folders: what they hold, what they are called, and that nothing is lost or doubled."""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from sqlalchemy import select, update

from docduck import clock
from docduck.catalog.models import Export, ExportedDocument
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
from tests.exports.cells import CELLS, read_cell
from tests.service.core.at_once import at_once
from tests.service.core.catalog import count
from tests.service.core.documents import add, complete, make_parser, set_document
from tests.service.core.people import make_team
from tests.service.outputs.world import expected, make_world


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


def test_ids_and_external_ids_are_joined_and_filters_narrow_them(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    first, second = done(any_inst, parser, 2, number="A-1", total=5.0)
    (third,) = done(any_inst, parser, number="B-1", total=50.0)
    set_document(any_inst, third, external_id="X")
    assert selected(any_inst, parser, document_ids=[second.upper(), second]) == [second]
    assert selected(any_inst, parser, document_ids=[second], external_ids=["X"]) == [second, third]
    above = [{"field": "Total", "operator": ">", "value": 10}]
    assert selected(any_inst, parser, filters=above) == [third]
    named: Any = {"document_ids": [first, second], "external_ids": ["X"]}
    assert selected(any_inst, parser, filters=above, **named) == [third]
    words = [
        {"field": "Number", "operator": "starts_with", "value": "a"},
        {"field": "Line Items.Amount", "operator": "equals", "value": 1},
    ]
    assert selected(any_inst, parser, filters=words) == [first, second]
    unindexed = [{"field": "Number", "operator": "matches_regex", "value": "^B"}]
    assert selected(any_inst, parser, filters=unindexed) == [third]


def test_what_is_done_is_exported_oldest_first_and_more_on_request(inst: Installation) -> None:
    parser = make_parser(inst)
    processed, reviewed, rejected, latest = done(inst, parser, 4)
    queued = add(inst, parser, 2, prefix="queued")
    set_document(inst, reviewed, status="in_review")
    set_document(inst, rejected, status="rejected")
    view = export(inst, parser)
    assert ids_in(view.path) == [processed, latest]
    assert (view.document_count, view.row_count, view.skipped, view.warnings) == (2, 2, (), ())
    filters = [{"field": "$status", "operator": "in", "value": ["in_review", "rejected", "processed"]}]
    assert selected(inst, parser, filters=filters) == [processed, latest]
    assert selected(inst, parser, filters=filters, document_ids=[reviewed]) == [reviewed]
    for chosen, written, skipped in (
        ([rejected, reviewed, processed], [processed, reviewed], (rejected,)),
        (queued, [], tuple(queued)),
    ):
        view = export(inst, parser, request=ExportRequest(selection=Selection(chosen)))
        assert (ids_in(view.path), view.skipped, view.document_count) == (written, skipped, len(written))


def test_what_is_unknown_is_told(inst: Installation) -> None:
    parser, other = make_parser(inst), make_parser(inst, "Other")
    (mine,), (theirs,) = done(inst, parser), done(inst, other)
    missing = "00000000-0000-0000-0000-000000000000"
    with pytest.raises(NotFound) as caught:
        selected(inst, parser, document_ids=[mine, missing, "x"], external_ids=["nope"])
    assert caught.value.missing == (("documentId", missing), ("documentId", "x"), ("externalId", "nope"))
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"document_ids": [theirs]}, "Parser ID mismatch"),
        ({"filters": [{"field": "Sum", "operator": "exists"}]}, "Unknown field: Sum"),
        ({"document_ids": []}, "documentIds must not be empty"),
    ]
    for selection, message in wrong:
        with pytest.raises(InputError, match=message):
            selected(inst, parser, **selection)
    with pytest.raises(NotFound, match="Parser not found"):
        export_to_folder(inst, make_team(inst, "Strangers"), parser.id)
    with pytest.raises(InputError, match=r"needs \{date\} or \{time\}"):
        export(inst, parser, increment="n", file="latest")


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
    assert count(any_inst, ExportedDocument) == 4


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
    views = at_once(*[partial(export, any_inst, parser, increment="n")] * 3)
    written = [one for one in views if not isinstance(one, Conflict)]
    found = [document_id for one in written if one.path for document_id in ids_in(one.path)]
    assert sorted(found) == sorted(ids)
    assert not list((any_inst.settings.exports / "invoices").glob(".*"))


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
    delete_expired_rows(any_inst)
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


def test_a_full_disk_leaves_no_file(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = make_parser(inst)
    done(inst, parser, 2, rows=200)
    folder = inst.settings.exports / "invoices"

    def full(inst: Installation, target: Any, *rest: Any, **more: Any) -> Any:
        disk: Any = FullDisk(target, 2_000)
        return write_export(inst, disk, *rest, **more)

    for format, increment in product(Format, (None, "n")):
        name = increment and f"{increment} {format}"
        ask = partial(export, inst, parser, request=ExportRequest(format), increment=name)
        before = set(folder.iterdir()) if folder.exists() else set()
        with monkeypatch.context() as patch:
            patch.setattr(folder_exports, "write_export", full)
            with pytest.raises(OSError, match="No space left"):
                ask()
        assert set(folder.iterdir()) == before
        assert ask().document_count == 2


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


def test_every_cell_by_the_service(any_inst: Installation) -> None:
    parser, ids = make_world(any_inst)
    for format, scope in CELLS:
        table = "Line Items" if scope == "table" else None
        view = export_to_folder(any_inst, parser.team_id, parser.id, ExportRequest(format, scope, table))
        assert view.path is not None
        found = read_cell(format, scope, view.path.read_bytes())
        assert found == expected(format, scope, ids), (format, scope)
        with pytest.raises(InputError, match="tableName is required, as the parser has 2 tables"):
            export_to_folder(any_inst, parser.team_id, parser.id, ExportRequest(format, "table"))
