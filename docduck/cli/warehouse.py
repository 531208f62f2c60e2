"""``docduck warehouse``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.output import JsonOption, console, installation, print_json, print_table, progress
from docduck.service import projection

app = typer.Typer(help="The tables in DuckDB.", no_args_is_help=True)


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="A question in SQL.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Most rows to print.", show_default=False)] = None,
    json: JsonOption = False,
) -> None:
    """Ask the published tables."""
    with installation() as inst:
        answer = inst.warehouse.query(sql, limit=limit)
    if json:
        print_json([dict(zip(answer.columns, row, strict=True)) for row in answer.rows])
        return
    print_table(answer.columns, answer.rows)
    if answer.more:
        console.print(f"… and more than these {len(answer.rows)}")


@app.command()
def rebuild(json: JsonOption = False) -> None:
    """Make all tables anew from the catalog, and publish them."""
    with installation() as inst:
        with progress("Rebuilding") as advance:
            count = projection.rebuild(inst, advance)
        projection.publish(inst, force=True)
        path = inst.warehouse.published
    if json:
        print_json({"documents": count, "path": path})
    else:
        console.print(f"{count} documents in {path}", markup=False)
