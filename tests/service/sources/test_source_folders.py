"""Folders of sources become folders of the parser."""

from __future__ import annotations

from pathlib import Path

import obstore

from docduck.service.core.installation import Installation
from docduck.service.folders import create_folder, list_folders
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import FolderSource
from tests.conftest import MakeInstallation
from tests.object_store import new_bucket
from tests.service.sources.intake_world import drop, invoices, objects_of, rows


def filed(inst: Installation) -> dict[str, str | None]:
    """The label of each document's folder."""
    tree = {one.id: one.path_label for one in list_folders(inst, inst.team_id, "invoices")}
    return {row.name: None if row.folder_id is None else tree[row.folder_id] for row in rows(inst)}


def test_documents_land_in_folders_of_the_same_names(inst: Installation, tmp_path: Path) -> None:
    invoices(inst)
    present = create_folder(inst, inst.team_id, "invoices", {"name": "Sub"})
    for path in ("top.txt", "sub/one.txt", "sub/dir/two.txt", "SUB/DIR/three.txt", "a\u202eb\nc/four.txt"):
        drop(tmp_path / "scans", path, path.encode())
    source = FolderSource("scans", tmp_path / "scans", parser="invoices", folders=True)
    assert ingest(inst, source).registered == 5
    assert filed(inst) == {
        "top.txt": None,
        "one.txt": "Sub",
        "two.txt": "Sub / DIR",
        "three.txt": "Sub / DIR",
        "four.txt": "ab c",
    }
    assert present.id in {row.folder_id for row in rows(inst)}
    drop(tmp_path / "scans", "sub/dir/five.txt", b"five")
    assert ingest(inst, source).registered == 1
    assert filed(inst)["five.txt"] == "Sub / DIR"
    drop(tmp_path / "others", "sub/six.txt", b"six")
    assert ingest(inst, FolderSource("others", tmp_path / "others", parser="invoices")).registered == 1
    assert filed(inst)["six.txt"] is None, "without the setting there are none"
    assert len(list_folders(inst, inst.team_id, "invoices")) == 3


def test_what_is_too_deep_or_too_much_is_in_the_folder_above(
    make_installation: MakeInstallation, tmp_path: Path
) -> None:
    inst = make_installation(max_folders=12)
    invoices(inst)
    deep = "/".join("abcdefghijklm")
    drop(tmp_path / "scans", f"{deep}/deep.txt", b"deep")
    for number in range(3):
        drop(tmp_path / "scans", f"z{number}/{number}.txt", b"%d" % number)
    source = FolderSource("scans", tmp_path / "scans", parser="invoices", folders=True)
    assert ingest(inst, source).registered == 4
    wanted = {"deep.txt": " / ".join("abcdefghijk"), "0.txt": "z0", "1.txt": None, "2.txt": None}
    assert filed(inst) == wanted


def test_prefixes_of_a_bucket_are_folders(inst: Installation, bucket_server: str) -> None:
    invoices(inst)
    bucket = new_bucket(bucket_server)
    for path in ("in/top.txt", "in/2026/march/one.txt"):
        obstore.put(bucket, path, path.encode())
    assert ingest(inst, objects_of(bucket_server, bucket, "/in", folders=True)).registered == 2
    assert filed(inst) == {"top.txt": None, "one.txt": "2026 / march"}
