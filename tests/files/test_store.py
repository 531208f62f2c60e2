from __future__ import annotations

import hashlib
import io
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from docduck.files import FileTooLarge, Stored
from docduck.files.local_files import LocalFiles


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_same_bytes_stand_once(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    first, second = store.put_bytes(b"duck"), store.put(io.BytesIO(b"duck"))
    assert first == second
    assert first.sha256 == hashlib.sha256(b"duck").hexdigest()
    assert first.size == 4
    assert [path.read_bytes() for path in files(tmp_path)] == [b"duck"]
    assert list(store.hashes()) == [first.sha256]


def test_a_batch_is_there_when_it_is_over(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    old = store.put_bytes(b"old")
    with store.batch() as batch:
        stored = [batch.add(io.BytesIO(data)) for data in (b"one", b"two", b"one", b"old")]
        with pytest.raises(FileTooLarge):
            batch.add(io.BytesIO(b"far too large"), limit=3)
        assert len(files(tmp_path / "incoming")) == 2, "those that are needed, once each"
        assert list(store.hashes()) == [old.sha256]
    assert [store.path(one.sha256).read_bytes() for one in stored] == [b"one", b"two", b"one", b"old"]
    assert len(files(tmp_path)) == 3


def test_a_batch_that_breaks_leaves_nothing(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    with pytest.raises(ZeroDivisionError), store.batch() as batch:
        batch.add(io.BytesIO(b"one"))
        raise ZeroDivisionError
    assert not files(tmp_path)


def test_a_batch_that_is_dropped_leaves_nothing(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    batch = store.batch()
    batch.add(io.BytesIO(b"one"))
    unfinished = batch.begin()
    batch.drop()
    assert not files(tmp_path)
    with pytest.raises(ValueError):
        unfinished.write(b"two")


def test_files_of_a_batch_are_written_piece_by_piece_in_threads_of_their_own(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    contents = [os.urandom(200_000) for _ in range(6)] + [b"same" * 50_000] * 3

    def write(data: bytes) -> Stored:
        incoming = batch.begin(200_000)
        for start in range(0, len(data), 7_001):
            incoming.write(data[start : start + 7_001])
        return incoming.finish()

    with store.batch() as batch, ThreadPoolExecutor(len(contents)) as threads:
        stored = list(threads.map(write, contents))
        assert list(store.hashes()) == []
        assert len(files(tmp_path / "incoming")) == 7, "the same bytes once"
    assert [store.path(one.sha256).read_bytes() for one in stored] == contents
    assert [one.size for one in stored] == [200_000] * 9
    assert len(files(tmp_path)) == 7


def test_a_piece_too_much_aborts_the_file_and_leaves_the_batch(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    with store.batch() as batch:
        kept, large = batch.begin(10), batch.begin(10)
        kept.write(b"0123456789")
        large.write(b"0123456789")
        with pytest.raises(FileTooLarge):
            large.write(b"0")
        for refused in (lambda: large.write(b""), large.finish):
            with pytest.raises(ValueError, match="finished or aborted"):
                refused()
        assert len(files(tmp_path)) == 1
        stored = kept.finish()
        kept.abort()
        with pytest.raises(ValueError, match="finished or aborted"):
            kept.finish()
    assert files(tmp_path) == [store.path(stored.sha256)]


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_unfinished_when_its_batch_ends_is_aborted(tmp_path: Path, fails: bool) -> None:
    store = LocalFiles(tmp_path)
    with suppress(ZeroDivisionError), store.batch() as batch:
        unfinished = batch.begin()
        unfinished.write(b"half")
        if fails:
            raise ZeroDivisionError
    assert not files(tmp_path)
    with pytest.raises(ValueError, match="finished or aborted"):
        unfinished.write(b"the rest")
    with pytest.raises(ValueError, match="batch is over"):
        batch.begin()
    assert not files(tmp_path)


def test_bytes_are_synced_before_they_are_in_place_and_their_folders_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LocalFiles(tmp_path / "store")
    calls: list[tuple[str, int]] = []

    def fsync(descriptor: int, real: Callable[[int], None] = os.fsync) -> None:
        calls.append(("sync", os.fstat(descriptor).st_ino))
        real(descriptor)

    def rename(old: str, new: str, real: Callable[[str, str], None] = os.rename) -> None:
        real(old, new)
        calls.append(("rename", Path(new).stat().st_ino))

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "rename", rename)
    with store.batch() as batch:
        hashes = [batch.add(io.BytesIO(b"%d" % number)).sha256 for number in range(40)]
    paths = [store.path(one) for one in hashes]
    for path in paths:
        file, folder = path.stat().st_ino, path.parent.stat().st_ino
        assert calls.index(("sync", file)) < calls.index(("rename", file)) < calls.index(("sync", folder))
    new_folders = {path.parent for path in paths}
    assert len(calls) == 40 + 40 + len(new_folders) + 1, "each folder once, and the one that holds them"
    calls.clear()
    store.put_bytes(b"7")
    assert calls == [("sync", paths[7].parent.stat().st_ino)], "another writer's rename may not be synced yet"


def test_what_is_too_large_leaves_nothing(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    with pytest.raises(FileTooLarge):
        store.put(io.BytesIO(b"x" * 11), limit=10)
    assert not files(tmp_path)
    assert store.put(io.BytesIO(b"x" * 10), limit=10).size == 10


def test_a_stream_that_breaks_leaves_nothing(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("gone")

    store = LocalFiles(tmp_path)
    with pytest.raises(OSError, match="gone"):
        store.put(Broken(b"abc"))
    assert not files(tmp_path)


def test_many_writers_of_the_same_bytes_never_show_half_a_file(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    data = os.urandom(3_000_000)
    path = store.path(hashlib.sha256(data).hexdigest())
    sizes: set[int] = set()
    writers = [threading.Thread(target=store.put_bytes, args=(data,)) for _ in range(8)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        if path.exists():
            sizes.add(path.stat().st_size)
    assert sizes <= {len(data)}
    assert path.read_bytes() == data


def test_a_file_stored_anew_is_not_removed(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    stored = store.put_bytes(b"duck")
    before = time.time() + 1
    os.utime(store.path(stored.sha256), (before + 5, before + 5))
    assert not store.remove(stored.sha256, before)
    assert store.remove(stored.sha256, before + 10)
    assert not store.remove(stored.sha256, before + 10)


def test_what_a_dead_writer_left_is_cleared(tmp_path: Path) -> None:
    store = LocalFiles(tmp_path)
    old, new = tmp_path / "incoming" / "old", tmp_path / "incoming" / "new"
    old.write_bytes(b"x")
    new.write_bytes(b"x")
    os.utime(old, (0, 0))
    assert store.clear_abandoned() == 1
    assert new.exists()
    assert not old.exists()
