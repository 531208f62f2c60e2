"""Tests that fail are run again alone; what then passes is reported, and few of these let a run pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.reruns import MOST_FAILURES, MOST_FLAKY

ROOT = Path(__file__).parent.parent
FIRST_RUN_FAILS = """
def test_{name}(tmp_path):
    mark = {folder!r} + "/{name}"
    import pathlib
    first = not pathlib.Path(mark).exists()
    pathlib.Path(mark).touch()
    assert not first, "the first run of {name}"
"""
ALWAYS_FAILS = "\ndef test_{name}(): assert 1 == 2, 'always {name}'\n"

pytestmark = pytest.mark.slow


def run(folder: Path, source: str, *arguments: str) -> tuple[int, str]:
    """Run pytest with the plugin on a file of tests; return its exit code and output."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_planted.py").write_text(source)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.reruns",
        "-p",
        "no:cacheprovider",
        *("-p", "xdist"),
        *arguments,
    ]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def planted(folder: Path, template: str, count: int, prefix: str) -> str:
    return "".join(template.format(name=f"{prefix}{number}", folder=str(folder)) for number in range(count))


@pytest.mark.parametrize("processes", ["0", "2"])
def test_what_passes_when_run_again_is_reported_and_does_not_fail_the_run(
    tmp_path: Path, processes: str
) -> None:
    code, output = run(tmp_path, planted(tmp_path, FIRST_RUN_FAILS, 1, "race"), "-n", processes)
    assert code == 0
    assert "1 failed, 1 of them flaky: passed when run again, alone" in output
    assert "flaky  test_planted.py::test_race0" in output
    assert "the first run of race0" in output


def test_what_fails_each_time_fails_the_run(tmp_path: Path) -> None:
    source = planted(tmp_path, FIRST_RUN_FAILS, 1, "race") + planted(tmp_path, ALWAYS_FAILS, 1, "defect")
    code, output = run(tmp_path, source)
    assert code == 1
    assert "flaky  test_planted.py::test_race0" in output
    assert "failed test_planted.py::test_defect0" in output
    assert "always defect0" in output


def test_more_flaky_tests_than_a_few_fail_the_run(tmp_path: Path) -> None:
    code, output = run(tmp_path, planted(tmp_path, FIRST_RUN_FAILS, MOST_FLAKY + 1, "race"))
    assert code == 1
    assert f"More than {MOST_FLAKY} are flaky" in output


def test_many_failures_are_not_run_again(tmp_path: Path) -> None:
    code, output = run(tmp_path, planted(tmp_path, FIRST_RUN_FAILS, MOST_FAILURES + 1, "race"))
    assert code == 1
    assert "flaky" not in output


def test_errors_of_collection_and_passing_runs_stay_as_they_are(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_a(): pass\n")[0] == 0
    assert run(tmp_path, "import nothing_of_that_name\n")[0] == 2
