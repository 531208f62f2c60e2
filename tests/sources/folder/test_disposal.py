from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from docduck.sources.folder.disposal import move_aside


def test_a_file_is_moved_and_folders_are_made(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"a")
    assert move_aside(tmp_path / "a.pdf", tmp_path / ".taken" / "sub" / "a.pdf").read_bytes() == b"a"
    assert not (tmp_path / "a.pdf").exists()


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    for content in (b"1", b"2", b"3"):
        (tmp_path / "a.pdf").write_bytes(content)
        move_aside(tmp_path / "a.pdf", tmp_path / "done" / "a.pdf")
    kept = {path.name: path.read_bytes() for path in (tmp_path / "done").iterdir()}
    assert kept == {"a.pdf": b"1", "a-2.pdf": b"2", "a-3.pdf": b"3"}


def test_a_file_that_is_gone_leaves_no_trace(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        move_aside(tmp_path / "none", tmp_path / "done" / "none")
    assert list((tmp_path / "done").iterdir()) == []


@pytest.mark.skipif(
    not Path("/dev/shm").is_dir()
    or Path("/dev/shm").stat().st_dev == Path(tempfile.gettempdir()).stat().st_dev,
    reason="needs a second file system",
)
def test_a_move_to_another_file_system_copies_whole_and_deletes(tmp_path: Path) -> None:
    other = Path(tempfile.mkdtemp(dir="/dev/shm"))
    try:
        (tmp_path / "a.pdf").write_bytes(b"abc")
        place = move_aside(tmp_path / "a.pdf", other / "a.pdf")
        assert place.read_bytes() == b"abc"
        assert [path.name for path in other.iterdir()] == ["a.pdf"]
        assert not (tmp_path / "a.pdf").exists()
    finally:
        shutil.rmtree(other)
