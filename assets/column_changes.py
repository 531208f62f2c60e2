"""The check that a table still has the columns that it had before.

As ``build_column_schema_change_checks`` of Dagster, but a part of the step that materialises the tables: a
run that was not started for a parser's tables evaluates it, too.
"""

from __future__ import annotations

from typing import Any

from dagster import AssetCheckSeverity, AssetKey, DagsterInstance, TableSchema

from dagster_docduck.assets.markdown import bullets

COLUMN_CHANGE = "column_schema_change"
COLUMN_SCHEMA = "dagster/column_schema"


def column_change(
    instance: DagsterInstance, key: AssetKey, upcoming: TableSchema | None = None
) -> dict[str, Any]:
    """Return the check's result, which compares the last two materialisations of ``key``.

    ``upcoming`` are the columns of one that is yet to be stored.
    """
    stored = _column_schemas(instance, key)
    now, before = (*([] if upcoming is None else [upcoming]), *stored, None, None)[:2]
    changes = [] if now is None or before is None else _changes(before, now)
    return {
        "asset_key": key,
        "check_name": COLUMN_CHANGE,
        "passed": not changes,
        "severity": AssetCheckSeverity.WARN,
        "description": bullets(changes) if changes else "The columns are those of the materialisation before",
        "metadata": {"changes": len(changes)},
    }


def _column_schemas(instance: DagsterInstance, key: AssetKey) -> list[TableSchema | None]:
    """Return the columns of the last two materialisations, the newest first; None where they are unknown."""
    schemas: list[TableSchema | None] = []
    for record in instance.fetch_materializations(key, limit=2).records:
        event = record.asset_materialization
        schema = None if event is None else event.metadata.get(COLUMN_SCHEMA)
        value = getattr(schema, "value", None)
        schemas.append(value if isinstance(value, TableSchema) else None)
    return schemas


def _changes(before: TableSchema, now: TableSchema) -> list[str]:
    old = {column.name: column.type for column in before.columns}
    new = {column.name: column.type for column in now.columns}
    return [
        *(f"{name} was added" for name in new if name not in old),
        *(f"{name} was removed" for name in old if name not in new),
        *(
            f"{name} is {new[name]}, was {old[name]}"
            for name in new
            if name in old and new[name] != old[name]
        ),
    ]
