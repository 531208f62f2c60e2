"""The options that say which fields to read: a JSON file, or a ready-made parser."""

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
    typer.Option("--fields", metavar="FILE", help="JSON file with the fields to read.", show_default=False),
]
TemplateOption = Annotated[
    str | None,
    typer.Option("--template", metavar="KEY", help="A ready-made parser: invoice, receipt …"),
]


def one_of(fields: Path | None, template: str | None) -> None:
    """Raise InputError unless just one of the two options is given, and a template that exists."""
    known = templates.keys()
    named = ", ".join(known)
    if (fields is None) == (template is None):
        raise InputError(f"Give either --fields FILE or --template KEY; the templates are {named}")
    if template is not None and template not in known:
        raise InputError(f"--template: there is no '{template}'; choose one of {named}")


def read_fields(path: Path) -> list[Field]:
    """The fields of a JSON file in the API's shape; raises InputError that names file and place."""
    raw = read_json("--fields", path)
    try:
        fields = parse_fields(raw)
    except InputError as error:
        raise InputError(f"--fields {path}: {error.message}", error.path) from error
    if not fields:
        raise InputError(f"--fields {path} holds no field")
    return fields
