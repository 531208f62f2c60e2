"""``docduck up``: what it refuses at once, and the whole of it on real processes."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import psutil
import pytest
from pydantic import SecretStr

from docduck.cli.runtime.addresses import LONGEST_SOCKET_PATH, free_port, local_address, unix_socket
from docduck.cli.runtime.dagster_health import code_location_state
from docduck.cli.runtime.dagster_processes import child_environment, processes, write_workspace
from docduck.cli.runtime.first_start import prepare_home
from docduck.cli.runtime.processes import _prepare, _with_addresses, run_up
from docduck.cli.runtime.service_process import is_ready
from docduck.cli.runtime.supervisor import Process, Supervisor
from docduck.errors import DocduckError, InputError
from docduck.service.accounts.accounts import add_member, create_user
from docduck.service.accounts.password_reset import finish_reset
from docduck.service.core.installation import open_installation
from docduck.service.runs.processing_runs import LOCATION
from docduck.settings import Settings
from tests.conftest import MakeInstallation
from tests.waiting import wait_for

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("setting", "what", "others"),
    [("ui_port", "the UI", {"api_port": 0}), ("api_port", "the API", {"ui_port": 0})],
)
def test_a_port_in_use_is_refused_before_anything_starts(
    tmp_path: Path, setting: str, what: str, others: dict[str, Any]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = rf"Port {port} on 127.0.0.1 can't be used for {what} .*DOCDUCK_{setting.upper()}"
        with pytest.raises(InputError, match=message):
            run_up(Settings(home=tmp_path, **{setting: port}, **others), with_samples=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "run"]
    assert list((tmp_path / "logs").iterdir()) == []


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(InputError, match="can't be used for the UI"):
        free_port("192.0.2.1", 0, "the UI", "DOCDUCK_UI_PORT")


def test_one_port_for_both_is_refused(make_installation: MakeInstallation) -> None:
    port = free_port("127.0.0.1", 0, "the UI", "DOCDUCK_UI_PORT")
    settings = make_installation().settings.model_copy(update={"ui_port": port, "api_port": port})
    with pytest.raises(InputError, match=f"are both {port}: set one of them"):
        _with_addresses(settings)


def test_port_zero_chooses_a_free_one() -> None:
    assert free_port("127.0.0.1", 0, "the UI", "DOCDUCK_UI_PORT") > 1023


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(InputError, match=r"The home folder .*home can't be used"):
        run_up(Settings(home=tmp_path / "home", ui_port=0, api_port=0), with_samples=False)


@pytest.mark.slow
def test_a_home_that_can_t_be_prepared_is_told(tmp_path: Path) -> None:
    (tmp_path / "catalog.sqlite").write_text("no database, whatever its name says")
    with pytest.raises(
        DocduckError, match=r"The home folder .* could not be prepared: [\s\S]*not a database"
    ):
        run_up(Settings(home=tmp_path, ui_port=0, api_port=0), with_samples=False)
    assert list((tmp_path / "logs").iterdir()) == []


DYING = """import os, pathlib, signal
tries = pathlib.Path({tries!r})
with tries.open("a") as file:
    file.write("x")
if len(tries.read_text()) < {times}:
    os.kill(os.getpid(), signal.SIGKILL)
print("prepared")
"""
"""A preparation that is killed until it is tried so many times."""


@pytest.mark.parametrize(("times", "tried"), [(3, 3), (9, 3)])
def test_a_preparation_that_is_killed_is_tried_again(tmp_path: Path, times: int, tried: int) -> None:
    tries, module = tmp_path / "tries", tmp_path / "dying.py"
    module.write_text(DYING.format(tries=str(tries), times=times))
    process = Process("any", [], {**os.environ, "PYTHONPATH": str(tmp_path)})
    said: list[str] = []
    is_done = times <= tried
    refused = pytest.raises(DocduckError, match=r"could not be prepared: dying ended by SIGKILL$")
    with (
        Supervisor(tmp_path / "home", 2, said.append) as supervisor,
        contextlib.nullcontext() if is_done else refused,
    ):
        _prepare(supervisor, Settings(home=tmp_path), process, "dying")
    assert len(tries.read_text()) == tried
    assert said == ["dying ended by SIGKILL; trying again"] * 2 + ["prepared"] * is_done


def test_a_preparation_that_takes_too_long_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time; time.sleep(60)")
    process = Process("any", [], {**os.environ, "PYTHONPATH": str(tmp_path)})
    message = r"slow was not done after 0\.5 s: raise DOCDUCK_START_TIMEOUT_SECONDS"
    with Supervisor(tmp_path / "home", 2, print) as supervisor, pytest.raises(DocduckError, match=message):
        _prepare(supervisor, Settings(home=tmp_path, start_timeout_seconds=0.5), process, "slow")


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("a.b", "a.b")],
)
def test_an_address_is_one_that_a_browser_here_can_open(host: str, address: str) -> None:
    assert local_address(host, 8) == f"http://{address}:8"


def test_children_get_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCDUCK_WORKERS", "3")
    settings = Settings(
        home=Path("here"),
        ui_port=1234,
        settle_seconds=0.5,
        secret_key=SecretStr("0123456789" * 4),
        api_trusted_proxies=(ip_network("10.0.0.0/8"), ip_network("fd00::/8")),
    )
    environment = child_environment(settings)
    assert environment["DOCDUCK_HOME"] == str(tmp_path / "here")
    assert environment["DOCDUCK_PIPELINE"] == str(tmp_path / "pipeline.yaml")
    assert environment["DOCDUCK_UI_PORT"] == "1234"
    assert environment["DOCDUCK_SETTLE_SECONDS"] == "0.5"
    assert environment["DOCDUCK_WORKERS"] == "3"
    assert environment["DOCDUCK_SECRET_KEY"] == "0123456789" * 4
    assert environment["DOCDUCK_API_TRUSTED_PROXIES"] == "10.0.0.0/8,fd00::/8"
    assert environment["DAGSTER_HOME"] == str(tmp_path / "here" / "dagster")


def test_the_socket_of_a_deep_home_is_short_and_private(tmp_path: Path) -> None:
    assert unix_socket(Path("/srv/docduck"), "code") == Path("/srv/docduck/run/code.sock")
    path = unix_socket(tmp_path / ("deep" * 30), "code")
    try:
        assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert path != unix_socket(tmp_path / ("deeb" * 30), "code").parent / "code.sock"
    finally:
        path.parent.rmdir()
        unix_socket(tmp_path / ("deeb" * 30), "code").parent.rmdir()


def test_nothing_that_listens_is_not_loaded() -> None:
    port = free_port("127.0.0.1", 0, "the UI", "DOCDUCK_UI_PORT")
    state = code_location_state(f"http://127.0.0.1:{port}", LOCATION)
    assert not state.loaded
    assert state.error is None


def told(settings: Settings, *, samples: bool) -> list[str]:
    """What is told of the home, but for how to sign in on the pages."""
    said = prepare_home(settings, samples=samples)
    hints = [one for one in said if one.startswith("Nobody can sign in")]
    assert len(hints) == 1
    return [one for one in said if one not in hints]


def test_samples_are_put_into_a_new_home_once(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, pipeline=tmp_path / "none.yaml")
    assert told(settings, samples=False) == []
    said = told(settings, samples=True)
    documents = [path for path in settings.inbox.glob("*/*") if path.is_file()]
    assert documents
    assert said == [f"Put {len(documents)} sample documents into the inbox"]
    for document in documents:
        document.unlink()
    assert told(settings, samples=True) == []
    assert not [path for path in settings.inbox.glob("*/*") if path.is_file()]


def test_the_pipeline_is_applied_and_a_wrong_one_stops_nothing(tmp_path: Path) -> None:
    pipeline = tmp_path / "pipeline.yaml"
    settings = Settings(home=tmp_path / "home", pipeline=pipeline)
    pipeline.write_text("parsers:\n  - template: receipt\n")
    (made,) = told(settings, samples=False)
    assert "receipts" in made
    assert (settings.inbox / "receipts").is_dir()
    pipeline.write_text("parsers:\n  - template: recipe\n")
    (wrong,) = told(settings, samples=False)
    assert "pipeline.yaml:2" in wrong


def test_it_tells_how_to_sign_in_until_somebody_can(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", pipeline=tmp_path / "none.yaml", api_port=8123)
    (told,) = prepare_home(settings, samples=False)
    assert re.search("create the first account at http://127.0.0.1:8123/first-user/[0-9a-f]{64}$", told)
    inst = open_installation(settings)
    try:
        ann = create_user(inst, "ann@example.org", "Ann")
        add_member(inst, inst.team_id, ann.id, "owner")
        (told,) = prepare_home(settings, samples=False)
        start, _, token = told.rpartition("/")
        assert start.endswith("as ann@example.org, set a password at http://127.0.0.1:8123/password-reset")
        finish_reset(inst, token, "correct horse battery")
        assert prepare_home(settings, samples=False) == []
    finally:
        inst.close()


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


def tree(pid: int) -> list[psutil.Process]:
    return [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]


def found(pid: int, *words: str) -> list[psutil.Process]:
    """The live processes below ``pid`` whose command has all ``words``."""
    matching = []
    for process in tree(pid):
        with contextlib.suppress(psutil.Error):
            if process.status() != psutil.STATUS_ZOMBIE and set(words) <= set(process.cmdline()):
                matching.append(process)
    return matching


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running docduck, and the address of its UI."""
    home = tmp_path_factory.mktemp("up")
    code = (
        "from docduck.cli.runtime.processes import run_up; from docduck.settings import settings; "
        "run_up(settings(), False)"
    )
    with (home / "out").open("w") as out:
        popen = subprocess.Popen(
            [sys.executable, "-c", code],
            env={**os.environ, "DOCDUCK_HOME": str(home), "DOCDUCK_UI_PORT": "0", "DOCDUCK_API_PORT": "0"},
            cwd=home,
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
        )
    try:
        output = home / "out"
        wait_for(lambda: popen.poll() is not None or "Ctrl-C" in output.read_text(), 120)
        printed = output.read_text()
        ui, api = (re.search(rf"{name} +(http://127\.0\.0\.1:\d+)", printed) for name in ("Dagster", "API"))
        assert ui is not None and api is not None, printed
        assert (home / "run" / "api").read_text() == f"{api.group(1)}\n"
        assert is_ready(api.group(1))
        yield popen, ui.group(1)
        left = tree(popen.pid)
        popen.terminate()
        assert popen.wait(30) == 0
        wait_for(lambda: not any(p.is_running() and p.status() != "zombie" for p in left), 5)
        assert list((home / "run").glob("*.pid")) == []
    finally:
        popen.kill()
        popen.wait()


@pytest.mark.extended
def test_all_processes_together_stay_small(up: tuple[subprocess.Popen[str], str]) -> None:
    popen, address = up
    assert code_location_state(address, LOCATION).loaded
    memory: dict[int, int] = {}

    def small() -> bool:
        # Proportional: what processes share is counted once, as the machine does.
        memory.clear()
        memory.update((p.pid, p.memory_full_info().pss >> 20) for p in tree(popen.pid))
        return sum(memory.values()) < 900

    wait_for(small, 60, lambda: f"MB of each process: {memory}")


@pytest.mark.extended
@pytest.mark.parametrize(
    "words",
    [
        ("dagster_docduck.orchestration.webserver",),
        ("code-server",),
        ("api", "grpc"),
        ("dagster._daemon",),
        ("serve",),
    ],
)
def test_what_is_killed_comes_back(up: tuple[subprocess.Popen[str], str], words: tuple[str, ...]) -> None:
    popen, address = up
    wait_for(lambda: found(popen.pid, *words), 60)
    killed = found(popen.pid, *words)[0]
    killed.send_signal(signal.SIGKILL)
    wait_for(lambda: [p for p in found(popen.pid, *words) if p != killed], 60)
    wait_for(lambda: code_location_state(address, LOCATION).loaded, 60)
