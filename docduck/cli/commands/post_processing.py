"""``docduck parsers post-processing``, ``lookup-tables`` and ``lookup-table``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import parser_id
from docduck.cli.options.json_files import read_json
from docduck.cli.options.shared import ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.cli.tables import print_rows, print_table
from docduck.errors import InputError


def post_processing(
    parser: ParserArgument,
    set_: Annotated[
        Path | None,
        typer.Option("--set", metavar="FILE", help='JSON file with {"steps": [...]}: all new steps.'),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show or replace the steps that change a parser's extracted values."""
    new = None if set_ is None else read_json("--set", set_)
    if set_ is not None and (not isinstance(new, dict) or new.keys() != {"steps"}):
        raise InputError(f'--set {set_}: must be {{"steps": [...]}}')
    if new is not None and not isinstance(new["steps"], list):
        raise InputError("steps must be an array of steps", "steps")
    with connected() as client:
        owner_id = parser_id(client, parser)
        if new is None:
            steps = client.post_processing.get(owner_id)
        else:
            steps = client.post_processing.set(owner_id, new["steps"])
    if json:
        print_json({"steps": steps})
        return
    rows = []
    for number, step in enumerate(steps, start=1):
        lookup = step["type"] == "lookup"
        fields = [column["field"] for column in step["write"]] if lookup else step["field"]
        what = f"lookup in {step['table']}" if lookup else step["transform"]
        rows.append((number, what, fields))
    print_table(["Step", "What", "Fields"], rows)


def lookup_tables(parser: ParserArgument, json: JsonOption = False) -> None:
    """List a parser's lookup tables."""
    with connected() as client:
        tables = list(client.post_processing.tables(parser_id(client, parser), limit=100))
    columns = {"Name": "name", "Columns": "columns", "Rows": "rows", "Updated": "updatedAt"}
    print_rows(tables, columns, json)


def lookup_table(
    parser: ParserArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the lookup table.")],
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="CSV file of the table.")] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the table.")] = False,
    json: JsonOption = False,
) -> None:
    """Create or replace a parser's lookup table from a CSV file, or delete it."""
    if (file is None) != delete:
        raise InputError("Name either the CSV file of the table, or --delete")
    with connected() as client:
        owner_id = parser_id(client, parser)
        if file is None:
            client.post_processing.delete_table(owner_id, name)
            print_result({"deleted": name}, f"Deleted the lookup table {name}", json)
            return
        table = client.post_processing.put_table(owner_id, name, file)
    if json:
        print_json(table)
    else:
        rows = f"{table['rows']} {'row' if table['rows'] == 1 else 'rows'}"
        say(f"{table['name']}: {rows} of {', '.join(table['columns'])}")
