from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from docduck.sources.folder.walk import walk


def write(path: Path, content: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def paths(root: Path, **options: object) -> list[str]:
    return [file.path for file in walk(root, **options).files]  # type: ignore[arg-type]


def test_files_come_sorted_with_their_state(tmp_path: Path) -> None:
    write(tmp_path / "b.pdf", b"12345")
    write(tmp_path / "a" / "deep" / "c.pdf")
    found = walk(tmp_path)
    assert [file.path for file in found.files] == ["a/deep/c.pdf", "b.pdf"]
    status = (tmp_path / "b.pdf").stat()
    assert found.files[1].fingerprint == f"5:{status.st_mtime_ns}:{status.st_ctime_ns}"
    assert found.files[1].changed_ns == max(status.st_mtime_ns, status.st_ctime_ns)
    assert found.problems == ()


@pytest.mark.parametrize(
    "name",
    [
        ".hidden.pdf",
        ".~lock.a.docx#",
        "~$a.docx",
        "a.pdf.part",
        "a.PDF.Part",
        "a.crdownload",
        "a.tmp",
        "Thumbs.db",
        "desktop.ini",
        "a\n.part",
    ],
)
def test_temporary_names_are_passed_over(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    write(tmp_path / "kept.pdf")
    assert paths(tmp_path) == ["kept.pdf"]


def test_hidden_folders_are_not_entered(tmp_path: Path) -> None:
    write(tmp_path / ".taken" / "a.pdf")
    assert paths(tmp_path) == []


def test_skipped_folders_are_not_entered(tmp_path: Path) -> None:
    write(tmp_path / "done" / "a.pdf")
    write(tmp_path / "new" / "b.pdf")
    assert paths(tmp_path, skip=(tmp_path / "done",)) == ["new/b.pdf"]


@pytest.mark.parametrize("name", ["thumbs.dbx.pdf", "part", "tmp.pdf", "-rf.pdf", "a b.pdf", "ä\n.pdf"])
def test_names_that_only_look_odd_are_kept(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    assert paths(tmp_path) == [name]


def test_undecodable_names_are_kept(tmp_path: Path) -> None:
    write(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.pdf")))
    found = walk(tmp_path)
    assert os.fsencode(found.files[0].path) == b"caf\xe9.pdf"
    assert len(found.signature()) == 32


def test_the_pattern_ignores_case_and_counts_the_rest(tmp_path: Path) -> None:
    write(tmp_path / "a.PDF")
    write(tmp_path / "sub" / "b.pdf")
    write(tmp_path / "c.txt")
    found = walk(tmp_path, pattern="*.pdf")
    assert [file.path for file in found.files] == ["a.PDF", "sub/b.pdf"]
    assert found.unmatched == 1
    assert paths(tmp_path, pattern="sub/*.pdf") == ["sub/b.pdf"]


def test_not_recursive_stays_on_top(tmp_path: Path) -> None:
    write(tmp_path / "sub" / "b.pdf")
    write(tmp_path / "a.pdf")
    assert paths(tmp_path, recursive=False) == ["a.pdf"]


def test_links_inside_are_followed_and_links_out_are_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    write(root / "a.pdf", b"123")
    write(outside / "secret.pdf")
    (root / "inside.pdf").symlink_to("a.pdf")
    (root / "file-out.pdf").symlink_to(outside / "secret.pdf")
    (root / "folder-out").symlink_to(outside)
    (root / "dots-out.pdf").symlink_to("../outside/secret.pdf")
    (root / "nowhere.pdf").symlink_to(root / "missing.pdf")
    found = {file.path: file.refusal for file in walk(root).files}
    assert found["a.pdf"] is None
    assert found["inside.pdf"] is None
    for name in ("file-out.pdf", "folder-out", "dots-out.pdf"):
        assert found[name] == f"is a link that leads out of {root}; replace it with the file"
    assert "leads nowhere" in (found["nowhere.pdf"] or "")
    assert len(found) == 6


def test_a_folder_that_only_begins_like_the_source_is_outside(tmp_path: Path) -> None:
    write(tmp_path / "scans-secret" / "a.pdf")
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / "link").symlink_to(tmp_path / "scans-secret")
    assert "leads out" in (walk(tmp_path / "scans").files[0].refusal or "")


def test_linked_folders_in_a_circle_end_and_give_each_file_once(tmp_path: Path) -> None:
    write(tmp_path / "z" / "a.pdf")
    (tmp_path / "z" / "up").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "z")
    assert paths(tmp_path) == ["z/a.pdf"]


def test_a_source_that_is_itself_a_link_is_fine(tmp_path: Path) -> None:
    write(tmp_path / "real" / "a.pdf")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert paths(tmp_path / "link") == ["a.pdf"]
    assert "leads out" in walk(tmp_path / "link", bounds=tmp_path / "other").problems[0]


def test_what_is_no_file_is_refused_unopened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    (tmp_path / "pipe-link.pdf").symlink_to("pipe.pdf")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.pdf")
    assert {file.path: file.refusal for file in walk(tmp_path).files} == dict.fromkeys(
        ["pipe.pdf", "pipe-link.pdf", "socket.pdf"], "is not a regular file; remove it"
    )


def test_a_missing_folder_is_a_sentence(tmp_path: Path) -> None:
    assert walk(tmp_path / "none").problems == (f"There is no folder {tmp_path / 'none'}; create it",)
    assert walk(write(tmp_path / "file")).problems == (f"{tmp_path / 'file'} is not a folder",)


def test_the_signature_changes_with_anything(tmp_path: Path) -> None:
    file = write(tmp_path / "a.pdf", b"12")
    seen = [walk(tmp_path).signature()]
    assert walk(tmp_path).signature() == seen[0]
    os.utime(file, ns=(1, 1))
    seen.append(walk(tmp_path).signature())
    file.rename(tmp_path / "b.pdf")
    seen.append(walk(tmp_path).signature())
    write(tmp_path / "c.pdf")
    seen.append(walk(tmp_path).signature())
    seen.append(walk(tmp_path, pattern="b*").signature())
    assert len(set(seen)) == 5
