"""Bucket sources: objects of a server that speaks S3."""

from __future__ import annotations

from typing import Any

import obstore
import pytest
from obstore.store import S3Store

from docduck.service.core.installation import Installation
from docduck.service.sources.intake import ingest, inspect_source
from docduck.service.sources.remote_sources import RemoteSource
from tests.conftest import MakeInstallation
from tests.object_store import new_bucket, paths, server
from tests.service.sources.intake_world import (
    assert_files_match,
    documents,
    invoices,
    ledger_of,
    objects_of,
    pass_time,
    rows,
)

__all__ = ["server"]


@pytest.fixture
def bucket(server: str) -> S3Store:
    """A new bucket with some objects."""
    store = new_bucket(server)
    for path, data in (("in/a.txt", b"one"), ("in/deep/b.TXT", b"two"), ("in/c.log", b"no"), ("x.txt", b"x")):
        obstore.put(store, path, data)
    return store


def source(server: str, store: S3Store, **more: Any) -> RemoteSource:
    return objects_of(server, store, "/in", **more)


def test_objects_are_taken_in_once(
    inst: Installation, server: str, bucket: S3Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    store = source(server, bucket, pattern="*.txt")
    assert inspect_source(inst, store).new == 2
    assert ingest(inst, store).registered == 2
    first, _ = rows(inst)
    assert (first.name, first.source) == ("a.txt", "folder")
    assert first.source_detail == {"source": "store", "bucket": store.place, "path": "a.txt"}
    pass_time(monkeypatch)
    assert inspect_source(inst, store).new == 0
    obstore.put(bucket, "in/a.txt", b"another")
    pass_time(monkeypatch)
    assert ingest(inst, store).registered == 1, "a new content is a new document"
    assert documents(inst) == ["a.txt", "a.txt", "b.TXT"]
    assert_files_match(inst)


def test_what_is_excluded_deeper_or_too_large_is_left(
    make_installation: MakeInstallation, server: str, bucket: S3Store
) -> None:
    inst = make_installation(max_file_bytes=10)
    invoices(inst)
    assert ingest(inst, source(server, bucket, exclude="*.txt")).registered == 1
    assert documents(inst) == ["c.log"]
    assert ingest(inst, source(server, bucket, name="flat", recursive=False)).registered == 1
    obstore.put(bucket, "in/large.txt", b"x" * 11)
    report = ingest(inst, source(server, bucket, name="large", pattern="large*"))
    assert (report.registered, report.refused) == (0, 1)
    assert any("more than the 10 allowed" in known.message for known in ledger_of(inst).values())


@pytest.mark.parametrize("after", ["move", "delete"])
def test_objects_are_moved_or_deleted_once_they_are_documents(
    inst: Installation, server: str, bucket: S3Store, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    more = {"move_to": "done"} if after == "move" else {}
    store = source(server, bucket, after=after, **more)
    assert ingest(inst, store).registered == 3
    moved = ["in/done/a.txt", "in/done/c.log", "in/done/deep/b.TXT"] if after == "move" else []
    assert paths(bucket) == [*moved, "x.txt"]
    pass_time(monkeypatch)
    assert ingest(inst, store).registered == 0
