"""The backup of the README, run as it is printed."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from docduck.service.core.installation import Installation
from docduck.service.documents.queries.listing import list_documents
from tests.conftest import MakeInstallation
from tests.service.core.documents import make_parser, upload
from tools.readme import ROOT

_README = ROOT / "docduck/service/upkeep/README.md"


def test_a_backup_is_whole_and_for_its_owner_alone(
    inst: Installation, make_installation: MakeInstallation, tmp_path: Path
) -> None:
    parser = make_parser(inst)
    upload(inst, inst.team_id, parser.slug, b"Number: A-1", "a.txt")
    home = inst.settings.home
    (home / "secret.key").touch(0o600)
    (home / "exports").mkdir(exist_ok=True)
    (tmp_path / "data").symlink_to(home)
    (recipe,) = re.findall(r"<!-- backup -->\n```console\n(.*?)```", _README.read_text(), re.DOTALL)
    commands = recipe.replace("$ ", "").replace("/backup", "backup").replace("python3", sys.executable)
    script = f"umask 022 && set -e\n{commands}"
    subprocess.run(["sh", "-c", script], cwd=tmp_path, check=True, timeout=60)
    backup = tmp_path / "backup"
    made = [backup, *backup.rglob("*")]
    assert {path.name for path in made} >= {"catalog.sqlite", "files", "secret.key", "exports"}
    assert {path.stat().st_mode & 0o077 for path in made} == {0}
    with closing(sqlite3.connect(backup / "catalog.sqlite")) as catalog:
        assert catalog.execute("SELECT name FROM documents").fetchall() == [("a.txt",)]
    restored = make_installation(home=backup)
    (row,) = list_documents(restored, restored.team_id, parser.slug).rows
    assert row.name == "a.txt"
