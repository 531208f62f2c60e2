"""``docduck apply``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.output import JsonOption, installation, print_json, say
from docduck.service.pipeline.pipeline_spec import load_pipeline
from docduck.service.provisioning.pipeline import apply_pipeline
from docduck.settings import settings


def apply(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The pipeline's YAML file.", show_default="DOCDUCK_PIPELINE"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Apply pipeline.yaml: create and change parsers; none is deleted."""
    pipeline = load_pipeline(file or settings().pipeline)
    with installation() as inst:
        changes = apply_pipeline(inst, inst.team_id, pipeline)
    if json:
        print_json({"changes": changes})
    else:
        for change in changes:
            say(change)
