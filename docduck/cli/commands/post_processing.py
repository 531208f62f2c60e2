"""``docduck parsers post-processing``, ``lookup-tables`` and ``lookup-table``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.backends.backend import backend
from docduck.cli.options.json_files import read_json
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.cli.tables import print_table
from docduck.errors import InputError


def post_processing(
    parser: ParserArgument,
    set_: Annotated[
        Path | None,
        typer.Option(
            "--set",
            metavar="FILE",
            help='JSON file with {"steps": [...]}: all new steps.',
            show_default=False,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show or replace the steps that change a parser's extracted values."""
    given = None if set_ is None else read_json("--set", set_)
    if set_ is not None and (not isinstance(given, dict) or given.keys() != {"steps"}):
        raise InputError(f'--set {set_}: must be {{"steps": [...]}}')
    with backend() as chosen:
        if given is None:
            steps = chosen.post_processing(parser)
        else:
            steps = chosen.set_post_processing(parser, given["steps"])
    if json:
        print_json({"steps": steps})
        return
    rows = []
    for number, step in enumerate(steps, start=1):
        lookup = step["type"] == "lookup"
        fields = [one["field"] for one in step["write"]] if lookup else step["field"]
        what = f"lookup in {step['table']}" if lookup else step["transform"]
        rows.append((number, what, fields))
    print_table(["Step", "What", "Fields"], rows)


def lookup_tables(parser: ParserArgument, json: JsonOption = False) -> None:
    """List a parser's lookup tables."""
    with backend() as chosen:
        found = chosen.lookup_tables(parser)
    if json:
        print_json(found)
        return
    print_table(
        ["Name", "Columns", "Rows", "Updated"],
        [(one.name, one.columns, one.rows, one.updated_at) for one in found],
    )


def lookup_table(
    parser: ParserArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the lookup table.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="CSV file of the table.", show_default=False)
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the table.")] = False,
    json: JsonOption = False,
) -> None:
    """Create or replace a parser's lookup table from a CSV file, or delete it."""
    if (file is None) != delete:
        raise InputError("Name either the CSV file of the table, or --delete")
    with backend() as chosen:
        if file is None:
            chosen.delete_lookup_table(parser, name)
            print_result({"deleted": name}, f"Deleted the lookup table {name}", json)
            return
        made = chosen.put_lookup_table(parser, name, file)
    if json:
        print_json(made)
    else:
        say(f"{made.name}: {made.rows} {'row' if made.rows == 1 else 'rows'} of {', '.join(made.columns)}")
