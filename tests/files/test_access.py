from __future__ import annotations

import grp
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.files.access import make_home
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, make_parser

NOBODYS = "docduck-no-such-group"


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def open_to_others(folder: Path) -> list[Path]:
    """What group or others may do anything with, links left out."""
    return [path for path in [folder, *folder.rglob("*")] if not path.is_symlink() and mode(path) & 0o077]


@pytest.mark.slow
def test_all_that_commands_make_is_for_the_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (letter := tmp_path / "letter.txt").write_text("Invoice Number: A-17")
    commands = [
        ["parsers", "add", "--template", "invoice"],
        ["documents", "add", "invoices", str(letter)],
        ["warehouse", "rebuild"],
        ["export", "invoices"],
    ]
    code = f"run = main.run; main.run = lambda _: any([run(one) for one in {commands}]); main.main()"
    subprocess.run(
        [sys.executable, "-c", f"from docduck.cli import main; {code}"],
        env={**os.environ, "DOCDUCK_HOME": str(home)},
        check=True,
        capture_output=True,
        umask=0o022,
    )
    assert (home / "analytics.duckdb").exists()
    assert list((home / "exports").rglob("*.json"))
    assert open_to_others(home) == []


def test_a_home_that_others_may_look_into_is_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_home(tmp_path)
    assert mode(tmp_path) == 0o700


def test_a_group_may_read_the_published_tables_alone(make_installation: MakeInstallation) -> None:
    group = grp.getgrgid(os.getgid()).gr_name
    inst = make_installation(analytics_group=group)
    published(inst)
    home = inst.settings.home
    assert (mode(home), mode(home / "analytics.duckdb")) == (0o710, 0o640)
    assert home.stat().st_gid == (home / "analytics.duckdb").stat().st_gid == os.getgid()


def test_without_a_group_the_published_tables_are_the_owners(make_installation: MakeInstallation) -> None:
    inst = make_installation()
    published(inst)
    assert mode(inst.settings.home / "analytics.duckdb") == 0o600


def test_an_unknown_group_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"group '{NOBODYS}'"):
        make_home(tmp_path / "home", NOBODYS)


def published(inst: Installation) -> None:
    parser = make_parser(inst)
    add(inst, parser)
    complete(inst, parser)
    sync_warehouse(inst)
    publish(inst, force=True)
