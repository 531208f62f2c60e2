"""The temporary folder of this user, and all that is kept in it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from docduck.cli.runtime.addresses import unix_socket
from docduck.errors import DocduckError
from docduck.extraction.model_options import slots_of
from docduck.local_model.choice import servers_folder
from docduck.owner import temporary_folder
from docduck.workers.scratch import scratch_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"docduck-{os.geteuid()}"


def scratch(_: Path) -> Path:
    with scratch_folder() as folder:
        return folder


USES = [
    lambda home: slots_of(home, "default"),
    servers_folder,
    scratch,
    lambda home: unix_socket(home / ("deep" * 30), "code"),
]


def test_it_is_made_for_its_user_alone(folder: Path) -> None:
    assert temporary_folder() == temporary_folder() == folder
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("use", USES)
def test_what_has_no_home_is_in_it(use: Callable[[Path], Path], folder: Path) -> None:
    assert use(folder.parent / "missing").is_relative_to(folder)


def a_file(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.write_text("")


def a_link(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder.parent / "other").mkdir(mode=0o700)
    folder.symlink_to(folder.parent / "other")


def open_to_others(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    folder.chmod(0o755)


def another_users(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = os.geteuid()
    (folder.parent / f"docduck-{mine + 1}").mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("made", [a_file, a_link, open_to_others, another_users])
def test_what_another_user_may_have_made_is_refused(
    made: Callable[[Path, pytest.MonkeyPatch], None],
    use: Callable[[Path], Path],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made(folder, monkeypatch)
    before = sorted(folder.parent.rglob("*"))
    with pytest.raises(DocduckError, match="is not this user's alone: remove it, or set TMPDIR"):
        use(folder.parent / "missing")
    assert sorted(folder.parent.rglob("*")) == before


def test_a_home_is_used_instead(folder: Path, tmp_path: Path) -> None:
    assert slots_of(tmp_path, "large") == tmp_path / "model-slots" / "large"
    assert servers_folder(tmp_path) == tmp_path / "models" / "servers"
    assert not folder.exists()
