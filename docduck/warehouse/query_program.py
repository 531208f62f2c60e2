"""The program that runs the queries of a page for a team, in a process of its own that can be killed.

It reads a ``QueryOrder`` as JSON from its input, opens the published copy, drops all other rights, and
writes the result, or why there is none, as JSON to its output.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec

from docduck.errors import InputError
from docduck.warehouse.names import literal, quoted
from docduck.warehouse.query_check import check_query
from docduck.warehouse.query_order import (
    QueryOrder,
    QueryReply,
    TeamResult,
    UnknownName,
    too_much_memory,
)
from docduck.warehouse.team_tables import TableColumns, tables_of
from docduck.workers.limits import limit_this_process
from docduck.workers.sandbox import enter

if TYPE_CHECKING:
    from docduck.warehouse.lake.files import LakeFiles

_MEBIBYTE = 2**20
_OWN_MEMORY_MB = 512
_DATABASE = "analytics"
_HELD = ("set lock on file", "handle conflict")


def run(order: QueryOrder) -> QueryReply:
    """Run the statements; the process is restricted from then on."""
    files = _lake_files(order)
    try:
        connection = _connect(order, files)
    except duckdb.IOException as error:
        return QueryReply(
            error="The tables can't be opened", busy=any(reason in str(error) for reason in _HELD)
        )
    enter(order.folder)
    try:
        tables = tables_of(connection, order.schemas)
        names = {(schema, table.name) for schema, listed in tables.items() for table in listed}
        lists = [check_query(connection, sql, names) for sql in order.statements]
        if any(lists):
            if not all(lists):
                # In place of the published copy, the others would find no rows.
                raise InputError("Lists of tables can't be in one run with other queries. Run them alone")
            _show_outline(connection, tables)
        connection.execute(f"SET threads = {order.limits.threads}; SET lock_configuration = true")
        return QueryReply(tuple(_result(connection, sql, order) for sql in order.statements))
    except InputError as error:
        return QueryReply(error=error.message, unknown=isinstance(error, UnknownName))
    except (duckdb.OutOfMemoryException, MemoryError):
        return QueryReply(error=too_much_memory(order.limits.memory_mb))
    except RecursionError:
        return QueryReply(error="The query is nested too deeply")
    except (ValueError, OverflowError):
        return QueryReply(error="A value is beyond what can be shown here. Cast it to VARCHAR")
    except duckdb.Error as error:
        return _failure(error, files)


def _failure(error: duckdb.Error, files: LakeFiles | None) -> QueryReply:
    if files is not None and files.failure is not None:
        return QueryReply(error="The files of the tables can't be read at the moment", busy=True)
    if isinstance(error, duckdb.CatalogException):
        # Further lines suggest names, among them those of other teams.
        message = str(error).partition("\n")[0].partition("Did you mean")[0]
        return QueryReply(error=message, unknown=True)
    if isinstance(error, (duckdb.IOException, duckdb.InternalException, duckdb.FatalException)):
        return QueryReply(error="The query can't be run: DuckDB failed")
    return QueryReply(error=str(error), unknown=isinstance(error, duckdb.BinderException))


def _lake_files(order: QueryOrder) -> LakeFiles | None:
    if order.lake is None:
        return None
    from docduck.warehouse.lake.files import LakeFiles
    from docduck.warehouse.lake.piped import PipedObjects

    return LakeFiles(order.lake.url, PipedObjects(order.lake.requests, order.lake.replies))


def _connect(order: QueryOrder, files: LakeFiles | None) -> duckdb.DuckDBPyConnection:
    """Return a connection to the published copy, which holds the tables of all teams, or to a catalog."""
    connection = duckdb.connect(
        ":memory:",
        config={
            "memory_limit": f"{order.limits.memory_mb}MiB",
            "threads": 1,
            "temp_directory": "",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,
        },
    )
    if files is None:
        connection.execute(f"ATTACH {literal(order.path)} AS {_DATABASE} (READ_ONLY); USE {_DATABASE}")
        connection.execute("SET enable_external_access = false")
    else:
        from docduck.warehouse.lake.attaching import attach_catalog

        attach_catalog(connection, Path(order.path), files, _DATABASE)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def _show_outline(
    connection: duckdb.DuckDBPyConnection, tables: Mapping[str, Sequence[TableColumns]]
) -> None:
    """Put a database in place of the published copy that holds the team's tables alone, without rows.

    Whatever a query finds out about tables there, it can't be about another team's.
    """
    connection.execute(f"USE memory; DETACH {_DATABASE}; ATTACH ':memory:' AS {_DATABASE}; USE {_DATABASE}")
    for schema, listed in tables.items():
        connection.execute(f"CREATE SCHEMA {quoted(schema)}")
        for table in listed:
            columns = ", ".join(f"{quoted(name)} {type_}" for name, type_ in table.columns)
            connection.execute(f"CREATE TABLE {quoted(schema, table.name)} ({columns})")
    path = ",".join(quoted(_DATABASE, schema) for schema in tables) or _DATABASE
    connection.execute(f"SET search_path = {literal(path)}")


def _result(connection: duckdb.DuckDBPyConnection, sql: str, order: QueryOrder) -> TeamResult:
    cursor = connection.execute(sql)
    shape = cursor.description or []
    rows: list[tuple[str | None, ...]] = []
    left = order.limits.characters
    while (row := cursor.fetchone()) is not None and len(rows) < order.limits.rows:
        cells = tuple(_text(value, order.limits.cell) for value in row)
        left -= sum(len(value or "") + 1 for value in cells)
        if left < 0:
            break
        rows.append(cells)
    return TeamResult(
        tuple(str(column[0]) for column in shape),
        tuple(str(column[1]) for column in shape),
        tuple(rows),
        more=row is not None,
    )


def _text(value: Any, most: int) -> str | None:
    """Return a value as it is shown; None for NULL."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (bytes, bytearray, memoryview)):
        text = f"\\x{bytes(value)[:most].hex()}"
    elif isinstance(value, (list, dict, tuple)):
        text = json.dumps(value, ensure_ascii=False, default=str)
    else:
        text = str(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def main() -> None:
    """Run the query of the process's input."""
    # Not read by msgspec: a path may have bytes that are no text.
    order = msgspec.convert(json.load(sys.stdin), QueryOrder)
    signal.setitimer(signal.ITIMER_REAL, order.limits.seconds)
    limit_this_process((order.limits.memory_mb + _OWN_MEMORY_MB) * _MEBIBYTE)
    sys.stdout.buffer.write(msgspec.json.encode(run(order)))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
