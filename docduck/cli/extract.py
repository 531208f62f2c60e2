"""``docduck extract``."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from docduck import templates
from docduck.cli.output import JsonOption, console, print_json, print_table, progress
from docduck.documents.options import ReadOptions
from docduck.errors import InputError
from docduck.extraction.job import ReadTask, pack_fields, reading_pool
from docduck.extraction.options import ExtractOptions, Mode
from docduck.extraction.pool import Limits, Outcome
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType, parse_fields
from docduck.settings import settings


def extract(
    files: Annotated[list[Path], typer.Argument(help="Documents to read.", show_default=False)],
    fields: Annotated[
        Path | None, typer.Option("--fields", help="JSON file with the fields to find.", show_default=False)
    ] = None,
    template: Annotated[
        str | None,
        typer.Option("--template", help="A ready-made parser instead of --fields.", show_default=False),
    ] = None,
    mode: Annotated[str, typer.Option("--mode", help="fast, balanced or accurate.")] = "balanced",
    json: JsonOption = False,
) -> None:
    """Read documents and print their values, without keeping anything.

    With --json, one object per document and line: values, evidence and confidence. Ends with 1 when a
    document could not be read.
    """
    wanted = _fields(fields, template)
    if mode not in ("fast", "balanced", "accurate"):
        raise InputError(f"--mode: '{mode}' is not a mode; choose fast, balanced or accurate")
    missing = [path for path in files if not path.is_file()]
    if missing:
        raise InputError(f"{missing[0]} is not a file")
    failed = 0
    for path, outcome in _read_all(files, wanted, mode):  # type: ignore[arg-type]
        failed += outcome.error is not None
        if json:
            print_json(_as_json(path, outcome), indent=None)
        else:
            _show(path, outcome, wanted)
    raise typer.Exit(1 if failed else 0)


def _fields(path: Path | None, template: str | None) -> Sequence[Field]:
    if (path is None) == (template is None):
        raise InputError("Give either --fields FILE or --template NAME")
    if template is not None:
        return templates.load(template).fields
    assert path is not None
    try:
        return parse_fields(json_module.loads(path.read_text("utf-8-sig")))
    except OSError as error:
        raise InputError(f"--fields {path}: {error.strerror}") from error
    except (json_module.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"--fields {path} is not JSON: {error}") from error
    except InputError as error:
        raise InputError(f"--fields {path}: {error.message}", error.path) from error


def _read_all(
    files: Sequence[Path], fields: Sequence[Field], mode: Mode
) -> Iterator[tuple[Path, Outcome[Extraction]]]:
    now = settings()
    limits = Limits(now.worker_seconds, now.worker_memory_mb << 20, now.max_pages)
    packed = pack_fields(fields)
    reading = ReadOptions(
        ocr="fast" if mode == "fast" else "full", max_pages=now.max_pages, max_pixels=now.max_pixels
    )
    paths = {f"{index}": path for index, path in enumerate(files)}
    workers = min(now.workers, len(files))
    with (
        reading_pool(workers, limits, tasks_per_worker=now.worker_tasks) as pool,
        progress("Reading", len(files)) as advance,
    ):
        for key, path in paths.items():
            pool.submit(key, ReadTask(path.absolute(), path.name, packed, reading, ExtractOptions(mode)))
        done = 0
        while done < len(files):
            for outcome in pool.wait():
                done += 1
                advance(done)
                yield paths[outcome.key], outcome


def _as_json(path: Path, outcome: Outcome[Extraction]) -> dict[str, Any]:
    if outcome.result is None:
        return {"file": str(path), "error": str(outcome.error), "data": {}, "field_metadata": {}}
    found = outcome.result
    return {
        "file": str(path),
        "data": found.data,
        "field_metadata": found.field_metadata,
        "confidence": found.confidence,
        "contentType": found.content_type,
        "pageCount": found.page_count,
        "pages": found.pages,
        "warnings": found.warnings,
    }


def _show(path: Path, outcome: Outcome[Extraction], fields: Sequence[Field]) -> None:
    console.print(f"\n[bold]{path.name}[/]")
    if outcome.result is None:
        console.print(f"[red]{outcome.error}[/]")
        return
    found = outcome.result
    rows = []
    for field in fields:
        if field.type is not FieldType.TABLE:
            entry = found.field_metadata.get(field.name) or {}
            confidence = entry.get("confidence")
            shown = "" if found.data[field.name] in (None, []) or confidence is None else f"{confidence:.0%}"
            rows.append((field.name, found.data[field.name], shown, entry.get("page")))
    print_table(["Field", "Value", "Sure", "Page"], rows)
    for field in fields:
        if field.type is FieldType.TABLE:
            names = [column.name for column in field.columns]
            print_table(
                names,
                [[row.get(name) for name in names] for row in found.data[field.name]],
                f"\n{field.name}",
            )
    for warning in found.warnings:
        console.print(f"[yellow]{warning}[/]")
