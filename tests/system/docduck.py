"""A docduck of the tests' own, as real processes: started, asked, killed, stopped, counted."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import psutil

from docduck.settings import Settings
from docduck.warehouse.opening import open_published, published_path
from tests.constants import children_environment, split
from tests.waiting import wait_for

READY_SECONDS = 180.0
GRACE_SECONDS = 15.0

KINDS = {
    "supervisor": "docduck up",
    "guard": "guard.py watch",
    "code server": "dagster code-server start",
    "inner code server": "dagster api grpc",
    "webserver": "orchestration.webserver",
    "service": "main() serve",
    "daemon": "dagster._daemon run",
    "run": "multiprocessing.spawn",
}
"""Words in the command line of each kind of process."""

FORK_SERVER = "docduck.workers.fork_program"


class Docduck:
    """``docduck up`` on a home folder; ``settings`` become ``DOCDUCK_<NAME>``, and may be constants."""

    def __init__(self, home: Path, **settings: object) -> None:
        self.home = home
        self.inbox = home / "inbox"
        values: dict[str, object] = {
            "home": home,
            "pipeline": home / "pipeline.yaml",
            "ui_port": 0,
            "api_port": 0,
            "run_warm_seconds": 20,
            **settings,
        }
        variables, constants = split(values)
        self.settings = Settings(**variables)
        self.analytics = published_path(home, self.settings)
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("DOCDUCK_")},
            **{f"DOCDUCK_{name.upper()}": str(value) for name, value in variables.items()},
            **children_environment(constants),
        }
        self._program = Path(sys.executable).with_name("docduck")
        self._popen: subprocess.Popen[bytes] | None = None

    @property
    def output(self) -> str:
        """What ``docduck up`` has printed since it was first started."""
        return (self.home / "output").read_text()

    @property
    def address(self) -> str:
        """Address of the UI, once it is ready."""
        return (self.home / "run" / "ui").read_text().strip()

    @property
    def api_address(self) -> str:
        """Address of the API, once it is ready."""
        return (self.home / "run" / "api").read_text().strip()

    def launch(self, *arguments: str, command: str = "up", within: Sequence[str] = ()) -> None:
        """Start ``docduck up``, or another command, without waiting for it; ``within`` another program."""
        self.home.mkdir(exist_ok=True)
        (self.home / "run" / "ui").unlink(missing_ok=True)
        with (self.home / "output").open("ab") as output:
            self._popen = subprocess.Popen(
                [*within, self._program, command, *arguments],
                env=self._environment,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def start(self, *arguments: str) -> float:
        """Start ``docduck up`` and wait until it is ready; gives the seconds that took."""
        begin = time.monotonic()
        self.launch(*arguments)
        self.wait_until_ready()
        return time.monotonic() - begin

    def wait_until_ready(self) -> None:
        popen = self._popen
        assert popen is not None

        def ready() -> bool:
            assert popen.poll() is None, self.output
            return (self.home / "run" / "ui").exists()

        wait_for(ready, READY_SECONDS, lambda: self.output)

    def stop(self, how: signal.Signals = signal.SIGINT) -> float:
        """Send what Ctrl-C sends, see that everything ends; gives the seconds that took."""
        assert self._popen is not None
        begin = time.monotonic()
        self._popen.send_signal(how)
        assert self._popen.wait(GRACE_SECONDS) == 0, self.output
        seconds = time.monotonic() - begin
        self._popen = None
        left = self.processes()
        assert not left, [" ".join(process.cmdline()) for process in left]
        return seconds

    def kill(self) -> None:
        """Kill everything at once, as a power cut would."""
        while found := self.processes():
            for process in found:
                kill(process)
            self.reap()

    def reap(self) -> None:
        """Take note of a supervisor that was killed."""
        if self._popen is not None:
            self._popen.wait(GRACE_SECONDS)
            self._popen = None

    def processes(self, kind: str | None = None) -> list[psutil.Process]:
        """The live processes of this home, whoever their parents are; all, or those of one kind."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.environ().get("DOCDUCK_HOME") != str(self.home):
                    continue
                if process.status() == psutil.STATUS_ZOMBIE:
                    continue
                if kind is None or KINDS[kind] in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def fork_servers(self) -> list[psutil.Process]:
        """The live fork servers, which know nothing of the home: children of its processes."""
        found = []
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                found += [one for one in process.children() if FORK_SERVER in " ".join(one.cmdline())]
        return found

    def workers(self) -> list[psutil.Process]:
        """The live worker processes: children of fork servers."""
        found = []
        for server in self.fork_servers():
            with contextlib.suppress(psutil.Error):
                found += server.children()
        return found

    def command(self, *arguments: str) -> str:
        """Run a command of docduck on this home; gives what it prints."""
        done = subprocess.run(
            [self._program, *arguments],
            env=self._environment,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def graphql(self, query: str, **variables: Any) -> Any:
        """The answer of the UI's own interface."""
        request = urllib.request.Request(
            f"{self.address}/graphql",
            data=json.dumps({"query": query, "variables": variables}).encode(),
            headers={"Content-Type": "application/json"},
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30) as response:
            answer = json.load(response)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    def live_runs(self) -> int:
        """Dagster runs that have not ended, by Dagster's own account."""
        answer = self.graphql(
            "{ runsOrError(filter: {statuses: [QUEUED, NOT_STARTED, MANAGED, STARTING, STARTED, CANCELING]})"
            " { ... on Runs { results { runId } } } }"
        )
        return len(answer["runsOrError"]["results"])

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Ask what is published, a file as any analyst would; no rows while nothing is."""
        if not self.analytics.exists():
            return []
        if self.settings.lake_url is None:
            with duckdb.connect(str(self.analytics), read_only=True) as connection:
                return connection.execute(sql).fetchall()
        with open_published(self.home, self.settings).reading() as connection:
            return connection.execute(sql).fetchall()


def kill(process: psutil.Process) -> None:
    """Kill a process; one that has just ended is no error."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process.kill()
