"""Stored files in a bucket, of a server that speaks S3."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import socket
import time
from pathlib import Path

import obstore
import pytest
from obstore.store import S3Store

from docduck.files import FileTooLarge, StoreAway
from docduck.files.bucket_files import BucketFiles
from docduck.files.store import FileAway
from docduck.outbound.bucket_endpoint import BucketEndpoint
from tests.object_store import KEYS, bucket, paths, server

__all__ = ["bucket", "server"]

MIB = 1024 * 1024


def store_of(server: str, bucket: S3Store, host: Path, cache_bytes: int = 64 * MIB) -> BucketFiles:
    """Return the store of a host that keeps its copies in ``host``."""
    url = f"s3://{bucket.config['bucket']}"
    return BucketFiles(BucketEndpoint(url, server, **KEYS), host, cache_bytes)


def copies(host: Path) -> list[Path]:
    return [path for path in host.rglob("*") if path.is_file()]


def test_what_one_host_stores_another_reads(server: str, bucket: S3Store, tmp_path: Path) -> None:
    here, there = (store_of(server, bucket, tmp_path / host) for host in ("a", "b"))
    with here.batch() as batch:
        stored = [batch.add(io.BytesIO(data)) for data in (b"one", b"two", b"one")]
        with pytest.raises(FileTooLarge):
            batch.add(io.BytesIO(b"far too large"), limit=3)
        assert paths(bucket) == [], "nothing is stored before the end"
        with batch.open(stored[0]) as file:
            assert file.read() == b"one"
    assert paths(bucket) == sorted(f"{file.sha256[:2]}/{file.sha256[2:]}" for file in stored[:2])
    assert [there.read_bytes(file.sha256) for file in stored] == [b"one", b"two", b"one"]
    assert sorted(there.hashes()) == sorted({file.sha256 for file in stored})
    first_byte = stored[0].sha256[:2]
    assert set(there.hashes(first_byte)) == {file.sha256 for file in stored if file.sha256[:2] == first_byte}
    assert abs((there.stored_at(stored[0].sha256) or 0) - time.time()) < 60
    assert there.stored_at("0" * 64) is None
    assert len(copies(tmp_path / "b")) == 2
    for path in paths(bucket):
        obstore.delete(bucket, path)
    assert [store.local(stored[0].sha256).read_bytes() for store in (here, there)] == [b"one"] * 2, "copies"


def test_the_folder_of_copies_may_be_deleted(server: str, bucket: S3Store, tmp_path: Path) -> None:
    store = store_of(server, bucket, tmp_path / "a")
    sha256 = store.put_bytes(b"duck").sha256
    shutil.rmtree(tmp_path / "a")
    assert store.read_bytes(sha256) == b"duck"
    shutil.rmtree(tmp_path / "a")
    assert store.put_bytes(b"duck").sha256 == sha256


def test_a_large_file_is_sent_in_parts(server: str, bucket: S3Store, tmp_path: Path) -> None:
    data = os.urandom(12 * MIB)
    stored = store_of(server, bucket, tmp_path / "a").put_bytes(data)
    assert store_of(server, bucket, tmp_path / "b").read_bytes(stored.sha256) == data


def test_a_batch_that_breaks_stores_nothing(server: str, bucket: S3Store, tmp_path: Path) -> None:
    store = store_of(server, bucket, tmp_path)
    with pytest.raises(ZeroDivisionError), store.batch() as batch:
        batch.add(io.BytesIO(b"one"))
        raise ZeroDivisionError
    assert paths(bucket) == []
    assert copies(tmp_path) == []


def test_a_file_that_is_gone_is_no_error_of_the_bucket(server: str, bucket: S3Store, tmp_path: Path) -> None:
    store = store_of(server, bucket, tmp_path)
    assert store.fetch(["0" * 64]) == {}
    assert not store.local("0" * 64).exists()
    with pytest.raises(FileNotFoundError):
        store.read_bytes("0" * 64)


def test_a_file_stored_anew_is_not_removed(server: str, bucket: S3Store, tmp_path: Path) -> None:
    store = store_of(server, bucket, tmp_path)
    sha256 = store.put_bytes(b"duck").sha256
    time.sleep(1.1)
    before = time.time()
    time.sleep(1.1)  # The times of objects are whole seconds.
    assert store.put_bytes(b"duck").sha256 == sha256
    assert not store.remove(sha256, before)
    assert store.stored_at(sha256) is not None
    assert store.remove(sha256, time.time() + 5)
    assert store.stored_at(sha256) is None
    assert copies(tmp_path) == []
    assert not store.remove(sha256, time.time() + 5)


def test_copies_that_were_not_used_for_longest_go_first(server: str, bucket: S3Store, tmp_path: Path) -> None:
    writer = store_of(server, bucket, tmp_path / "a")
    hashes = [writer.put_bytes(bytes([number]) * MIB).sha256 for number in range(6)]
    reader = store_of(server, bucket, tmp_path / "b", 4 * MIB)
    for age, sha256 in enumerate(hashes[:5]):
        os.utime(reader.local(sha256), (time.time() - 1000 + age,) * 2)
    reader.local(hashes[0])
    reader.local(hashes[5])
    assert [reader.path(sha256).exists() for sha256 in hashes] == [True, False, False, True, True, True]
    reader.fetch(hashes)
    assert all(reader.path(sha256).exists() for sha256 in hashes), "what is about to be read stays"


@pytest.mark.parametrize(
    ("name", "endpoint", "message"),
    [
        ("no-such-bucket", None, "there is no such bucket"),
        (None, "http://127.0.0.1:9", "the request failed"),
    ],
)
def test_a_bucket_that_cannot_be_used_is_named(
    server: str,
    bucket: S3Store,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    name: str | None,
    endpoint: str | None,
    message: str,
) -> None:
    url = f"s3://{name or bucket.config['bucket']}"
    store = BucketFiles(BucketEndpoint(url, endpoint or server, **KEYS), tmp_path, MIB)
    expected = f"The file store {url} (DOCDUCK_FILES_URL, on {socket.gethostname()}) can't be used: {message}"
    with pytest.raises(StoreAway, match=r"^The file store can't be used at the moment$") as caught:
        store.put_bytes(b"one")
    assert caught.value.detail.startswith(expected)
    assert expected in caplog.text
    assert copies(tmp_path) == []
    assert (store.problem() or "").startswith(expected)
    if endpoint is not None:
        (error,) = store.fetch(["0" * 64]).values()
        assert error.retryable
        assert isinstance(error, StoreAway)
        assert error.detail.startswith(expected)


def test_an_object_with_another_content_is_refused(server: str, bucket: S3Store, tmp_path: Path) -> None:
    store = store_of(server, bucket, tmp_path)
    sha256 = hashlib.sha256(b"duck").hexdigest()
    obstore.put(bucket, f"{sha256[:2]}/{sha256[2:]}", b"goose")
    with pytest.raises(FileAway) as caught:
        store.local(sha256)
    assert not isinstance(caught.value, StoreAway), "others can be had"
    assert "another content than its name says" in caught.value.detail
    assert copies(tmp_path) == []


def test_a_full_disk_of_copies_is_named(
    server: str, bucket: S3Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sha256 = store_of(server, bucket, tmp_path / "a").put_bytes(b"duck").sha256
    store = store_of(server, bucket, tmp_path / "b")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(StoreAway) as caught:
            store.local(sha256)
    assert caught.value.detail.endswith(": No space left on device (DOCDUCK_FILE_CACHE_MB)")
    assert str(tmp_path / "b") in caught.value.detail
    assert store.read_bytes(sha256) == b"duck"


def test_a_store_that_can_be_used_has_no_problem(server: str, bucket: S3Store, tmp_path: Path) -> None:
    assert store_of(server, bucket, tmp_path).problem() is None
