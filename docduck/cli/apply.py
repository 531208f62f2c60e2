"""``docduck apply``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.output import JsonOption, console, installation, print_json
from docduck.service.pipeline import apply_pipeline
from docduck.service.pipeline_spec import load_pipeline


def apply(
    file: Annotated[Path, typer.Argument(help="The pipeline as code.")] = Path("pipeline.yaml"),
    json: JsonOption = False,
) -> None:
    """Make the parsers what pipeline.yaml says; nothing is ever deleted by this."""
    pipeline = load_pipeline(file)
    with installation() as inst:
        changes = apply_pipeline(inst, inst.team_id, pipeline)
    if json:
        print_json({"changes": changes})
    else:
        for change in changes:
            console.print(change, markup=False)
