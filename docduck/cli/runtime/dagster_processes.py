"""The processes of Dagster that ``docduck up`` runs: their commands, environment and workspace."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import SecretStr

from docduck.cli.runtime.addresses import server_folder
from docduck.cli.runtime.dagster_health import CodeServerHealth
from docduck.cli.runtime.supervisor import Process
from docduck.errors import InputError
from docduck.service.processing.run_lock import RUN_START_SECONDS
from docduck.service.runs.processing_runs import LOCATION, SERVER_FOLDER
from docduck.settings import Settings

MODULE = "dagster_docduck.orchestration.definitions"


def child_environment(settings: Settings) -> dict[str, str]:
    """Return the environment of all processes: this one's, the settings, and options of Dagster."""
    values = settings.model_dump(exclude_unset=True, exclude_none=True) | {
        "home": settings.home.absolute(),
        "pipeline": settings.pipeline.absolute(),
    }
    for name in ("models", "model_file"):
        if (path := getattr(settings, name)) is not None:
            values[name] = path.absolute()
    return {
        "MALLOC_ARENA_MAX": "2",
        # A start that takes longer than Dagster waits counts as failed, although the run goes on.
        "DAGSTER_GRPC_TIMEOUT_SECONDS": str(RUN_START_SECONDS),
        # Only retries of runs wait for it.
        "DAGSTER_EVENT_LOG_CONSUMER_DAEMON_INTERVAL_SECONDS": "60",
        "PYTHONWARNINGS": "ignore",
        **os.environ,
        **{f"DOCDUCK_{name.upper()}": _text(value) for name, value in values.items()},
        "DAGSTER_HOME": str(settings.dagster_home.absolute()),
        "DAGSTER_DISABLE_TELEMETRY": "1",
        "PYTHONSAFEPATH": "1",
        "PYTHONUNBUFFERED": "1",
    }


def _text(value: object) -> str:
    """Return a setting's value as in an environment variable."""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def processes(settings: Settings, code_socket: Path, workspaces: Sequence[Path]) -> list[Process]:
    """Return Dagster's processes. Webserver and daemon share the code server, so one reload serves both."""
    files = [str(path) for path in workspaces]
    environment = {**child_environment(settings), SERVER_FOLDER: str(server_folder(settings.home))}
    python = [sys.executable, "-m"]
    dagster = [*python, "dagster_docduck.orchestration.dagster_process"]
    level = "debug" if settings.log_level.upper() == "DEBUG" else "warning"
    return [
        Process(
            "code-server",
            [
                *(*dagster, "dagster", "code-server", "start", "--use-python-environment-entry-point"),
                *("--socket", str(code_socket), "--location-name", LOCATION),
                # Dagster puts it on the path: not the user's folder, where any module may stand.
                *("--module-name", MODULE, "--working-directory", str(settings.dagster_home.absolute())),
            ],
            environment,
            healthy=CodeServerHealth(code_socket),
            before_restart=[*python, "dagster_docduck.orchestration.instance"],
        ),
        Process(
            "webserver",
            [*python, "dagster_docduck.orchestration.webserver", *files],
            environment,
        ),
        Process(
            "daemon",
            [
                *(*dagster, "dagster._daemon", "run", "--log-level", level),
                *(part for file in files for part in ("--workspace", file)),
            ],
            environment,
        ),
    ]


def write_workspace(settings: Settings, code_socket: Path) -> list[Path]:
    """Write the workspace of webserver and daemon; return its path, and that of the user's own workspace.

    Raise InputError if there is no file at the latter.
    """
    own = [] if settings.workspace is None else [settings.workspace.absolute()]
    for missing in (path for path in own if not path.is_file()):
        raise InputError(f"DOCDUCK_WORKSPACE: there is no file {missing}", "DOCDUCK_WORKSPACE")
    path = settings.dagster_home.absolute() / "workspace.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "# Written by docduck at every start.\n"
        f"load_from:\n  - grpc_server:\n      socket: {code_socket}\n      location_name: {LOCATION}\n"
    )
    return [path, *own]
