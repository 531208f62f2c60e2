"""The warehouse as a DuckLake: metadata in the catalog's PostgreSQL database, Parquet files in a bucket."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from docduck.errors import Conflict, DocduckError, Transient
from docduck.outbound.object_store import Bucket, ObjectGone, StoreUnavailable
from docduck.warehouse import migration
from docduck.warehouse.database import transaction
from docduck.warehouse.lake.attaching import METADATA_SCHEMA, attach_lake, lake_error
from docduck.warehouse.lake.files import TABLES, LakeFiles
from docduck.warehouse.lake.published import state, write_catalog
from docduck.warehouse.layout import layout_of
from docduck.warehouse.names import literal
from docduck.warehouse.rows import DocumentRow, ParserSchema, WriteResult
from docduck.warehouse.warehouse import Warehouse, WarehouseOptions, insert

TEAMS = "teams/"
"""The beginning of the names of objects that are published catalogs of teams."""

_NAME = "warehouse"
_METADATA = f"__ducklake_metadata_{_NAME}.{METADATA_SCHEMA}"
_LOCK = 7_302_114
"""The number of PostgreSQL's advisory lock."""
_DELETED_PART = 0.3
"""A file is written anew when this part of its rows is deleted."""


class Lake(Warehouse):
    """The tables of an installation on several machines, written by one process at a time.

    A transaction holds the writer's lock of the home, and an advisory lock in DuckLake's own transaction in
    PostgreSQL, so that who loses the connection loses both the lock and the transaction.
    """

    def __init__(
        self,
        home: Path,
        address: str,
        bucket: Bucket,
        teams: Callable[[], Mapping[str, Sequence[str]]],
        keep_hours: int,
        options: WarehouseOptions,
    ) -> None:
        self._folder = home / "lake"
        self._teams_folder = self._folder / "teams"
        self._teams_folder.mkdir(parents=True, exist_ok=True)
        self._changed = self._folder / "changed"
        """Touched by every writer, so that it is known whether there is anything to publish."""
        if not self._changed.exists():
            self._changed.touch()
        super().__init__(self._changed, home / "analytics.ducklake", self._publish, options, bucket)
        self._address = address
        self.bucket = bucket
        self._teams = teams
        self._keep_hours = keep_hours
        self._is_new = True
        self._open: tuple[int, duckdb.DuckDBPyConnection, LakeFiles] | None = None

    def rebuild(
        self, parsers: Iterable[tuple[ParserSchema, Iterable[Sequence[DocumentRow]]]]
    ) -> dict[str, WriteResult]:
        """Recreate all tables in one transaction."""
        done: dict[str, WriteResult] = {}
        with self._writing() as connection:
            for name in migration.stored_layouts(connection):
                migration.drop_schema(connection, name)
            for schema, batches in parsers:
                layout = layout_of(schema)
                migration.migrate(connection, layout)
                done[schema.schema] = insert(connection, layout, batches)
        return done

    def catalog_of(self, team: str) -> Path:
        """Return the catalog of this team's tables alone."""
        return self._teams_folder / f"{team}.ducklake"

    def maintain(self) -> Mapping[str, int]:
        """Merge small files, write files with deleted rows anew, and delete those that nobody reads any more.

        Rows can be written in between. A catalog that was published less than ``keep_hours`` ago can still be
        read.
        """
        old = f"older_than => now() - INTERVAL {self._keep_hours} HOUR"
        done: Counter[str] = Counter()
        for schema, table in self._tables_of_several_files():
            which = f"{literal(_NAME)}, {literal(table)}, schema => {literal(schema)}"
            rewritten = f"ducklake_rewrite_data_files({which}, delete_threshold => {_DELETED_PART})"
            done["rewritten"] += self._call(rewritten)
            done["merged"] += self._call(f"ducklake_merge_adjacent_files({which})")
        done["expired"] += self._call(f"ducklake_expire_snapshots({literal(_NAME)}, {old})")
        done["deleted"] += self._call(f"ducklake_cleanup_old_files({literal(_NAME)}, {old})")
        # Of writers that were killed: this one has the lock.
        done["orphaned"] += self._call(
            f"ducklake_delete_orphaned_files({literal(_NAME)}, cleanup_all => true)"
        )
        return done

    def _tables_of_several_files(self) -> list[tuple[str, str]]:
        """Return the tables with more than one file of rows, or of deleted rows."""
        files = " UNION ALL ".join(
            f"SELECT table_id FROM {_METADATA}.ducklake_{kind}_file WHERE end_snapshot IS NULL"
            for kind in ("data", "delete")
        )
        with self._lock.held(), self._transaction() as connection:
            return connection.execute(
                f"SELECT schema_name, table_name FROM {_METADATA}.ducklake_table t"
                f" JOIN {_METADATA}.ducklake_schema s USING (schema_id)"
                f" SEMI JOIN (FROM ({files}) GROUP BY table_id HAVING count(*) > 1) USING (table_id)"
                " WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL ORDER BY ALL"
            ).fetchall()

    def _call(self, function: str) -> int:
        """Call a function of DuckLake; return the number of files, or of others, that it concerned."""
        with self._writing() as connection:
            return len(connection.execute(f"CALL {function}").fetchall())

    def close(self) -> None:
        """Close the connection to the lake, if there is one; the next write opens another."""
        if self._open is not None:
            with suppress(duckdb.Error):
                self._open[1].close()
            self._open = None

    def is_new(self) -> bool:
        """Return whether the lake has no tables."""
        if self._is_new:
            with self._lock.held(), self._transaction() as connection:
                self._is_new = not migration.stored_layouts(connection)
        return self._is_new

    @contextmanager
    def _writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with super()._writing() as connection:
            self._changed.touch()
            yield connection

    @contextmanager
    def _transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        connection, files = self._connection()
        files.failure = None
        try:
            with transaction(connection):
                self._fence(connection)
                yield connection
        except BaseException as error:
            self.close()
            if files.failure is not None:
                raise lake_error(self.bucket.url, files.failure) from error
            raise

    def _connection(self) -> tuple[duckdb.DuckDBPyConnection, LakeFiles]:
        """Return the connection to the lake, which is kept: to open one takes a third of a second."""
        if self._open is None or self._open[0] != os.getpid():
            files = LakeFiles(self.bucket.url, self.bucket)
            connection = self._engine.connected(self._folder / "duckdb")
            try:
                attach_lake(connection, self._address, files, _NAME)
            except (duckdb.Error, DocduckError) as error:
                connection.close()
                if isinstance(error, DocduckError):
                    raise
                if "DATA_PATH" in str(error):
                    raise Conflict(
                        "The tables of this catalog are in another bucket than DOCDUCK_LAKE_URL says, or in"
                        " another folder of it"
                    ) from error
                raise Transient(f"The lake in the catalog's database can't be opened: {error}") from error
            self._open = os.getpid(), connection, files
        return self._open[1:]

    def _fence(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Begin DuckLake's transaction in PostgreSQL with the lock; raise Transient if another one has it."""
        ask = literal(f"SELECT pg_try_advisory_xact_lock({_LOCK})")
        row = connection.execute(f"FROM postgres_query('__ducklake_metadata_{_NAME}', {ask})").fetchone()
        if row != (True,):
            raise Transient("The lake is locked by a writer on another machine; try again")

    def _publish(self, target: Path) -> None:
        """Write the catalog of all tables, and that of each team whose tables have changed."""
        data_path = f"{self.bucket.url}/{TABLES}"
        teams = self._teams()
        try:
            # No other writer commits while the transaction has the lock.
            with self._transaction() as connection, connection.cursor() as cursor:
                write_catalog(cursor, _METADATA, target, data_path)
                cursor.execute(f"ATTACH {literal(str(target))} AS all_teams (READ_ONLY)")
                try:
                    for team, schemas in teams.items():
                        self._publish_team(cursor, team, schemas, data_path)
                finally:
                    cursor.execute("DETACH all_teams")
            self._forget_teams(teams)
        except (StoreUnavailable, ObjectGone) as error:
            raise lake_error(self.bucket.url, error) from error

    def _publish_team(
        self, connection: duckdb.DuckDBPyConnection, team: str, schemas: Sequence[str], data_path: str
    ) -> None:
        """Write a team's catalog to the bucket, and then to the home, unless it is there as it would be."""
        there = self.catalog_of(team)
        if there.exists():
            connection.execute(f"ATTACH {literal(str(there))} AS there (READ_ONLY)")
            try:
                is_same = state(connection, "there.main") == state(connection, "all_teams.main", schemas)
            finally:
                connection.execute("DETACH there")
            if is_same:
                return
        new = there.with_name(f".{there.name}")
        write_catalog(connection, "all_teams.main", new, data_path, schemas)
        self.bucket.write(_object_of(team), new)
        new.replace(there)

    def _forget_teams(self, teams: Collection[str]) -> None:
        """Delete the catalogs of teams that are gone or have another name."""
        published = {name.split("/")[1] for name in self.bucket.names(TEAMS)}
        for team in published.difference(teams):
            self.bucket.delete(_object_of(team))
            self.catalog_of(team).unlink(missing_ok=True)


def _object_of(team: str) -> str:
    return f"{TEAMS}{team}/analytics.ducklake"
