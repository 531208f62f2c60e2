"""``docduck extract``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from docduck import templates
from docduck.cli.file_reading import check_files, each_document, each_outcome
from docduck.cli.options.json_files import FieldsOption, TemplateOption, check_field_options, read_fields
from docduck.cli.options.modes import ModelOption, ModeOption, check_model
from docduck.cli.output import JsonOption, percent, print_json, say
from docduck.cli.tables import print_table
from docduck.errors import InputError
from docduck.extraction.explanation import Explained, explain_document
from docduck.extraction.extraction_settings import (
    extract_options,
    for_worker,
    read_options,
    worker_limits,
)
from docduck.extraction.jobs.extraction_job import EXTRACTION, ReadTask, pack_fields
from docduck.extraction.jobs.page_job import PAGE_VIEW, PageTask
from docduck.extraction.options import Mode
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType
from docduck.settings import settings
from docduck.workers.pool import WorkerPool
from docduck.workers.task_queue import TaskOutcome

_PICTURE, _MOST_PICTURES = 1400, 20
"""Width in pixels of a page that is explained, and the number of pages of each file that are."""


def extract(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Documents to read.")],
    fields: FieldsOption = None,
    template: TemplateOption = None,
    mode: ModeOption = "balanced",
    model: ModelOption = None,
    json: JsonOption = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Draw how the pages are read, as FILE-page1.jpg … in this folder, and tell the likeliest "
            "values of each field.",
        ),
    ] = False,
) -> None:
    """Read documents and print their values; nothing is stored.

    --explain draws each page with what its parts were taken for: labels, values, tables, parties. With
    --fields or --template it also tells the three likeliest values of each field that is found on the pages,
    with their probabilities and what speaks for and against each.

    --json prints one object per line: values, evidence and confidence. The exit code is 1 if a
    document could not be read.
    """
    if explain:
        check_files(files)
        _explain(files, mode)
        if fields is None and template is None:
            return
    check_model(mode, model)
    check_field_options(fields, template)
    chosen = read_fields(fields) if fields else templates.load(str(template)).fields
    check_files(files)
    explained = _explain_choice(files, chosen, mode) if explain else {}
    failed = 0
    for path, outcome in _read_all(files, chosen, mode, model):
        failed += outcome.error is not None
        if json:
            entry = _as_json(path, outcome, chosen)
            print_json({**entry, "explained": explained.get(path, {})} if explain else entry, indent=None)
        else:
            _show(path, outcome, chosen)
            _show_choice(explained.get(path, {}))
    raise typer.Exit(1 if failed else 0)


def _read_all(
    files: Sequence[Path], fields: Sequence[Field], mode: Mode, model: str | None
) -> Iterator[tuple[Path, TaskOutcome[Extraction | None]]]:
    now = settings()
    options = extract_options(now, mode, model)
    packed, reading, in_worker = pack_fields(fields), read_options(now, mode), for_worker(options)

    def task_of(path: Path) -> ReadTask:
        return ReadTask(path.name, packed, reading, in_worker)

    what = f"Reading with {options.model.label}" if options.model else "Reading"
    return each_outcome(files, what, EXTRACTION, task_of, options.model)


def _explain(files: Sequence[Path], mode: Mode) -> None:
    """Write pictures of the first pages of ``files`` with their readings; raise why one can't be read."""
    now = settings()
    with WorkerPool(PAGE_VIEW, 1, worker_limits(now)) as pool:
        for path in files:
            number, last = 1, 1
            while number <= last:
                task = PageTask(path.name, number, _PICTURE, reading=read_options(now, mode), explained=True)
                pool.submit(f"{path} {number}", task, [path])
                (outcome,) = pool.wait()
                if outcome.result is None:
                    raise outcome.error or InputError(f"{path} can't be read")
                drawn = Path(f"{path.stem}-page{number}.jpg")
                drawn.write_bytes(outcome.result.picture)
                say(f"{path}, page {number}: {drawn}")
                number, last = number + 1, min(outcome.result.pages, _MOST_PICTURES)


def _explain_choice(
    files: Sequence[Path], fields: Sequence[Field], mode: Mode
) -> dict[Path, dict[str, list[Explained]]]:
    """Return the likeliest values of each field of each file that can be read."""
    work = partial(explain_document, fields)
    outcomes = each_document(files, "Explaining", work, dict[str, list[Explained]], mode)
    return {path: outcome.result for path, outcome in outcomes if outcome.result is not None}


def _show_choice(explained: Mapping[str, Sequence[Explained]]) -> None:
    rows = [
        (
            name if not number else "",
            place.value,
            f"{place.probability:.0%}",
            place.page,
            ", ".join(f"{why.feature} {why.adds:+.1f}" for why in place.reasons),
        )
        for name, places in explained.items()
        for number, place in enumerate(places)
    ]
    if rows:
        print_table(["Field", "Value", "Probability", "Page", "Log odds"], rows, "The likeliest values")


def _as_json(path: Path, outcome: TaskOutcome[Extraction | None], fields: Sequence[Field]) -> dict[str, Any]:
    extraction = outcome.result.complete(fields) if outcome.result else None
    return {
        "file": str(path),
        "error": None if outcome.error is None else str(outcome.error),
        "data": extraction.data if extraction else {},
        "field_metadata": extraction.field_metadata if extraction else {},
        "confidence": extraction.confidence if extraction else None,
        "contentType": extraction.content_type if extraction else None,
        "pageCount": extraction.page_count if extraction else None,
        "pages": extraction.pages if extraction else [],
        "warnings": extraction.warnings if extraction else [],
        "usage": extraction.usage if extraction else None,
    }


def _show(path: Path, outcome: TaskOutcome[Extraction | None], fields: Sequence[Field]) -> None:
    say("")
    say(path, "bold")
    if outcome.result is None:
        say(outcome.error, "red")
        return
    extraction = outcome.result
    rows = []
    for field in fields:
        if field.type is not FieldType.TABLE:
            value, entry = extraction.data[field.name], extraction.field_metadata.get(field.name) or {}
            sure = None if value in (None, []) else entry.get("confidence")
            rows.append((field.name, value, percent(sure), entry.get("page"), _source([entry])))
    if rows:
        _print_sourced(["Field", "Value", "Confidence", "Page"], rows)
    for field in fields:
        if field.type is FieldType.TABLE:
            names = [column.name for column in field.columns]
            cells: list[dict[str, Any]] = extraction.field_metadata.get(field.name) or []
            table = [
                [*(row.get(name) for name in names), _source(entries.values())]
                for row, entries in zip(extraction.data[field.name], cells, strict=True)
            ]
            _print_sourced(names, table, field.name)
    for warning in extraction.warnings:
        say(warning, "yellow")
    if extraction.usage is not None:
        say(f"{extraction.usage}; read in {outcome.seconds:.1f} s", "dim")


def _source(entries: Iterable[Mapping[str, Any]]) -> str:
    """Return what values were read by, but not the plain reading of the pages."""
    return ", ".join(sorted({entry["source"] for entry in entries if entry.get("source")} - {"text"}))


def _print_sourced(columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str | None = None) -> None:
    """Print rows that end with the source of their values, if any has one to tell."""
    if any(row[-1] for row in rows):
        print_table([*columns, "Source"], rows, title)
    else:
        print_table(columns, [row[:-1] for row in rows], title)
