from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.local_model.private_files import private_folder


@pytest.fixture
def group_may_write() -> Iterator[None]:
    before = os.umask(0o002)
    yield
    os.umask(before)


@pytest.mark.usefixtures("group_may_write")
def test_folders_are_private_whatever_the_umask(tmp_path: Path) -> None:
    private_folder(tmp_path / "models" / "servers")
    assert private_folder(tmp_path / "models").stat().st_mode & 0o777 == 0o700


def test_a_folder_in_which_others_may_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models").chmod(0o770)
    with pytest.raises(InputError, match="not this user's alone"):
        private_folder(tmp_path / "models")
