"""What passes by itself is told as 503, so that clients try again; a defect is not."""

from __future__ import annotations

import errno
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from docduck.api.response.database_errors import transient_error
from docduck.api.response.responses import response_for


@pytest.mark.postgres
def test_a_deadlock_of_postgresql(postgres_database: str) -> None:
    engine = create_engine(postgres_database)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE things (id int PRIMARY KEY, n int)"))
        connection.execute(text("INSERT INTO things VALUES (1, 0), (2, 0)"))
    found: list[DBAPIError] = []
    both = threading.Barrier(2)
    threads = [
        threading.Thread(target=_lock_two, args=(engine, order, both, found)) for order in ((1, 2), (2, 1))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    engine.dispose()
    assert len(found) == 1
    answer = response_for(found[0], "r")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert b"Another request changed the same thing" in bytes(answer.body)
    assert b"things" not in bytes(answer.body)


def _lock_two(
    engine: Engine, order: tuple[int, int], both: threading.Barrier, found: list[DBAPIError]
) -> None:
    try:
        with engine.begin() as connection:
            statement = text("UPDATE things SET n = n + 1 WHERE id = :id")
            connection.execute(statement, {"id": order[0]})
            both.wait(10)
            connection.execute(statement, {"id": order[1]})
    except DBAPIError as error:
        found.append(error)


@pytest.mark.postgres
def test_a_server_that_is_not_there_or_ends_the_connection(postgres_database: str, tmp_path: Path) -> None:
    engine = create_engine(f"postgresql+psycopg2://nobody@/nothing?host={tmp_path}")
    with pytest.raises(DBAPIError) as away:
        engine.connect()
    assert transient_error(away.value)
    engine = create_engine(postgres_database)
    with pytest.raises(DBAPIError) as ended, engine.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    engine.dispose()
    assert transient_error(ended.value)


def test_a_busy_sqlite(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/a.sqlite", connect_args={"timeout": 0})
    with engine.connect() as writer, engine.connect() as other:
        writer.exec_driver_sql("CREATE TABLE things (n int)")
        writer.commit()
        writer.exec_driver_sql("BEGIN IMMEDIATE")
        with pytest.raises(DBAPIError) as busy:
            other.exec_driver_sql("BEGIN IMMEDIATE")
    engine.dispose()
    assert transient_error(busy.value)


def test_all_connections_in_use(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/a.sqlite", pool_size=1, max_overflow=0, pool_timeout=0.1)
    with engine.connect(), pytest.raises(NoConnection) as error:
        engine.connect()
    engine.dispose()
    assert transient_error(error.value)


def test_a_full_disk() -> None:
    assert transient_error(OSError(errno.ENOSPC, "No space left on device"))
    assert transient_error(PermissionError(errno.EACCES, "Permission denied")) is None


@pytest.mark.postgres
def test_a_defect_is_none(tmp_path: Path, postgres_database: str) -> None:
    for address in (f"sqlite:///{tmp_path}/a.sqlite", postgres_database):
        engine = create_engine(address)
        with engine.connect() as connection, pytest.raises(DBAPIError) as wrong:
            connection.execute(text("SELECT nothing FROM nowhere"))
        engine.dispose()
        answer = response_for(wrong.value, "r")
        assert answer.status_code == 500
        assert b"nowhere" not in bytes(answer.body)


def test_a_full_disk_is_called_that() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (x)")
    connection.execute("PRAGMA max_page_count = 3")
    with pytest.raises(sqlite3.OperationalError) as full:
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    wrapped = DBAPIError("INSERT", None, full.value)
    for error in (wrapped, OSError(errno.ENOSPC, "No space left on device")):
        found = transient_error(error)
        assert found is not None and "disk is full" in found.message
