"""``docduck parsers``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck import templates
from docduck.cli.output import JsonOption, console, installation, print_json, print_table
from docduck.errors import InputError
from docduck.service.parsers import NewParser, create_parser, get_parser, list_parsers

app = typer.Typer(help="What is read from documents.", no_args_is_help=True)


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the parsers."""
    with installation() as inst:
        found = list_parsers(inst, inst.team_id)
    if json:
        print_json(found)
        return
    print_table(
        ["Slug", "Name", "Fields", "Active", "Problem"],
        [(p.slug, p.name, len(p.fields), "yes" if p.is_active else "no", p.problem) for p in found],
    )


@app.command()
def show(parser: Annotated[str, typer.Argument(help="Slug, name or id.")], json: JsonOption = False) -> None:
    """Show a parser's fields and their columns in the warehouse."""
    with installation() as inst:
        found = get_parser(inst, inst.team_id, parser)
    if json:
        print_json(found)
        return
    console.print(f"{found.slug}: {found.name}\n{found.description}", markup=False)
    rows = []
    for field in found.fields:
        rows.append((field.name, field.type.value, found.columns[str(field.id)], field.description))
        rows += [
            (f"  {column.name}", column.type.value, found.columns[str(column.id)], column.description)
            for column in field.columns
        ]
    print_table(["Field", "Type", "Column", "Description"], rows)


@app.command()
def add(
    name: Annotated[str | None, typer.Argument(help="The new parser's name.", show_default=False)] = None,
    template: Annotated[
        str | None, typer.Option("--template", help="A ready-made parser.", show_default=False)
    ] = None,
    json: JsonOption = False,
) -> None:
    """Add a parser from a template; pipeline.yaml is the way for fields of your own."""
    if template is None:
        raise InputError(f"Give --template, one of: {', '.join(templates.keys())}")
    with installation() as inst:
        made = create_parser(inst, inst.team_id, NewParser(name=name, template_key=template))
        inbox = inst.settings.inbox / made.slug
    if json:
        print_json(made)
    else:
        console.print(f"Parser {made.slug} is there; drop documents into {inbox}/", markup=False)
