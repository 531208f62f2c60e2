"""``docduck evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.output import JsonOption, print_json, print_table, progress
from docduck.evaluation.cases import find_cases
from docduck.evaluation.run import run
from docduck.settings import settings


def evaluate(
    cases: Annotated[
        Path, typer.Argument(help="Folder of <suite>/<case>/{document, schema.json, truth.json}.")
    ],
    predictions: Annotated[
        Path | None,
        typer.Option("--predictions", help="Write <suite>/<case>.json into this folder.", show_default=False),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Worker processes.", show_default=False)
    ] = None,
    suite: Annotated[
        list[str] | None, typer.Option("--suite", help="Only these suites.", show_default=False)
    ] = None,
    mode: Annotated[str, typer.Option("--mode", help="fast, balanced or accurate.")] = "balanced",
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
            [
                *(
                    (field, s.values, f"{s.share:.1%}", s.missing, s.wrong, s.invented)
                    for field, s in score.fields.items()
                ),
                (
                    "all",
                    score.total.values,
                    f"{score.total.share:.1%}",
                    score.total.missing,
                    score.total.wrong,
                    score.total.invented,
                ),
            ],
            title=f"\n{name}: {score.documents} documents, {score.failed} not readable, "
            f"{score.seconds:.1f} s",
        )
