"""SQLite databases as SQL, and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path


def dumped(path: Path, *, without: Collection[str] = ()) -> str:
    """Return the SQL that makes a database again, with the rows of all tables but those ``without``."""
    with closing(sqlite3.connect(path)) as connection:
        return "".join(f"{statement};\n" for statement in _statements(connection, without))


def _statements(connection: sqlite3.Connection, without: Collection[str]) -> Iterator[str]:
    made = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    virtual = [name for _, name, sql in made if sql.startswith("CREATE VIRTUAL")]
    own = [row for row in made if not row[1].startswith("sqlite_") and not _is_shadow(row[1], virtual)]
    for kind, name, sql in own:
        if kind == "table":
            yield sql
            if name not in without and name not in virtual:
                yield from _inserts(connection, name)
    for name in virtual:
        yield f"INSERT INTO {name} ({name}) VALUES ('rebuild')"
    yield from (sql for kind, _, sql in own if kind != "table")


def _is_shadow(name: str, virtual: Collection[str]) -> bool:
    """Return whether a table is the storage of a virtual one."""
    return any(name.startswith(f"{table}_") for table in virtual)


def _inserts(connection: sqlite3.Connection, name: str) -> Iterator[str]:
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')]
    listed = ", ".join(f'"{column}"' for column in columns)
    quoted = " || ', ' || ".join(f'quote("{column}")' for column in columns)
    for (values,) in connection.execute(f'SELECT {quoted} FROM "{name}"'):
        yield f'INSERT INTO "{name}" ({listed}) VALUES ({values})'


def restore(sql: str, path: Path) -> None:
    """Make a database of dumped SQL."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)
        connection.commit()
