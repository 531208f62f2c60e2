"""The I/O manager by which assets of other projects take docduck's tables as arguments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dagster import (
    ConfigurableIOManager,
    Failure,
    InitResourceContext,
    InputContext,
    MetadataValue,
    OutputContext,
)
from pydantic import Field, PrivateAttr

from docduck.errors import DocduckError
from docduck.settings import read_settings
from docduck.warehouse.opening import open_published

if TYPE_CHECKING:
    import polars as pl

    from docduck.warehouse.frames import PublishedTable
    from docduck.warehouse.published_copy import PublishedCopy

TABLE_NAME = "dagster/table_name"
"""The metadata of an asset with the table's name, of the form ``database.schema.table``."""


class DocduckIOManager(ConfigurableIOManager):
    """Load a table of docduck as a polars frame with the types of its columns.

        line_items = AssetSpec(["invoices", "line_items"]).with_io_manager_key("docduck")

        @asset(ins={"items": AssetIn(line_items.key)})
        def spend(items: pl.DataFrame) -> None: ...

        Definitions([line_items, spend], resources={"docduck": DocduckIOManager(home="/srv/docduck")})

    An argument annotated as ``pl.LazyFrame`` reads only the columns and rows that are used. The input's
    metadata ``columns`` limits a frame to these columns. All arguments of an asset come from one published
    copy. It never writes: docduck alone writes its tables.
    """

    home: str | None = Field(
        default=None,
        description="docduck's home folder, which holds analytics.duckdb; DOCDUCK_HOME of the environment,"
        " which `docduck up` sets, if not given",
    )

    _copy: PublishedCopy | None = PrivateAttr(None)
    _taker: str | None = PrivateAttr(None)
    _loaded: set[str] = PrivateAttr(default_factory=set)

    def teardown_after_execution(self, context: InitResourceContext) -> None:
        """Close the copy that the last asset has read."""
        self._let_go()

    def load_input(self, context: InputContext) -> pl.DataFrame | pl.LazyFrame:
        """Return the input's table; raise Failure if it is gone or can't be read now."""
        # Imported here: the other processes of Dagster, which have this class too, load no frames.
        import polars as pl

        copy = self._copy_for(context)
        table = self._table(copy, context, (context.definition_metadata or {}).get("columns"))
        frame_type = context.dagster_type.typing_type
        try:
            copy.hold()
            if frame_type is pl.LazyFrame:
                return table.scan()
            frame = table.frame()
        except DocduckError as error:
            raise Failure(
                error.message,
                {"asset": MetadataValue.asset(context.asset_key), "path": MetadataValue.path(copy.path)},
                allow_retries=error.retryable,
            ) from error
        if frame_type not in (pl.DataFrame, Any):
            raise Failure(
                f"{context.asset_key.to_user_string()} is loaded as polars.DataFrame or polars.LazyFrame, not"
                f" as {frame_type}",
                allow_retries=False,
            )
        context.add_input_metadata({"dagster/row_count": frame.height})
        return frame

    def handle_output(self, context: OutputContext, obj: Any) -> None:
        """Raise Failure: docduck writes its own tables."""
        raise Failure(
            f"{context.asset_key.to_user_string()} can't be stored by DocduckIOManager, which only loads"
            " docduck's tables: give it a key of its own, such as `docduck`, and `io_manager` another one",
            allow_retries=False,
        )

    def _copy_for(self, context: InputContext) -> PublishedCopy:
        """Return the copy that the other inputs of the same step come from.

        Let go of that of another step, or of an earlier attempt, which had loaded this input already.
        """
        if self._copy is None or self._taker != context.op_def.name or context.name in self._loaded:
            self._let_go()
            settings = read_settings()
            self._copy = open_published(settings.home if self.home is None else Path(self.home), settings)
            self._taker = context.op_def.name
        self._loaded.add(context.name)
        return self._copy

    def _let_go(self) -> None:
        if self._copy is not None:
            self._copy.release()
            self._copy = None
        self._loaded.clear()

    def _table(
        self, copy: PublishedCopy, context: InputContext, columns: Sequence[str] | None
    ) -> PublishedTable:
        """Return the table that the asset says it is, or else that its key names."""
        from docduck.warehouse.frames import PublishedTable

        key = context.asset_key
        asset = context.upstream_output
        table_name = (asset.definition_metadata or {}).get(TABLE_NAME) if asset is not None else None
        path = (
            str(getattr(table_name, "value", table_name)).split(".")[1:]
            if table_name is not None
            else key.path
        )
        if len(path) != 2:
            raise Failure(
                f"{key.to_user_string()} is no table of docduck; their keys are [parser, table], such as"
                ' ["invoices", "documents"]',
                allow_retries=False,
            )
        schema, table = path
        return PublishedTable(copy, schema, table, None if columns is None else tuple(columns))
