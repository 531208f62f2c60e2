"""The command as a process: its start, its streams, its end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from docduck import __version__ as version
from tests.cli.conftest import Docduck

CATALOG = ("sqlalchemy", "duckdb", "pyarrow", "dagster", "docduck.service")
HEAVY = (*CATALOG, "numpy", "pydantic_settings", "rich.table")


def command(*arguments: str, home: Path, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DOCDUCK_HOME": str(home), "DOCDUCK_WORKERS": "1"}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-c", "from docduck.cli.main import main; main()", *arguments],
        env=environment,
        text=True,
        timeout=60,
        **options,
    )


@pytest.mark.parametrize(
    ("arguments", "unneeded"), [(["--version"], HEAVY), (["extract", "--help"], CATALOG)]
)
def test_what_a_command_does_not_need_is_not_loaded(arguments: list[str], unneeded: tuple[str, ...]) -> None:
    code = (
        f"import sys; from docduck.cli.main import run; code = run({arguments!r});"
        f"print([name for name in {unneeded!r} if name in sys.modules]); sys.exit(code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    told, unwanted = ran.stdout[:-4], ran.stdout[-4:]
    assert unwanted == "\n[]\n"
    assert arguments != ["--version"] or told == f"docduck {version}"


def test_help_is_there_for_all_and_each(docduck: Docduck) -> None:
    for arguments in ([], ["-h"]):
        ran = docduck(*arguments)
        assert ran.code == 0
        assert "evaluate" in ran.out
    group = docduck("documents")
    assert "reprocess" in group.out + group.err


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error(docduck: Docduck, tmp_path: Path) -> None:
    assert docduck("warehouse", "rebuild").code == 0
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as gone:
        ran = command(
            *("warehouse", "query", "FROM range(100000)"),
            home=tmp_path / "home",
            stdout=gone,
            stderr=subprocess.PIPE,
        )
    assert "Traceback" not in ran.stderr
    assert "Error" not in ran.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_bar_stands_on_the_terminal_and_results_in_the_pipe(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Invoice Number: A-17\n")
    ours, theirs = os.openpty()
    seen: list[bytes] = []

    def watch() -> None:
        while True:
            try:
                chunk = os.read(ours, 4096)
            except OSError:
                return
            if not chunk:
                return
            seen.append(chunk)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        ran = command(
            *("extract", str(letter), "--template", "invoice", "--json"),
            home=tmp_path / "home",
            stdout=subprocess.PIPE,
            stderr=theirs,
        )
    finally:
        os.close(theirs)
        watcher.join(10)
        os.close(ours)
    assert json.loads(ran.stdout)["data"]["Invoice Number"] == "A-17"
    shown = b"".join(seen).decode()
    assert "Reading" in shown
    assert "A-17" not in shown
    assert not (tmp_path / "home").exists()
