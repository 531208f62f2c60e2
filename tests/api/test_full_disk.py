"""A home on a disk that is really full: what clients are told, and that nothing is lost."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck.errors import Transient
from docduck.service.outputs.warehouse_sync import sync_warehouse
from tests.conftest import MakeInstallation
from tests.server.served import serving

_MIB = 1 << 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("this user may not mount file systems")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(path: Path) -> None:
    """Write a file until there is no room."""
    with pytest.raises(OSError, match="No space left"), path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_a_full_disk_loses_nothing_and_is_called_that(
    make_installation: MakeInstallation, small_disk: Path
) -> None:
    inst = make_installation(home=small_disk / "home")
    with serving(inst) as api:
        parser = api.parser()
        kept = [api.upload(parser, b"Number: A-%d\nTotal: 12.50\n" % number) for number in range(3)]
        fill(small_disk / "rest")
        refused = api.post(f"/process/{parser}/files", files={"file": ("b.txt", bytes(_MIB))})
        assert (refused.status_code, refused.json()["message"][:26]) == (503, "The server's disk is full:")
        for _ in range(3):
            listed = api.get(f"/parsers/{parser}/documents")
            assert [one["status"] for one in listed.json()["data"]] == ["queued"] * 3
        with pytest.raises(Transient, match=r"disk of .* is full"):
            sync_warehouse(inst)
        (small_disk / "rest").unlink()
        api.process()
        listed = api.get(f"/parsers/{parser}/documents")
        assert {one["id"]: one["status"] for one in listed.json()["data"]} == dict.fromkeys(kept, "processed")
        assert len(inst.warehouse.query("SELECT * FROM invoices.documents").rows) == 3
