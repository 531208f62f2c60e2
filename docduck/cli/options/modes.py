"""The option ``--mode`` of commands that read documents, and the language model that it stands for."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, TypeVar

import typer

from docduck.errors import InputError
from docduck.extraction.extraction_settings import extract_options
from docduck.extraction.jobs.classify_step import ClassifyStep
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.options import Mode
from docduck.extraction.triage.split.parts import SplitOptions
from docduck.settings import settings

ModeOption = Annotated[
    Mode,
    typer.Option("--mode", help="How thoroughly to read; accurate also asks the language model."),
]

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="NAME", help="The language model of mode accurate.", show_default="default"
    ),
]

Step = TypeVar("Step", ClassifyStep, SplitOptions)
"""What a language model may help with."""


def check_model(mode: Mode, model: str | None) -> None:
    """Raise InputError for a model that the mode doesn't use."""
    if model is not None and mode != "accurate":
        raise InputError("--model is that of mode accurate; add --mode accurate", "model")


def with_model(mode: Mode, step: Step) -> tuple[Step, ModelOptions | None]:
    """Return a step for workers with the model that ``mode`` uses, or why there is none; and the model."""
    if mode != "accurate":
        return step, None
    options = extract_options(settings(), mode)
    if options.model is None:
        return replace(step, no_model=options.no_model), None
    return replace(step, model=options.model.for_worker()), options.model
