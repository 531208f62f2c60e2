from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import select, text

from docduck.catalog.database import use_write_ahead_log
from docduck.catalog.models import Team
from docduck.service.core.installation import Installation

NORMAL, FULL = 1, 2


def _writer(path: Path) -> sqlite3.Connection:
    """Return a connection that holds the write lock of a database without a write-ahead log."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("CREATE TABLE rows (value INTEGER)")
    connection.execute("BEGIN IMMEDIATE")
    return connection


def test_a_database_that_another_process_creates_is_waited_for(tmp_path: Path) -> None:
    writer = _writer(tmp_path / "new.sqlite")
    connection = sqlite3.connect(tmp_path / "new.sqlite", isolation_level=None)
    commit = threading.Timer(0.2, writer.execute, ["COMMIT"])
    commit.start()
    use_write_ahead_log(connection, 30)
    commit.join()
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    writer.close()
    connection.close()


def test_a_database_that_stays_locked_is_an_error(tmp_path: Path) -> None:
    writer = _writer(tmp_path / "new.sqlite")
    connection = sqlite3.connect(tmp_path / "new.sqlite", isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="database is locked"):
        use_write_ahead_log(connection, 0.1)
    writer.close()
    connection.close()


@pytest.mark.parametrize(("durable", "level"), [(False, NORMAL), (True, FULL), (False, NORMAL)])
def test_a_durable_transaction_waits_for_the_disk(inst: Installation, durable: bool, level: int) -> None:
    with inst.catalog.transaction(durable=durable) as session:
        assert session.execute(text("PRAGMA synchronous")).scalar() == level


@pytest.mark.parametrize("durable", [False, True])
def test_an_error_rolls_everything_back(any_inst: Installation, durable: bool) -> None:
    with pytest.raises(RuntimeError), any_inst.catalog.transaction(durable=durable) as session:
        session.add(Team(name="Half", slug="half"))
        session.flush()
        raise RuntimeError
    with any_inst.catalog.read_session() as session:
        assert session.scalar(select(Team).where(Team.slug == "half")) is None
