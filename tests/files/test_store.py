from __future__ import annotations

import hashlib
import io
import os
import threading
import time
from pathlib import Path

import pytest

from docduck.files import FileStore, FileTooLarge


def test_the_same_bytes_stand_once(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    first, second = store.put_bytes(b"duck"), store.put(io.BytesIO(b"duck"))
    assert first == second
    assert first.sha256 == hashlib.sha256(b"duck").hexdigest()
    assert first.size == 4
    assert [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()] == [b"duck"]
    assert list(store.hashes()) == [first.sha256]


def test_what_is_too_large_leaves_nothing(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    with pytest.raises(FileTooLarge):
        store.put(io.BytesIO(b"x" * 11), limit=10)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert store.put(io.BytesIO(b"x" * 10), limit=10).size == 10


def test_a_stream_that_breaks_leaves_nothing(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("gone")

    store = FileStore(tmp_path)
    with pytest.raises(OSError, match="gone"):
        store.put(Broken(b"abc"))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_many_writers_of_the_same_bytes_never_show_half_a_file(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
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
    store = FileStore(tmp_path)
    stored = store.put_bytes(b"duck")
    before = time.time() + 1
    os.utime(store.path(stored.sha256), (before + 5, before + 5))
    assert not store.remove(stored.sha256, before)
    assert store.remove(stored.sha256, before + 10)
    assert not store.remove(stored.sha256, before + 10)


def test_what_a_dead_writer_left_is_cleared(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    old, new = tmp_path / "incoming" / "old", tmp_path / "incoming" / "new"
    old.write_bytes(b"x")
    new.write_bytes(b"x")
    os.utime(old, (0, 0))
    assert store.clear_abandoned() == 1
    assert new.exists()
    assert not old.exists()
