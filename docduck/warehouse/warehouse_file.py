"""The warehouse in one DuckDB file.

``warehouse.duckdb`` is private and only open during writes; ``analytics.duckdb`` is its published copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

from docduck.errors import Conflict
from docduck.files.writing import flush_folder
from docduck.warehouse import migration
from docduck.warehouse.database import transaction
from docduck.warehouse.layout import layout_of
from docduck.warehouse.publication import copy
from docduck.warehouse.rows import DocumentRow, ParserSchema, WriteResult
from docduck.warehouse.warehouse import Warehouse, WarehouseOptions, insert

_DEFAULTS = WarehouseOptions()


class WarehouseFile(Warehouse):
    """The warehouse of a home folder."""

    def __init__(self, home: Path, options: WarehouseOptions = _DEFAULTS) -> None:
        self.path = home / "warehouse.duckdb"
        super().__init__(self.path, home / "analytics.duckdb", self._copy, options)

    def rebuild(
        self, parsers: Iterable[tuple[ParserSchema, Iterable[Sequence[DocumentRow]]]]
    ) -> dict[str, WriteResult]:
        """Recreate the whole file; it replaces the old one atomically at the end."""
        new = self.path.with_name(self.path.name + ".new")
        done: dict[str, WriteResult] = {}
        with self._lock.held():
            _remove(new)
            try:
                with self._engine.attached(new) as connection:
                    for schema, batches in parsers:
                        layout = layout_of(schema)
                        with transaction(connection):
                            migration.migrate(connection, layout)
                            done[schema.schema] = insert(connection, layout, batches)
                    connection.execute("CHECKPOINT")
                self._settle()
                new.replace(self.path)
            finally:
                _remove(new)
            flush_folder(self.path.parent)
        return done

    def catalog_of(self, team: str) -> Path:
        """Return the published copy, which has the tables of all teams."""
        return self.published

    def maintain(self) -> Mapping[str, int]:
        """Do nothing: DuckDB uses the space of deleted rows again."""
        return {}

    def close(self) -> None:
        """Do nothing: the file is open only during writes."""

    def is_new(self) -> bool:
        """Return whether there is no file."""
        return not self.path.exists()

    @contextmanager
    def _transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._engine.attached(self.path) as connection, transaction(connection):
            yield connection

    def _copy(self, target: Path) -> None:
        if _log(self.path).exists():
            self._checkpoint()
        copy(self.path, target)

    def _checkpoint(self) -> None:
        with self._engine.attached(self.path) as connection:
            connection.execute("CHECKPOINT")

    def _settle(self) -> None:
        """Remove the old file's log, which would be taken for the new file's."""
        if _log(self.path).exists():
            try:
                self._checkpoint()
            except (Conflict, duckdb.Error):
                _log(self.path).unlink(missing_ok=True)


def _log(path: Path) -> Path:
    return path.with_name(path.name + ".wal")


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    _log(path).unlink(missing_ok=True)
