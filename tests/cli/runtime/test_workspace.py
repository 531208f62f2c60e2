"""The workspace files of webserver and daemon."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.cli.runtime.dagster_processes import processes, write_workspace
from docduck.errors import InputError
from docduck.settings import Settings


def test_a_workspace_of_the_user_s_is_loaded_beside_docduck_s(tmp_path: Path) -> None:
    own = tmp_path / "workspace.yaml"
    own.write_text("load_from: []\n")
    socket = tmp_path / "code.sock"
    settings = Settings(home=tmp_path / "home", workspace=own)
    files = write_workspace(settings, socket)
    assert files == [tmp_path / "home" / "dagster" / "workspace.yaml", own]
    _, webserver, daemon = processes(settings, socket, files)
    assert webserver.command[-2:] == [str(file) for file in files]
    assert daemon.command[-4:] == ["--workspace", str(files[0]), "--workspace", str(files[1])]


def test_a_workspace_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", workspace=tmp_path / "gone.yaml")
    with pytest.raises(InputError, match=r"DOCDUCK_WORKSPACE: there is no file .*gone.yaml"):
        write_workspace(settings, tmp_path / "code.sock")
