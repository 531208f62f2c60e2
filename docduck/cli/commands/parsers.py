"""``docduck parsers``."""

from __future__ import annotations

from typing import Annotated, Any, cast

import typer

from docduck import templates
from docduck.cli.commands import post_processing
from docduck.cli.commands.upload_pages import add_page_command
from docduck.cli.connection import connected, has_server, require_local
from docduck.cli.lookups import parser_id
from docduck.cli.options.assignments import assigned
from docduck.cli.options.json_files import FieldsOption, TemplateOption, check_field_options, read_fields
from docduck.cli.options.shared import ParserArgument, command_group
from docduck.cli.output import JsonOption, installation, print_json, print_result, say
from docduck.cli.tables import print_rows, print_table
from docduck.client.resources import ParserSettings
from docduck.errors import InputError
from docduck.settings import settings

app = command_group("Parsers: the fields to read from documents.")

app.command("post-processing")(post_processing.post_processing)
app.command("lookup-tables")(post_processing.lookup_tables)
app.command("lookup-table")(post_processing.lookup_table)
add_page_command(app, "parser", "Slug, name or id of the parser.", parser_id)


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the parsers."""
    with connected() as client:
        parsers = list(client.parsers.list(sort="createdAt.asc", limit=100))
    columns = {"Slug": "slug", "Name": "name", "Fields": "fieldCount", "Active": "isActive"}
    print_rows(parsers, columns, json)
    for parser in () if json else parsers:
        if "problem" in parser:
            say(parser["problem"], "red")


@app.command()
def show(parser: ParserArgument, json: JsonOption = False) -> None:
    """Show a parser's fields and their columns in the warehouse."""
    with connected() as client:
        details = client.parsers.get(parser_id(client, parser))
    if json:
        print_json(details)
        return
    say(f"{details['slug']}: {details['name']}", "bold")
    mail = details["emailAddress"] and f"E-mail: {details['emailAddress']}"
    model = details["settings"]["model"] and f"Language model: {details['settings']['model']}"
    inactive = None if details["isActive"] else "Not active"
    for line in filter(None, (details["description"], mail, model, inactive)):
        say(line)
    if "problem" in details:
        say(details["problem"], "red")
        return
    rows = []
    columns = details["warehouseColumns"]
    for field in details["fields"]:
        rows.append((field["name"], field["type"], columns.get(field["id"]), field["description"]))
        rows += [
            (f"- {column['name']}", column["type"], columns.get(column["id"]), column["description"])
            for column in field["columns"]
        ]
    print_table(["Field", "Type", "Column", "Description"], rows)


@app.command()
def add(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Its name; by default the template's."),
    ] = None,
    fields: FieldsOption = None,
    template: TemplateOption = None,
    json: JsonOption = False,
) -> None:
    """Create a parser with your own fields, or from a template."""
    check_field_options(fields, template)
    if fields is not None and name is None:
        raise InputError("A parser with your own fields needs a name: docduck parsers add NAME --fields FILE")
    own = None
    if fields is not None:
        own = [field.model_dump(mode="json", exclude_unset=True) for field in read_fields(fields)]
    name = name or (templates.load(template).name if template else "")
    with connected() as client:
        made = client.parsers.create(name, fields=own, template_key=template)
    slug = made["slug"]
    hint = (
        f"docduck documents add {slug} FILE… uploads documents"
        if has_server()
        else f"drop documents into {settings().inbox / slug}/"
    )
    print_result(made, f"Created parser {slug}; {hint}", json)


@app.command("set")
def set_(
    parser: ParserArgument,
    changed: Annotated[
        list[str],
        typer.Argument(
            metavar="SETTING=VALUE…",
            help="As in pipeline.yaml, such as model=hosted or readingLocale.language=de; null unsets one.",
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Change settings of a parser."""
    changes: dict[str, Any] = {}
    for text in changed:
        path, value = assigned(text, "SETTING=VALUE", "model=hosted")
        *outer, last = path.split(".")
        place = changes
        for key in outer:
            place = place.setdefault(key, {})
            if not isinstance(place, dict):
                raise InputError(f"'{path}' is within a setting that is given another value here")
        place[last] = value
    with connected() as client:
        made = client.parsers.update(parser_id(client, parser), **cast(ParserSettings, changes))
    print_result(made, f"Changed parser {made['slug']}", json)


@app.command("forget")
def forget_(parser: ParserArgument, json: JsonOption = False) -> None:
    """Delete what a parser has learned from corrected documents."""
    from docduck.service.corrections.learning import forget_layouts

    require_local("parsers forget")
    with installation() as inst:
        count = forget_layouts(inst, inst.team_id, parser)
    print_result({"forgotten": count}, f"{count} {'lesson' if count == 1 else 'lessons'} forgotten", json)
