from __future__ import annotations

import os
from pathlib import Path

import pytest

from docduck.sources.folder.safe_open import UnsafeFile, open_inside


def test_a_file_inside_opens(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    with open_inside(tmp_path / "a", tmp_path) as stream:
        assert stream.read() == b"abc"


@pytest.mark.parametrize("link", ["file", "parent"])
def test_a_link_put_there_at_the_last_moment_leads_nowhere(tmp_path: Path, link: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    if link == "file":
        (root / "a").symlink_to(outside / "secret")
        path = root / "a"
    else:
        (root / "folder").symlink_to(outside)
        path = root / "folder" / "secret"
    with pytest.raises(UnsafeFile, match="leads out of"), open_inside(path, root):
        pass


def test_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnsafeFile, match="not a regular file"), open_inside(tmp_path / "pipe", tmp_path):
        pass


def test_a_folder_in_the_place_of_a_file_is_an_error_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises((UnsafeFile, OSError)), open_inside(tmp_path / "a", tmp_path):
        pass
