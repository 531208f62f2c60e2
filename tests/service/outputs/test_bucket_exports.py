"""Exports of the pipeline file to a bucket of a server that speaks S3."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from functools import partial
from typing import Any

import obstore
import pytest
from obstore.store import S3Store
from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import Export
from docduck.errors import Transient
from docduck.outbound.object_store import Bucket
from docduck.service.core.installation import Installation
from docduck.service.outputs.folder_exports import ExportView, export_by_spec
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.export_specs import ExportSpec
from tests.object_store import KEYS, bucket, paths, server
from tests.service.core.at_once import at_once
from tests.service.core.documents import add, add_read, complete, make_parser, read_document

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
    parser, _ = read_document(inst)
    more: Any = {"only_new": True, "file": "{parser}-{date}-{time}"}
    with pytest.raises(Transient, match="can't be written to s3://there-is-none"):
        write(inst, parser, server, "s3://there-is-none/out", **more)
    assert write(inst, parser, server, place(bucket), **more).document_count == 0
    (path,) = paths(bucket)
    assert len(json.loads(bytes(obstore.get(bucket, path).bytes()))) == 1
    # An export tells its own file, not one that was left.
    with pytest.raises(Transient):
        write(inst, parser, server, "s3://there-is-none/out", file="z")
    view = write(inst, parser, server, place(bucket), file="a")
    assert paths(bucket) == ["out/a.json", path, "out/z.json"]
    assert view.uri == f"{place(bucket)}/a.json"


def test_a_name_that_is_in_the_bucket_gets_a_number(inst: Installation, server: str, bucket: S3Store) -> None:
    parser = make_parser(inst)
    for number in range(3):
        add_read(inst, parser, str(number))
        for name, only_new in (("all", False), ("new", True)):
            write(inst, parser, server, f"{place(bucket)}/", file=f"{name}-{{date}}", only_new=only_new)
    days = [f"out/{name}-{clock.now():%Y%m%d}" for name in ("all", "new")]
    assert paths(bucket) == [f"{day}{end}.json" for day in days for end in ("-2", "-3", "")]


def test_exports_of_one_name_take_turns(
    inst: Installation, server: str, bucket: S3Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser, _ = read_document(inst)
    upload, both = Bucket.write, threading.Barrier(2)

    def slowly(self: Bucket, name: str, content: Any) -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(1)
        upload(self, name, content)

    monkeypatch.setattr(Bucket, "write", slowly)

    views = at_once(*[partial(write, inst, parser, server, place(bucket), file="latest")] * 2)
    assert [view.uri for view in views] == [f"{place(bucket)}/latest.json"] * 2
