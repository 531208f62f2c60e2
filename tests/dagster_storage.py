"""Dagster's own storage in a test's folder: its databases are made once in each process, then copied.

Dagster loads all its migrations for each database that it opens, one of which belongs to each run, and makes
an engine for each statement.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from alembic.script import ScriptDirectory
from dagster import DagsterInstance
from dagster._core.storage import sql
from dagster._core.storage.event_log.sqlite import sqlite_event_log
from dagster._core.storage.event_log.sqlite.sqlite_event_log import SqliteEventLogStorage
from dagster._core.storage.runs.sqlite import sqlite_run_storage
from dagster._core.storage.schedules.sqlite import sqlite_schedule_storage
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from sqlalchemy import Engine, NullPool
from sqlalchemy import create_engine as new_engine

_MOST_ENGINES = 100
_RUN = "run"


@contextmanager
def local_instance(folder: Path) -> Iterator[DagsterInstance]:
    """Yield an instance whose storage is in ``folder``."""
    for name, content in _databases().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with _opened(folder) as instance:
        yield instance


def _opened(folder: Path) -> DagsterInstance:
    return DagsterInstance.local_temp(str(folder), overrides={"telemetry": {"enabled": False}})


@functools.cache
def _databases() -> Mapping[Path, bytes]:
    """Return the databases of an instance by their names in its folder."""
    with TemporaryDirectory() as folder:
        with _opened(Path(folder)):
            pass
        return {path.relative_to(folder): path.read_bytes() for path in Path(folder).rglob("*.db")}


@functools.cache
def _database_of_run() -> bytes:
    with TemporaryDirectory() as folder:
        storage = SqliteEventLogStorage(folder)
        _prepare_run(storage, _engine(storage.conn_string_for_shard(_RUN)))
        return Path(storage.path_for_shard(_RUN)).read_bytes()


_prepare_run = SqliteEventLogStorage._initdb


def _prepare(storage: SqliteEventLogStorage, engine: Engine, for_index_shard: bool = False) -> None:
    path = Path(str(engine.url.database))
    if for_index_shard or path.exists():
        _prepare_run(storage, engine, for_index_shard)
    else:
        path.write_bytes(_database_of_run())


def _create_engine(address: str, **_options: Any) -> Engine:
    return _engine(address)


@functools.lru_cache(_MOST_ENGINES)
def _engine(address: str) -> Engine:
    return new_engine(address, poolclass=NullPool, connect_args={"timeout": SQLITE_BUSY_TIMEOUT_SECONDS})


SqliteEventLogStorage._initdb = _prepare  # type: ignore[method-assign, assignment]
vars(sql)["ScriptDirectory"] = SimpleNamespace(from_config=functools.cache(ScriptDirectory.from_config))
for module in (sqlite_event_log, sqlite_run_storage, sqlite_schedule_storage):
    vars(module)["create_engine"] = _create_engine
