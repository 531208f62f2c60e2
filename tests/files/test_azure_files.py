"""Containers of Azure: stored files, sources and exports."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import obstore
import pytest

from docduck.errors import InputError, Transient
from docduck.files import StoreAway
from docduck.files.bucket_files import BucketFiles
from docduck.outbound.bucket_endpoint import BucketEndpoint, check_bucket
from docduck.outbound.object_store import StoreUnavailable, open_bucket
from docduck.service.core.installation import Installation
from docduck.service.outputs.bucket_exports import upload_files
from docduck.service.pipeline.source_specs import BucketSpec
from docduck.service.sources.intake import ingest, inspect_source
from docduck.service.sources.remote_sources import bucket_source
from docduck.settings import Settings
from tests.azure_store import KEYS, AzureStore, azure_store
from tests.service.sources.intake_world import documents, invoices

MIB = 1 << 20


@pytest.fixture
def azure() -> Iterator[AzureStore]:
    with azure_store() as running:
        yield running


def files(azure: AzureStore, url: str, host: Path) -> BucketFiles:
    return BucketFiles(BucketEndpoint(url, azure.address, **KEYS), host, 64 * MIB)


def test_files_are_shared_by_hosts(
    azure: AzureStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = azure.new_container()
    one, other = (files(azure, f"{url}/kept", tmp_path / name) for name in "ab")
    small, large = one.put_bytes(b"one"), one.put_bytes(bytes(12 * MIB) + b"end")
    assert azure.names(url) == sorted(
        f"kept/{stored.sha256[:2]}/{stored.sha256[2:]}" for stored in (small, large)
    )
    assert other.fetch([small.sha256, large.sha256, "0" * 64]) == {}
    assert other.path(large.sha256).read_bytes().endswith(b"\0end")
    assert sorted(other.hashes()) == sorted([small.sha256, large.sha256])
    assert other.problem() is None
    assert abs((other.stored_at(small.sha256) or 0) - time.time()) < 60
    assert not other.remove(small.sha256, 0)
    assert other.remove(small.sha256, time.time() + 60)
    assert other.stored_at(small.sha256) is None
    with monkeypatch.context() as patch:
        patch.setattr(other, "stored_at", lambda sha256: 0.0)
        assert other.remove(small.sha256, time.time()), "another sweep was quicker"


def test_what_is_wrong_is_named(azure: AzureStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreAway) as caught:
        files(azure, "az://there-is-none", tmp_path).put_bytes(b"one")
    assert caught.value.detail.endswith("can't be used: there is no such bucket")
    assert files(azure, "az://there-is-none", tmp_path).problem() == caught.value.detail
    store = files(azure, azure.new_container(), tmp_path)
    azure.deny()
    with pytest.raises(StoreAway) as caught:
        store.put_bytes(b"one")
    assert "(DOCDUCK_FILES_URL, on" in caught.value.detail
    assert "can't be used: access is denied; see access_key and secret_key" in caught.value.detail
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    store = BucketFiles(BucketEndpoint("az://papers"), tmp_path, MIB)
    with pytest.raises(StoreAway) as caught:
        store.put_bytes(b"one")
    assert "DOCDUCK_FILES_URL" in caught.value.detail and "AZURE_STORAGE_ACCOUNT_NAME" in caught.value.detail
    with pytest.raises(StoreUnavailable, match="the name and key of the account"):
        open_bucket(BucketEndpoint("az://papers", access_key="a", secret_key="no base64!"), 1)


def test_keys_are_those_of_the_environment(
    azure: AzureStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", KEYS["access_key"])
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", KEYS["secret_key"])
    url = azure.new_container()
    settings = Settings(home=tmp_path, files_url=url, files_endpoint=azure.address)
    endpoint = BucketEndpoint(str(settings.files_url), settings.files_endpoint)
    BucketFiles(endpoint, tmp_path, MIB).put_bytes(b"one")
    assert len(azure.names(url)) == 1


def test_blobs_are_taken_in_and_moved(azure: AzureStore, inst: Installation) -> None:
    invoices(inst)
    url = azure.new_container()
    store = open_bucket(BucketEndpoint(url, azure.address, **KEYS), 10)
    for name in ("in/a b.txt", "in/ü.txt", "x.txt"):
        obstore.put(store, name, name.encode())
    spec = {"name": "papers", "parser": "invoices", "bucket": f"{url}/in", "endpoint": azure.address}
    source = bucket_source(BucketSpec.model_validate({**spec, **KEYS, "after": "move", "move_to": "done"}))
    assert inspect_source(inst, source).new == 2
    assert ingest(inst, source).registered == 2
    assert documents(inst) == ["a b.txt", "ü.txt"]
    assert azure.names(url) == ["in/done/a b.txt", "in/done/ü.txt", "x.txt"]


def test_exports_are_written(azure: AzureStore, inst: Installation, tmp_path: Path) -> None:
    url = azure.new_container()
    folder = tmp_path / "outgoing"
    folder.mkdir()
    (folder / "invoices.csv").write_text("a,b")
    assert upload_files(inst, folder, BucketEndpoint(f"{url}/out", azure.address, **KEYS)) == {
        "invoices.csv": f"{url}/out/invoices.csv"
    }
    assert azure.names(url) == ["out/invoices.csv"]
    with pytest.raises(Transient, match="Azure needs the name and key of the account"):
        upload_files(inst, folder, BucketEndpoint("az://papers", access_key="a", secret_key="!"))


@pytest.mark.parametrize("more", [{"region": "eu"}, {"secret_key": "c2VjcmV0"}])
def test_keys_that_do_not_fit_are_refused(more: Any) -> None:
    with pytest.raises(InputError, match="of Azure has no region; access_key is the account's name"):
        check_bucket(BucketEndpoint("az://papers", **more))
