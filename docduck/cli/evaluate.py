"""``docduck evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from docduck.cli.output import JsonOption, print_json, progress
from docduck.cli.tables import print_table
from docduck.evaluation.cases import find_cases
from docduck.evaluation.run import run
from docduck.evaluation.score import FieldScore
from docduck.extraction.options import Mode
from docduck.settings import settings


def evaluate(
    cases: Annotated[
        Path,
        typer.Argument(metavar="CASES", help="Folder of <suite>/<case>/{document, schema.json, truth.json}."),
    ],
    predictions: Annotated[
        Path | None,
        typer.Option(
            "--predictions", metavar="DIR", help="Write <suite>/<case>.json into it.", show_default=False
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Worker processes.", show_default="DOCDUCK_WORKERS")
    ] = None,
    suite: Annotated[
        list[str] | None,
        typer.Option("--suite", metavar="NAME", help="Only this one; may be repeated.", show_default=False),
    ] = None,
    mode: Annotated[Mode, typer.Option("--mode", help="How thoroughly to read.")] = "balanced",
    json: JsonOption = False,
) -> None:
    """Read known-good documents and tell how much of them was right, field by field."""
    found = find_cases(cases, suite)
    with progress("Evaluating", len(found)) as advance:
        scores = run(found, settings(), mode=mode, jobs=jobs, predictions=predictions, on_progress=advance)
    if json:
        print_json(scores)
        return
    for name, score in scores.items():
        print_table(
            ["Field", "Values", "Right", "Missing", "Wrong", "Invented"],
            [_row(field, counts) for field, counts in [*score.fields.items(), ("all", score.total)]],
            f"{name}: {score.documents} documents, {score.failed} not readable, {score.seconds:.1f} s",
        )


def _row(field: str, counts: FieldScore) -> tuple[Any, ...]:
    right = f"{counts.share:.1%}" if counts.values else ""
    return field, counts.values, right, counts.missing, counts.wrong, counts.invented
