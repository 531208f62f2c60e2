"""A whole docduck in a home of its own: started, fed with files, asked for its rows, stopped."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import psutil

from docduck.cli.runtime.service_process import is_ready
from docduck.service.accounts.keys import create_key
from docduck.service.core.installation import open_installation
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.sources.sources import ensure_inbox
from docduck.settings import Settings
from tests.benchmarks.clients import send_all, upload
from tests.constants import children_environment

_START_SECONDS = 120.0
_STOP_SECONDS = 60.0


class TookTooLong(Exception):
    """What was waited for did not happen."""


@dataclass(frozen=True, slots=True)
class Running:
    """A docduck that is ready; ``ready_seconds`` is what it took from the command to there."""

    home: Path
    parser: ParserView
    key: str
    pid: int
    ready_seconds: float

    def drop(self, files: Sequence[Path]) -> float:
        """Move files into the parser's inbox; gives the moment, in seconds since 1970."""
        inbox = self.home / "inbox" / self.parser.slug
        for file in files:
            file.rename(inbox / file.name)
        return time.time()

    def upload(self, file: Path) -> float:
        """Upload a file over the API; gives the moment before, in seconds since 1970."""
        address = (self.home / "run" / "api").read_text().strip()
        path = f"/api/v1/process/{self.parser.id}/files"
        at = time.time()
        send_all(address, iter([upload(address, path, self.key, file.name, file.read_bytes())]), 1)
        return at

    def read(self) -> int:
        """Documents that the catalog has results of."""
        return self._count("SELECT count(*) FROM documents WHERE status IN ('processed', 'failed')")

    def live_runs(self) -> int:
        """Dagster runs that have not ended."""
        database = self.home / "dagster" / "history" / "runs.db"
        sql = "SELECT count(*) FROM runs WHERE status IN ('QUEUED', 'NOT_STARTED', 'STARTING', 'STARTED')"
        return self._count(sql, database)

    def first_tick(self, since: float) -> float:
        """When the first sensor tick that asked for a run after ``since`` began, in seconds since 1970.

        ``since`` itself if none did, as a run was there already.
        """
        sql = "SELECT timestamp FROM job_ticks WHERE status = 'SUCCESS' ORDER BY timestamp"
        with _sqlite(self.home / "dagster" / "schedules" / "schedules.db") as connection:
            ticks = [datetime.fromisoformat(text).replace(tzinfo=UTC) for (text,) in connection.execute(sql)]
        return min((tick.timestamp() for tick in ticks if tick.timestamp() >= since), default=since)

    def published(self) -> tuple[int, float]:
        """Rows of ``documents`` in the analysts' copy, and when that was put in place.

        No rows, as before the first copy, if it was replaced while it was read.
        """
        path = self.home / "analytics.duckdb"
        try:
            at = path.stat().st_mtime
            with duckdb.connect(str(path), read_only=True) as connection:
                sql = f'SELECT count(*) FROM "{self.parser.slug}".documents'
                row = connection.execute(sql).fetchone()
            replaced = path.stat().st_mtime != at
        except (FileNotFoundError, duckdb.Error):
            return 0, 0.0
        if replaced or row is None:
            return 0, 0.0
        return int(row[0]), at

    def held(self) -> int:
        """Documents that are being read."""
        return self._count("SELECT count(*) FROM documents WHERE status = 'processing'")

    def wait_for_published(self, count: int, seconds: float) -> float:
        """Wait until ``count`` documents of the parser are published; gives the moment of that."""
        at = 0.0

        def there() -> bool:
            nonlocal at
            rows, at = self.published()
            return rows >= count

        wait_for(there, seconds, f"{count} rows")
        return at

    def wait_for_rows(self, count: int, seconds: float) -> float:
        """Wait until ``count`` documents are read and published; gives the moment of the publication."""
        begin = time.monotonic()
        wait_for(lambda: self.read() >= count, seconds, f"{count} documents")
        return self.wait_for_published(count, seconds - (time.monotonic() - begin))

    def _count(self, sql: str, database: Path | None = None) -> int:
        with _sqlite(database or self.home / "catalog.sqlite") as connection:
            (count,) = connection.execute(sql).fetchone()
            return int(count)


def wait_for(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Wait until ``condition`` holds. Raises TookTooLong."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TookTooLong(f"No {what} after {seconds:g} s")
        time.sleep(0.1)


@contextmanager
def running(home: Path, workers: int, settings: Mapping[str, str] | None = None) -> Iterator[Running]:
    """Start docduck with a parser of invoices; stop it at the end. Raises TookTooLong.

    ``settings`` are further environment variables.
    """
    inst = open_installation(Settings(home=home))
    parser = create_parser(inst, inst.team_id, NewParser(template_key="invoice"))
    ensure_inbox(inst)
    key = create_key(inst, inst.team_id, "benchmark").text
    inst.close()
    # Without compiled modules, which pip makes and this variable keeps from being made, starts are slow.
    unwanted = re.compile("DOCDUCK_|PYTHONDONTWRITEBYTECODE$")
    environment = {
        **{name: value for name, value in os.environ.items() if not unwanted.match(name)},
        "DOCDUCK_HOME": str(home),
        "DOCDUCK_PIPELINE": str(home / "pipeline.yaml"),
        "DOCDUCK_UI_PORT": "0",
        "DOCDUCK_API_PORT": "0",
        "DOCDUCK_WORKERS": str(workers),
        **children_environment({"run_warm_seconds": 20}),
        **(settings or {}),
    }
    output = home / "up.log"
    begin = time.monotonic()
    with output.open("wb") as log:
        up = subprocess.Popen(
            [sys.executable, "-c", "from docduck.cli.main import main; main()", "up"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(
            lambda: up.poll() is not None or b"docduck is running" in output.read_bytes(),
            _START_SECONDS,
            "ready docduck",
        )
        if up.poll() is not None:
            raise TookTooLong(f"docduck did not start:\n{output.read_text()}")
        yield Running(home, parser, key, up.pid, time.monotonic() - begin)
    finally:
        up.send_signal(signal.SIGINT)
        try:
            up.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            up.kill()
            up.wait()


@contextmanager
def served(
    program: Sequence[str], log: Path, port: int, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[str, psutil.Process]]:
    """Run a Python program that serves at a port; yield its address, when it is ready, and its process."""
    with log.open("wb") as output:
        serve = subprocess.Popen(
            [sys.executable, *program],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: is_ready(address), _START_SECONDS, "ready server")
        yield address, psutil.Process(serve.pid)
    finally:
        serve.send_signal(signal.SIGTERM)
        serve.wait()


@contextmanager
def _sqlite(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as connection:
        yield connection
