"""``docduck suggest``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.file_reading import each_document
from docduck.cli.output import JsonOption, print_json
from docduck.cli.tables import print_table
from docduck.extraction.jobs.document_job import suggest as suggest_fields
from docduck.extraction.result import Extraction
from docduck.fields import Field


def suggest(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A sample document.")],
    json: JsonOption = False,
) -> None:
    """Suggest fields and tables for documents like a sample.

    --json prints the input of ``docduck extract --fields``.
    """
    ((_, outcome),) = each_document([file], "Reading", suggest_fields, Extraction)
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


def _as_json(field: Field) -> dict[str, object]:
    return field.model_dump(mode="json", exclude_defaults=True, exclude_none=True) | {
        "type": field.type.value
    }
