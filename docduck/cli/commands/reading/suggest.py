"""``docduck suggest``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.file_reading import each_document
from docduck.cli.output import JsonOption, print_json, say
from docduck.cli.tables import print_table
from docduck.errors import InputError
from docduck.extraction.jobs.document_job import suggest as suggest_fields
from docduck.extraction.jobs.document_job import suggest_with_model
from docduck.extraction.models import read_models
from docduck.extraction.result import Extraction
from docduck.fields import Field
from docduck.settings import settings


def suggest(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A sample document.")],
    with_model: Annotated[
        bool, typer.Option("--with-model", help="Ask the language model of the settings for further ones.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Suggest fields and tables for documents like a sample.

    --json prints the input of ``docduck extract --fields``.
    """
    model = read_models(settings()).default if with_model else None
    if with_model and model is None:
        raise InputError("No language model is configured; set DOCDUCK_MODEL_BASE_URL and DOCDUCK_MODEL_NAME")
    work = partial(suggest_with_model, model=model.for_worker()) if model else suggest_fields
    what = f"Asking {model.model}" if model else "Reading"
    ((_, outcome),) = each_document([file], what, work, Extraction, model=model)
    if outcome.error is not None:
        raise outcome.error
    fields = outcome.result.fields if outcome.result else ()
    if json:
        print_json([_as_json(field) for field in fields])
        return
    rows = [
        (field.name, field.type.value, ", ".join(f"{c.name} ({c.type.value})" for c in field.columns))
        for field in fields
    ]
    print_table(["Field", "Type", "Columns"], rows)
    for warning in outcome.result.warnings if outcome.result else ():
        say(warning, "yellow")
    if outcome.result and outcome.result.usage:
        say(outcome.result.usage, "dim")


def _as_json(field: Field) -> dict[str, object]:
    return field.model_dump(mode="json", exclude_defaults=True, exclude_none=True) | {
        "type": field.type.value
    }
