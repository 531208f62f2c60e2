"""Options that name JSON files, such as the fields to read, for which a template may stand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from docduck import templates
from docduck.api.request.strict_json import parse_json
from docduck.errors import InputError
from docduck.fields import Field, parse_fields


def read_json(option: str, path: Path) -> Any:
    """Return the file's value; raise InputError with the option, the file and the place in it."""
    try:
        return parse_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{option} {path}: {error.strerror}") from error
    except InputError as error:
        raise InputError(f"{option} {path}: {error.message}", error.path) from error


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
