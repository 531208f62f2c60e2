from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from docduck.errors import Transient
from docduck.local_model import endpoint, server
from docduck.local_model.choice import LocalModel
from docduck.local_model.endpoint import LocalEndpoint
from docduck.local_model.server import ModelServer
from docduck.local_model.server_state import ServerState, end_servers
from docduck.owner import this_process
from docduck.supervisor_watch import SUPERVISOR
from tests.waiting import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.installed]
pytest.importorskip("xllamacpp")

SECONDS = 120
"""For a start on a busy machine."""
BODY = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 2}

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}

ASK = f"""
import sys
from pathlib import Path
from docduck.local_model.choice import LocalModel
from docduck.local_model.endpoint import LocalEndpoint
model = LocalModel(Path(sys.argv[1]), "tiny", Path(sys.argv[2]), 4096)
print(LocalEndpoint(model).post("chat/completions", {BODY!r}, {SECONDS}).status, flush=True)
"""


def asks(model: LocalModel) -> int:
    with LocalEndpoint(model) as local:
        return local.post("chat/completions", BODY, SECONDS).status


def process_of(model: LocalModel) -> psutil.Process:
    process = ServerState.of(model).process()
    assert process is not None
    return process


def is_gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def suspend(process: psutil.Process) -> None:
    """Stop a process, and wait until it is: until its first thread has the signal, others may answer."""
    process.suspend()
    wait_for(lambda: process.status() == psutil.STATUS_STOPPED)


def test_who_needs_it_first_starts_it_for_all_processes(tiny_model: LocalModel) -> None:
    command = [sys.executable, "-c", ASK, str(tiny_model.file), str(tiny_model.folder)]
    others = [subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE) for _ in range(2)]
    assert asks(tiny_model) == 200
    process = process_of(tiny_model)
    assert [other.communicate()[0] for other in others] == [b"200\n"] * 2
    # It outlives whoever started it.
    assert process_of(tiny_model) == process
    assert len(ServerState.all_in(tiny_model.folder)) == 1
    running = ServerState.of(tiny_model).running
    assert running is not None
    address = f"http://127.0.0.1:{running.port}/v1/models"
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(address)
    request = urllib.request.Request(
        address, headers={"Authorization": f"Bearer {running.key}", "Origin": "https://evil.example"}
    )
    with urllib.request.urlopen(request) as response:
        assert not response.headers["Access-Control-Allow-Origin"]
    listening = [one.laddr.ip for one in process.net_connections() if one.status == psutil.CONN_LISTEN]
    assert listening == ["127.0.0.1"]
    files = [path for path in ServerState.of(tiny_model).folder.iterdir() if path.stat().st_mode & 0o077]
    assert [path.name for path in files] in ([], ["server.log"])
    end_servers(tiny_model.folder)
    wait_for(lambda: is_gone(process))
    assert not ServerState.of(tiny_model).is_alive()


def test_killed_between_and_during_requests_it_is_started_again(tiny_model: LocalModel) -> None:
    with LocalEndpoint(tiny_model) as local:
        assert local.post("chat/completions", BODY, SECONDS).status == 200
        process_of(tiny_model).kill()
        assert local.post("chat/completions", BODY, SECONDS).status == 200
        process = process_of(tiny_model)
        with ThreadPoolExecutor(1) as pool:
            # It doesn't answer before it is killed.
            suspend(process)
            request = pool.submit(local.post, "chat/completions", BODY, SECONDS)
            wait_for(lambda: bool([one for one in process.net_connections() if one.raddr]))
            process.kill()
            assert request.result().status == 200
        assert process_of(tiny_model) != process


def test_a_hung_server_is_ended(tiny_model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "_ALIVE_SECONDS", 0.5)
    with LocalEndpoint(tiny_model) as local:
        assert local.post("chat/completions", BODY, SECONDS).status == 200
        process = process_of(tiny_model)
        suspend(process)
        with pytest.raises(Transient, match="no answer"):
            local.post("chat/completions", BODY, 0.5)
        wait_for(lambda: is_gone(process))
        assert local.post("chat/completions", BODY, SECONDS).status == 200


def test_a_slow_server_is_not_ended(tiny_model: LocalModel) -> None:
    with LocalEndpoint(tiny_model) as local:
        assert local.post("chat/completions", BODY, SECONDS).status == 200
        process = process_of(tiny_model)
        with pytest.raises(Transient):
            local.post("chat/completions", {**BODY, "max_tokens": 4000, "ignore_eos": True}, 0.3)
        wait_for(lambda: not [one for one in threading.enumerate() if one.name == "model-check"])
        assert process_of(tiny_model) == process


def test_a_broken_model_is_not_tried_for_each_document(
    tiny_model: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tiny_model.file.read_bytes()
    tiny_model.file.write_bytes(whole[: len(whole) // 2])
    with LocalEndpoint(tiny_model) as local:
        with pytest.raises(Transient, match=r"could not start: .*not within the file bounds"):
            local.post("chat/completions", BODY, SECONDS)
        log = ServerState.of(tiny_model).log
        tried = log.stat().st_mtime_ns
        with pytest.raises(Transient, match="not within the file bounds"):
            local.post("chat/completions", BODY, SECONDS)
        assert log.stat().st_mtime_ns == tried
        monkeypatch.setattr(server, "PAUSE_SECONDS", 0)
        with pytest.raises(Transient):
            local.post("chat/completions", BODY, SECONDS)
        assert log.stat().st_mtime_ns > tried


def test_what_has_no_room_in_memory_is_not_started(
    tiny_model: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "free_bytes", lambda: 100_000_000)
    with pytest.raises(Transient, match=r"tiny needs 0\.5 GB of memory, and 0\.1 GB are free"):
        asks(tiny_model)
    assert not ServerState.of(tiny_model).is_alive()


def test_without_the_library_the_remedy_is_told(
    tiny_model: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "is_installed", lambda: False)
    with pytest.raises(Transient, match=r"pip install 'docduck\[model\]'"):
        asks(tiny_model)


def test_it_ends_when_nobody_uses_it(tiny_model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE_SECONDS", 1.0)
    assert asks(tiny_model) == 200
    process, state = process_of(tiny_model), ServerState.of(tiny_model)
    with state.in_use(time.monotonic() + SECONDS):
        os.utime(state.used, (0, 0))
        with pytest.raises(psutil.TimeoutExpired):
            process.wait(3)
    wait_for(lambda: is_gone(process))
    assert asks(tiny_model) == 200


def test_it_ends_with_the_supervisor(tiny_model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as supervisor:
        own = this_process().split("/")
        started = f"{psutil.Process(supervisor.pid).create_time():.2f}"
        monkeypatch.setenv(SUPERVISOR, "/".join([*own[:2], str(supervisor.pid), started, own[4]]))
        assert asks(tiny_model) == 200
        process = process_of(tiny_model)
        supervisor.send_signal(signal.SIGKILL)
    wait_for(lambda: is_gone(process))


def test_one_that_starts_is_waited_for_though_its_starter_is_killed(tiny_model: LocalModel) -> None:
    state = ServerState.of(tiny_model)
    command = [sys.executable, "-c", ASK, str(tiny_model.file), str(tiny_model.folder)]
    with subprocess.Popen(command, env=ENVIRONMENT) as starter:
        wait_for(lambda: state.folder.exists() and state.process() is not None)
        starter.kill()
    process = process_of(tiny_model)
    assert asks(tiny_model) == 200
    assert process_of(tiny_model) == process


def test_another_context_has_another_server(tiny_model: LocalModel, tmp_path: Path) -> None:
    short = replace(tiny_model, context_tokens=2048)
    assert ServerState.of(short).folder != ServerState.of(tiny_model).folder
    assert ModelServer(short).state.folder.parent == tiny_model.folder
