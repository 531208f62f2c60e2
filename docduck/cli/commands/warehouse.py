"""``docduck warehouse``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from docduck.cli.options.shared import command_group
from docduck.cli.output import JsonOption, installation, print_json, print_result, progress, say
from docduck.cli.tables import print_table
from docduck.service.outputs import warehouse_sync

app = command_group("The tables in DuckDB.")


@app.command()
def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="For example: FROM invoices.documents")],
    limit: Annotated[int | None, typer.Option(min=1, help="The most rows to print.")] = None,
    json: JsonOption = False,
) -> None:
    """Query the published tables."""
    with installation() as inst:
        result = inst.warehouse.query(sql, limit=limit)
    if json:
        names = unique(result.columns)
        print_json([dict(zip(names, map(_finite, row), strict=True)) for row in result.rows])
        return
    print_table(result.columns, result.rows)
    if result.more:
        say(f"Only the first {len(result.rows)} rows are shown")


@app.command()
def rebuild(json: JsonOption = False) -> None:
    """Rebuild all tables from the catalog, and publish them."""
    with installation() as inst:
        with progress("Rebuilding") as advance:
            count = warehouse_sync.rebuild(inst, advance)
        warehouse_sync.publish(inst, force=True)
        path = inst.warehouse.published
    print_result({"documents": count, "path": path}, f"{count} documents in {path}", json)


def unique(columns: Sequence[str]) -> list[str]:
    """Return unique column names, as DuckDB makes them: ``id``, ``id_1``."""
    names: list[str] = []
    for column in columns:
        name, count = column, 0
        while name in names:
            count += 1
            name = f"{column}_{count}"
        names.append(name)
    return names


def _finite(value: Any) -> Any:
    """Return None for NaN and infinity, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
