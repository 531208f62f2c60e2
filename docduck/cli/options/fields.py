"""The options for the fields to read: a JSON file, or a template."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck import templates
from docduck.cli.options.json_files import read_json
from docduck.errors import InputError
from docduck.fields import Field, parse_fields

FieldsOption = Annotated[
    Path | None,
    typer.Option("--fields", metavar="FILE", help="JSON file with the fields to read."),
]
TemplateOption = Annotated[
    str | None,
    typer.Option("--template", metavar="KEY", help="A parser template: invoice, receipt …"),
]


def check_field_options(fields: Path | None, template: str | None) -> None:
    """Raise InputError unless exactly one of the two options is set, and the template exists."""
    known = templates.keys()
    named = ", ".join(known)
    if (fields is None) == (template is None):
        raise InputError(f"Use either --fields FILE or --template KEY; the templates are {named}")
    if template is not None and template not in known:
        raise InputError(f"--template: there is no '{template}'; choose one of {named}")


def read_fields(path: Path) -> list[Field]:
    """Return the fields of a JSON file in the API's shape; raise InputError with file and place."""
    raw = read_json("--fields", path)
    try:
        fields = parse_fields(raw)
    except InputError as error:
        raise InputError(f"--fields {path}: {error.message}", error.path) from error
    if not fields:
        raise InputError(f"--fields {path} has no fields")
    return fields
