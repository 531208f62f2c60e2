"""Exports of the pipeline file to a bucket of a server that speaks S3."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import obstore
import pytest
from obstore.store import S3Store
from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import Export
from docduck.errors import InputError, Transient
from docduck.outbound.object_store import Bucket
from docduck.service.core.installation import Installation
from docduck.service.outputs.folder_exports import ExportView, export_by_spec
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.pipeline.pipeline_spec import load_pipeline
from tests.object_store import KEYS, bucket, paths, server
from tests.service.core.documents import add, complete, make_parser

__all__ = ["bucket", "server"]


def place(bucket: S3Store) -> str:
    return f"s3://{bucket.config['bucket']}/out"


def write(inst: Installation, parser: ParserView, server: str, url: str, **more: Any) -> ExportView:
    given = {"name": "partners", "parser": parser.slug, "format": "json", "after": "each run", **more}
    spec = ExportSpec.model_validate({**given, "bucket": url, "endpoint": server, **KEYS})
    return export_by_spec(inst, parser.team_id, parser.id, spec)


def test_a_file_is_in_the_bucket_and_nowhere_else(inst: Installation, server: str, bucket: S3Store) -> None:
    parser = make_parser(inst)
    add(inst, parser, 2)
    complete(inst, parser)
    view = write(inst, parser, server, place(bucket), file="{parser}")
    assert (view.document_count, view.path, view.uri) == (2, None, f"{place(bucket)}/invoices.json")
    assert paths(bucket) == ["out/invoices.json"]
    content = bytes(obstore.get(bucket, "out/invoices.json").bytes())
    assert len(json.loads(content)) == 2
    assert [path for path in inst.settings.exports.rglob("*") if path.is_file()] == []
    with inst.catalog.read_session() as session:
        assert session.scalars(select(Export.location)).all() == [view.uri]


def test_a_file_that_can_not_be_uploaded_is_with_the_next(
    inst: Installation, server: str, bucket: S3Store
) -> None:
    parser = make_parser(inst)
    add(inst, parser)
    complete(inst, parser)
    more: Any = {"only_new": True, "file": "{parser}-{date}-{time}"}
    with pytest.raises(Transient, match="can't be written to s3://there-is-none"):
        write(inst, parser, server, "s3://there-is-none/out", **more)
    assert write(inst, parser, server, place(bucket), **more).document_count == 0
    (path,) = paths(bucket)
    assert len(json.loads(bytes(obstore.get(bucket, path).bytes()))) == 1


def test_an_export_tells_its_own_file_not_one_that_was_left(
    inst: Installation, server: str, bucket: S3Store
) -> None:
    parser = make_parser(inst)
    add(inst, parser)
    complete(inst, parser)
    with pytest.raises(Transient):
        write(inst, parser, server, "s3://there-is-none/out", file="z")
    view = write(inst, parser, server, place(bucket), file="a")
    assert paths(bucket) == ["out/a.json", "out/z.json"]
    assert view.uri == f"{place(bucket)}/a.json"


@pytest.mark.parametrize("only_new", [True, False])
def test_a_name_that_is_in_the_bucket_gets_a_number(
    inst: Installation, server: str, bucket: S3Store, only_new: bool
) -> None:
    parser = make_parser(inst)
    for number in range(3):
        add(inst, parser, prefix=str(number))
        complete(inst, parser)
        write(inst, parser, server, f"{place(bucket)}/", file="all-{date}", only_new=only_new)
    day = f"out/all-{clock.now():%Y%m%d}"
    assert paths(bucket) == [f"{day}-2.json", f"{day}-3.json", f"{day}.json"]


def test_exports_of_one_name_take_turns(
    inst: Installation, server: str, bucket: S3Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    add(inst, parser)
    complete(inst, parser)
    upload, views, both = Bucket.write, [], threading.Barrier(2)

    def slowly(self: Bucket, name: str, content: Any) -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(1)
        upload(self, name, content)

    monkeypatch.setattr(Bucket, "write", slowly)

    def run() -> None:
        views.append(write(inst, parser, server, place(bucket), file="latest"))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [view.uri for view in views] == [f"{place(bucket)}/latest.json"] * 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("folder: out, bucket: 's3://b'", "needs either folder or bucket"),
        ("endpoint: 'http://s'", "endpoint is for a bucket only"),
        ("bucket: 'ftp://b'", "bucket must be s3://bucket/prefix"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "pipeline.yaml"
    file.write_text(f"exports:\n- {{name: a, parser: p, format: csv, after: each run, {text}}}\n")
    with pytest.raises(InputError) as caught:
        load_pipeline(file)
    assert f"pipeline.yaml:2: exports[0]: {words}" in caught.value.message
