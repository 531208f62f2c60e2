"""What is kept of pages, and for how long."""

from __future__ import annotations

import os
import time

import pytest

from docduck.files.local_files import LocalFiles
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.previews import preview_cache
from docduck.service.previews.preview_cache import cache_path, keep, kept_or_made, sweep_cache
from docduck.service.upkeep.housekeeping import sweep
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, make_parser


def test_old_files_go_and_the_oldest_when_there_are_too_many(make_installation: MakeInstallation) -> None:
    inst = make_installation(keep_previews_days=1, preview_cache_mb=1)
    now = time.time()
    for name, age, size in (("a", 90_000, 10), ("b", 3000, 600_000), ("c", 2000, 600_000), ("d", 1000, 9)):
        place = cache_path(inst, name * 64, "1-800-0.jpg")
        keep(place, b"x" * size)
        os.utime(place, (now - age, now - age))
    assert sweep_cache(inst) == 2
    left = sorted(path.parent.name[0] for path in (inst.settings.home / "cache").rglob("*.jpg"))
    assert left == ["c", "d"]
    # Copies of files in a bucket are none of its business.
    copy = LocalFiles(inst.settings.home / "cache" / "files").put_bytes(b"x" * (2 << 20))
    assert sweep_cache(inst) == 0
    assert (inst.settings.home / "cache" / "files" / copy.sha256[:2] / copy.sha256[2:]).exists()


def test_what_is_swept_while_it_is_made_is_shown_all_the_same(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cache_path(inst, "a" * 64, "thumbnail.jpg").parent

    def swept_meanwhile() -> str:
        folder.rmdir()
        return "1"

    with monkeypatch.context() as patch:
        patch.setattr(preview_cache, "new_id", swept_meanwhile)
        assert kept_or_made(inst, "a" * 64, "thumbnail.jpg", lambda: b"made") == b"made"
    assert kept_or_made(inst, "a" * 64, "thumbnail.jpg", lambda: b"again") == b"again"
    assert kept_or_made(inst, "a" * 64, "thumbnail.jpg", bytes) == b"again"


def test_it_goes_with_its_file(make_installation: MakeInstallation) -> None:
    inst = make_installation(file_grace_seconds=0)
    (document_id,) = add(inst, make_parser(inst))
    (sha256,) = inst.files.hashes()
    places = [cache_path(inst, sha256, name) for name in ("thumbnail.jpg", "1-800-0.jpg")]
    for place in places:
        keep(place, b"x")
    sweep(inst)
    assert all(place.exists() for place in places)
    delete_documents(inst, inst.team_id, [document_id])
    sweep(inst)
    assert not any(place.exists() for place in places)
