"""``docduck classify``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.file_reading import each_document
from docduck.cli.options.json_files import read_json
from docduck.cli.options.modes import ModeOption, with_model
from docduck.cli.output import JsonOption, percent, print_json, say
from docduck.cli.tables import print_table
from docduck.errors import InputError
from docduck.extraction.jobs.classify_step import ClassifyStep, classify_document
from docduck.extraction.triage.classify.labels import Classification, Label, parse_labels


def classify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Documents to classify.")],
    labels: Annotated[
        Path,
        typer.Option(
            "--labels", metavar="FILE", help="JSON file with names, or {name, instructions, examples}."
        ),
    ],
    mode: ModeOption = "balanced",
    json: JsonOption = False,
) -> None:
    """Print the label of each document, its confidence, and the reason.

    With --mode accurate, the language model is asked about documents whose label is unsure. The exit code is
    1 if a document could not be read.
    """
    step, model = with_model(mode, ClassifyStep(_read_labels(labels)))
    work = partial(classify_document, step)
    rows, failed = [], 0
    for path, outcome in each_document(files, "Classifying", work, Classification, mode, model):
        classification = outcome.result
        failed += classification is None
        if json:
            print_json(
                {
                    "file": str(path),
                    "error": None if outcome.error is None else str(outcome.error),
                    "label": classification.label if classification else None,
                    "confidence": classification.confidence if classification else None,
                    "reason": classification.reason if classification else None,
                    "scores": classification.scores if classification else {},
                    "warnings": classification.warnings if classification else [],
                    "usage": classification.usage if classification else None,
                },
                indent=None,
            )
        elif classification is None:
            say(f"{path}: {outcome.error}", "red")
        else:
            rows.append(
                (path, classification.label, percent(classification.confidence), classification.reason)
            )
            for warning in classification.warnings:
                say(f"{path}: {warning}", "yellow")
    if rows:
        print_table(["File", "Label", "Confidence", "Why"], rows)
    raise typer.Exit(1 if failed else 0)


def _read_labels(path: Path) -> list[Label]:
    raw = read_json("--labels", path)
    try:
        return parse_labels(raw)
    except InputError as error:
        raise InputError(f"--labels {path}: {error.message}", error.path) from error
