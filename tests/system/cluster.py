"""A catalog in PostgreSQL, files and tables in a bucket, and a machine that reads beside ``docduck up``."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import psutil

from docduck.owner import LEASE_SECONDS
from docduck.warehouse.lake.attaching import load_extension
from tests.object_store import KEYS, keys_set, new_bucket, object_store
from tests.postgres import postgres_running, restart_postgres
from tests.system.docduck import READY_SECONDS, Docduck
from tests.waiting import wait_for

FAULTS = ("reading host", "database", "bucket")
PAUSE = "paused host"
"""A fault that lasts longer than a lease."""
_AWAY_SECONDS = 4.0
_LONGEST_PAUSE = 20.0


@dataclass
class Cluster:
    """What homes share, by their ``settings``; all of it can fail."""

    programs: Path
    settings: dict[str, Any]
    hosts: list[Docduck] = field(default_factory=list)
    _store: ExitStack = field(default_factory=ExitStack)

    def add_host(self, home: Path, within: Sequence[str] = (), **settings: object) -> Docduck:
        """Start ``docduck work`` on a home of its own, ``within`` another program."""
        self.hosts.append(Docduck(home, **self.settings, **settings))
        _launch(self.hosts[-1], within)
        return self.hosts[-1]

    def stop_hosts(self) -> None:
        """Send what systemd sends, and see that everything of the hosts ends."""
        for host in self.hosts:
            host.stop(signal.SIGTERM)

    def strike(self, kind: str, chance: random.Random) -> int:
        """Kill a reading host or PostgreSQL, or take the bucket away, all for moments; or pause a host.

        Return how many processes were hit.
        """
        if kind == "database":
            restart_postgres(self.programs, self.settings["catalog_url"])
        elif kind == "bucket":
            self._store.close()
            time.sleep(chance.uniform(0, _AWAY_SECONDS))
            self.open_store(int(self.settings["files_endpoint"].rpartition(":")[2]))
        elif kind == PAUSE:
            host = chance.choice(self.hosts)
            with paused([*host.processes(), *host.fork_servers(), *host.workers()]) as stopped:
                time.sleep(LEASE_SECONDS + chance.uniform(0, _LONGEST_PAUSE))
            return len(stopped)
        else:
            host = chance.choice(self.hosts)
            hit = len(host.processes())
            host.kill()
            _launch(host)
            return hit
        return 1

    def open_store(self, port: int = 0) -> str:
        """Start the server of the bucket, which keeps what it has; return its address."""
        return self._store.enter_context(object_store(port))

    def analyst(self, team: str = "default") -> duckdb.DuckDBPyConnection:
        """Return a connection of DuckDB alone to what is published of a team's tables in the bucket."""
        connection = duckdb.connect()
        load_extension(connection, "ducklake")
        load_extension(connection, "httpfs")
        endpoint = self.settings["files_endpoint"].removeprefix("http://")
        connection.execute(
            f"CREATE SECRET (TYPE s3, KEY_ID '{KEYS['access_key']}', SECRET '{KEYS['secret_key']}',"
            f" ENDPOINT '{endpoint}', USE_SSL false, URL_STYLE 'path', REGION 'us-east-1')"
        )
        catalog = f"{self.settings['lake_url']}/teams/{team}/analytics.ducklake"
        connection.execute(f"ATTACH 'ducklake:{catalog}' AS analytics (READ_ONLY); USE analytics")
        return connection

    def close(self) -> None:
        """Kill the hosts, and stop the server of the bucket."""
        for host in self.hosts:
            host.kill()
        self._store.close()


@contextmanager
def paused(processes: Sequence[psutil.Process]) -> Iterator[list[psutil.Process]]:
    """Pause processes during the block; yield those that were there."""
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.suspend()
            found.append(process)
    yield found
    for process in found:
        with suppress(psutil.NoSuchProcess):
            process.resume()


def _launch(host: Docduck, within: Sequence[str] = ()) -> None:
    """Start ``docduck work`` and wait until it reads: it can't start while the catalog is away."""
    (host.home / "output").unlink(missing_ok=True)
    host.launch(command="work", within=within)
    wait_for(lambda: "Reading with" in host.output, READY_SECONDS, lambda: host.output)


@contextmanager
def running_cluster(programs: Path) -> Iterator[Cluster]:
    """Yield an empty cluster, on a server of PostgreSQL of its own."""
    with keys_set(), postgres_running(programs, in_memory=True) as server:
        cluster = Cluster(programs, {})
        endpoint = cluster.open_store()
        bucket = new_bucket(endpoint).config["bucket"]
        cluster.settings.update(
            catalog_url=server,
            files_url=f"s3://{bucket}",
            files_endpoint=endpoint,
            lake_url=f"s3://{bucket}/lake",
        )
        try:
            yield cluster
        finally:
            cluster.close()
