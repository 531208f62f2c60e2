"""docduck as its wheel installs it, outside of the clone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import duckdb
import psutil
import pytest

from tests.test_project import ROOT, copy_project, tracked_files
from tests.waiting import wait_for
from tools.samples import drafts

PRODUCT = ("docduck.cli.runtime", "dagster_docduck.orchestration")

pytestmark = pytest.mark.slow

BELOW_DAGSTER_DOCDUCK = ("orchestration", "assets", "resources")
NOT_SHIPPED = ("Dockerfile",)
PYTHON = Path("bin", "python")
SAMPLES = len([draft for draft in drafts() if draft.shipped])
PIPELINE = "parsers: [{template: receipt, name: Slips}]\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of what is in git."""
    folder = tmp_path_factory.mktemp("clone")
    copy_project(folder)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", folder / "dist", folder], check=True)
    (built,) = (folder / "dist").iterdir()
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel; the dependencies are this process's own."""
    folder = tmp_path_factory.mktemp("installed") / "env"
    venv.create(folder, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / PYTHON), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    # Python reads no .pth file of a folder that a .pth file adds: this clone's own stays out.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder; processes of a docduck in it that are left are killed."""
    empty = tmp_path / "empty"
    empty.mkdir()
    yield empty
    for process in processes(empty):
        process.kill()


def processes(folder: Path) -> list[psutil.Process]:
    """Return the live processes that ``docduck up`` started in ``folder``."""
    return [
        process
        for process in psutil.process_iter(["environ", "status"])
        if (process.info["environ"] or {}).get("DOCDUCK_HOME") == str(folder / "data")
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def bare_environment() -> dict[str, str]:
    """Return this process's environment without what leads to the clone, and ports that are free."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DOCDUCK_", "DAGSTER_", "PYTHON", "VIRTUAL_ENV"))
    }
    return kept | {"DOCDUCK_UI_PORT": "0", "DOCDUCK_API_PORT": "0"}


def run(folder: Path, *command: str | Path) -> str:
    """Run a command in ``folder`` and return what it prints."""
    done = subprocess.run(
        command, cwd=folder, env=bare_environment(), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in shipped} == {"docduck", "dagster_docduck"}
    tracked = {path.relative_to(ROOT) for path in tracked_files() if path.name not in NOT_SHIPPED}
    assert shipped == {
        *(str(path) for path in tracked if path.parts[0] in ("docduck", "dagster_docduck")),
        *(f"dagster_docduck/{path}" for path in tracked if path.parts[0] in BELOW_DAGSTER_DOCDUCK),
    }


def test_nothing_comes_from_the_clone(environment: Path, folder: Path) -> None:
    names = (
        "docduck.cli.main",
        "dagster_docduck.orchestration.definitions",
        "dagster_docduck.component.component",
    )
    script = "import importlib, sys; [print(importlib.import_module(name).__file__) for name in sys.argv[1:]]"
    files = run(folder, environment / PYTHON, "-c", script, *names).split()
    assert len(files) == len(names)
    assert all(Path(file).is_relative_to(environment) for file in files)


@pytest.mark.extended
def test_docduck_up_works_in_an_empty_folder(environment: Path, folder: Path) -> None:
    docduck = environment / "bin" / "docduck"
    output = folder.parent / "output"
    analytics = folder / "data" / "analytics.duckdb"

    def rows() -> int:
        assert popen.poll() is None, output.read_text()
        if not analytics.exists():
            return 0
        with duckdb.connect(str(analytics), read_only=True) as connection:
            tables = connection.sql("SELECT schema_name FROM duckdb_tables() WHERE table_name = 'documents'")
            counts = [
                connection.table(f"{slug}.documents").count("*").fetchone() for (slug,) in tables.fetchall()
            ]
        return sum(count[0] for count in counts if count)

    with output.open("wb") as stream:
        popen = subprocess.Popen(
            [docduck, "up", "--samples"],
            cwd=folder,
            env=bare_environment(),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(lambda: rows() == SAMPLES, 180, output.read_text)
        assert [path.name for path in folder.iterdir()] == ["data"]
        (folder / "pipeline.yaml").write_text(PIPELINE)
        run(folder, environment / PYTHON, "-m", "docduck", "apply")
        assert "slips" in run(folder, docduck, "parsers", "list")
        popen.send_signal(signal.SIGINT)
        assert popen.wait(15) == 0, output.read_text()
        assert processes(folder) == []
    finally:
        popen.kill()
        popen.wait()
