"""``docduck up``: supervises the API and Dagster's code server, daemon and webserver, until Ctrl-C."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

from rich.console import Console

from docduck.cli.runtime.addresses import free_port, local_address, server_folder, unix_socket
from docduck.cli.runtime.dagster_health import code_location_state
from docduck.cli.runtime.dagster_processes import processes, write_workspace
from docduck.cli.runtime.service_process import is_ready, service_process
from docduck.cli.runtime.stopping import stopping_on_signals
from docduck.cli.runtime.supervisor import Process, Supervisor, ending
from docduck.errors import DocduckError, InputError
from docduck.local_model.choice import servers_folder
from docduck.local_model.server_state import end_servers
from docduck.service.runs.processing_runs import LOCATION
from docduck.settings import STOP_GRACE_SECONDS, Settings
from docduck.warehouse.opening import published_path

_TRIES = 3
_POLL_SECONDS = 1.0


def run_up(settings: Settings, with_samples: bool) -> int:
    """Run everything until a signal stops it; return the exit code.

    ``with_samples`` puts sample documents into the inbox of a new home. Raise InputError if a port is
    taken, Conflict if docduck already runs on this home, DocduckError if it can't start.
    """
    console = Console(highlight=False, soft_wrap=True)
    with stopping_on_signals():
        try:
            with Supervisor(settings.home.absolute(), STOP_GRACE_SECONDS, console.print) as supervisor:
                try:
                    settings = _with_addresses(settings)
                    _start(supervisor, settings, with_samples)
                    _print_addresses(console, supervisor, settings)
                    while True:
                        supervisor.poll()
                        time.sleep(_POLL_SECONDS)
                finally:
                    # Nobody is left who could start the model's server again.
                    supervisor.stop()
                    end_servers(servers_folder(settings.home))
        except KeyboardInterrupt:
            console.print("Stopped")
            return 0


def _with_addresses(settings: Settings) -> Settings:
    """Return the settings with ports that are free, and Dagster's URL."""
    ui_port = free_port(settings.ui_host, settings.ui_port, "the UI", "DOCDUCK_UI_PORT")
    api_port = free_port(settings.bind_host, settings.api_port, "the API", "DOCDUCK_API_PORT")
    if ui_port == api_port:
        raise InputError(
            f"DOCDUCK_UI_PORT and DOCDUCK_API_PORT are both {ui_port}: set one of them to another port",
            "DOCDUCK_API_PORT",
        )
    changes: dict[str, object] = {"ui_port": ui_port, "api_port": api_port}
    if settings.dagster_url is None:
        changes["dagster_url"] = local_address(settings.ui_host, ui_port)
    return settings.model_copy(update=changes)


def _ui_address(settings: Settings) -> str:
    return local_address(settings.ui_host, settings.ui_port)


def _api_address(settings: Settings) -> str:
    return local_address(settings.bind_host, settings.api_port)


def _start(supervisor: Supervisor, settings: Settings, with_samples: bool) -> None:
    """Start all processes, each once those that it needs are ready, and wait until all are ready.

    Each step may take as long as ``start_timeout_seconds``.
    """
    # Servers that were killed have left their sockets.
    shutil.rmtree(servers := server_folder(settings.home), ignore_errors=True)
    servers.mkdir(parents=True)
    code_socket = unix_socket(settings.home, "code")
    code_socket.unlink(missing_ok=True)
    workspaces = write_workspace(settings, code_socket)
    code_server, webserver, daemon = processes(settings, code_socket, workspaces)
    supervisor.say("Starting docduck …")
    samples = ["--samples"] * with_samples
    _prepare(supervisor, settings, code_server, "docduck.cli.runtime.first_start", *samples)
    # Every process of Dagster, the code server too, must find the instance's storage complete.
    _prepare(supervisor, settings, code_server, "dagster_docduck.orchestration.instance")
    supervisor.start(code_server)
    supervisor.start(webserver)
    _wait(supervisor, settings, "Dagster's code server", code_socket.exists)
    supervisor.start(daemon)
    supervisor.start(service_process(settings))
    _wait(supervisor, settings, "the pipeline in Dagster", lambda: _is_loaded(supervisor, settings))
    _wait(supervisor, settings, "the API", lambda: is_ready(_api_address(settings)))


def _prepare(supervisor: Supervisor, settings: Settings, process: Process, *arguments: str) -> None:
    """Run a module that prepares something; its output is a message, or the error.

    One that is killed, or ends without a word, is run again.
    """
    for tries_left in reversed(range(_TRIES)):
        output, status = _output(process.environment, settings.start_timeout_seconds, *arguments)
        if not status:
            if output:
                supervisor.say(output)
            return
        how = f"{arguments[0]} {ending(status)}"
        if (status > 0 and output) or not tries_left:
            break
        supervisor.say(f"{how}; trying again")
    raise DocduckError(f"The home folder {supervisor.home} could not be prepared: {output or how}")


def _output(environment: Mapping[str, str], seconds: float, *arguments: str) -> tuple[str, int]:
    """Run a Python module to its end; return what it printed and its exit status.

    Raise DocduckError if it takes longer than ``seconds``.
    """
    with subprocess.Popen(
        [sys.executable, "-m", *arguments],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as popen:
        try:
            return popen.communicate(timeout=seconds)[0].strip(), popen.returncode
        except subprocess.TimeoutExpired:
            raise DocduckError(
                f"{arguments[0]} was not done after {seconds:g} s: raise DOCDUCK_START_TIMEOUT_SECONDS, or "
                "look at what the machine and its databases are busy with"
            ) from None
        finally:
            popen.kill()


def _is_loaded(supervisor: Supervisor, settings: Settings) -> bool:
    state = code_location_state(_ui_address(settings), LOCATION)
    if state.error is not None:
        raise DocduckError(
            f"The pipeline could not be loaded: {state.error}\nSee {supervisor.log_path('code-server')}"
        )
    return state.loaded


def _wait(supervisor: Supervisor, settings: Settings, what: str, is_ready: Callable[[], bool]) -> None:
    """Wait until ``is_ready``; raise DocduckError, which names ``what``, if that takes too long."""
    deadline = time.monotonic() + settings.start_timeout_seconds
    while not is_ready():
        if time.monotonic() > deadline:
            raise DocduckError(
                f"docduck could not be started: {what} was not ready after "
                f"{settings.start_timeout_seconds:g} s: see the logs in {settings.home / 'logs'}, or raise "
                "DOCDUCK_START_TIMEOUT_SECONDS"
            )
        supervisor.poll()
        time.sleep(0.1)


def _print_addresses(console: Console, supervisor: Supervisor, settings: Settings) -> None:
    inbox = settings.inbox
    parsers = sorted(path.name for path in inbox.iterdir() if path.is_dir()) if inbox.is_dir() else []
    table = "invoices.documents" if "invoices" in parsers else "information_schema.tables"
    (supervisor.run_folder / "api").write_text(_api_address(settings) + "\n")
    (supervisor.run_folder / "ui").write_text(_ui_address(settings) + "\n")
    console.print("[bold green]docduck is running[/]")
    for label, value in [
        ("Pages", f"{_api_address(settings)}/"),
        ("Dagster", f"{_ui_address(settings)}/"),
        ("API", f"{_api_address(settings)}/api/v1  (docs: /docs)"),
        ("Inbox", f"{inbox}/" + ("{" + ",".join(parsers) + "}/" if parsers else "")),
        ("Tables", f"{published_path(settings.home, settings)}"),
        ("", f'docduck warehouse query "FROM {table}"'),
        ("Exports", f"{settings.exports}/"),
        ("Logs", f"{settings.home / 'logs'}/"),
    ]:
        console.print(f"  [bold]{label:<8}[/] ", end="")
        console.print(value, markup=False)
    console.print("Ctrl-C stops everything")
