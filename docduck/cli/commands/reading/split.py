"""``docduck split``."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from docduck.cli.file_reading import each_document
from docduck.cli.options.json_files import FieldsOption, read_fields
from docduck.cli.options.modes import ModeOption, with_model
from docduck.cli.output import JsonOption, percent, print_json, say
from docduck.cli.tables import print_table
from docduck.extraction.jobs.split_step import split_document
from docduck.extraction.triage.split.parts import Split, SplitOptions


def split(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file with several documents.")],
    every: Annotated[
        int | None, typer.Option("--every", metavar="N", help="A document every N pages.")
    ] = None,
    pages: Annotated[
        str | None,
        typer.Option("--pages", metavar="RANGES", help="A document for each range: 1-3,4,5-."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="TEXT",
            help="Split where its value changes: a field of --fields, or a description.",
        ),
    ] = None,
    fields: FieldsOption = None,
    instructions: Annotated[
        str, typer.Option("--instructions", help="Instructions for the language model.")
    ] = "",
    mode: ModeOption = "balanced",
    json: JsonOption = False,
) -> None:
    """Print where a file with several documents is split, with confidence and reason.

    Without --every, --pages or --key, the content of the pages decides; with --mode accurate also the
    language model, where the pages are unsure or there are --instructions.
    """
    ways = {"everyXPages": every, "pageRanges": pages, "partitionKey": key}
    modes = [mode for mode, value in ways.items() if value is not None]
    if len(modes) > 1:
        raise typer.BadParameter("Use only one of --every, --pages and --key")
    if fields is not None and key is None:
        raise typer.BadParameter("--fields needs --key, the field whose value changes")
    if instructions and modes:
        raise typer.BadParameter("--instructions goes with none of --every, --pages and --key")
    if instructions and mode != "accurate":
        raise typer.BadParameter("--instructions needs --mode accurate, which asks the language model")
    known = tuple(read_fields(fields)) if fields else ()
    source: Literal["parserField", "custom"] = "parserField" if fields else "custom"
    options = SplitOptions("ai", every, pages or "", instructions, key or "", source, known)
    model = None
    if modes:
        options = replace(options, mode=modes[0])  # type: ignore[arg-type]
    else:
        options, model = with_model(mode, options)
    work = partial(split_document, options)
    ((_, outcome),) = each_document([file], "Splitting", work, Split, mode, model)
    if outcome.error is not None:
        raise outcome.error
    assert outcome.result is not None
    _show(outcome.result, json)


def _show(split: Split, json: bool) -> None:
    if json:
        parts = [
            {"pages": part.page_ranges, "key": part.key, "confidence": part.confidence, "reason": part.reason}
            for part in split.parts
        ]
        print_json(
            {
                "parts": parts,
                "unassignedPages": split.unassigned,
                "warnings": split.warnings,
                "usage": split.usage,
            }
        )
        return
    rows = [(part.page_ranges, part.key, percent(part.confidence), part.reason) for part in split.parts]
    print_table(["Pages", "Key", "Confidence", "Why"], rows)
    if split.unassigned:
        say(f"Pages in no document: {', '.join(map(str, split.unassigned))}", "yellow")
    for warning in split.warnings:
        say(warning, "yellow")
