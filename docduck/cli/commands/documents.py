"""``docduck documents``."""

from __future__ import annotations

from collections.abc import Mapping
from json import loads as parse_json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from docduck.cli.backends.backend import backend
from docduck.cli.options.folder import folder_at
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, percent, print_json, print_result, say, shown
from docduck.cli.tables import print_table
from docduck.errors import InputError
from docduck.service.documents.queries.document_views import DocumentView
from docduck.service.folders import ROOT
from docduck.statuses import Status

app = typer.Typer(help="Documents and their values.", no_args_is_help=True, add_completion=False)

Sort = Literal["createdAt.desc", "createdAt.asc", "updatedAt.desc", "updatedAt.asc", "name.asc", "name.desc"]
ParserOption = Annotated[
    str | None,
    typer.Option("--parser", metavar="PARSER", help="Only documents of this parser.", show_default=False),
]


@app.command("list")
def list_(
    parser: ParserOption = None,
    status: Annotated[
        Status | None, typer.Option(help="Only documents in this status.", show_default=False)
    ] = None,
    q: Annotated[
        str | None,
        typer.Option(
            "--query", "-q", metavar="TEXT", help="Part of the name or external id.", show_default=False
        ),
    ] = None,
    sort: Annotated[Sort, typer.Option(help="The order.")] = "createdAt.desc",
    page: Annotated[int, typer.Option(min=1, help="The page.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Documents per page.")] = 50,
    json: JsonOption = False,
) -> None:
    """List documents, the newest first."""
    with backend() as chosen:
        found = chosen.documents(parser, status=status, q=q, sort=sort, page=page, limit=limit)
    if json:
        print_json({"data": found.rows, "page": found.page, "limit": found.limit, "total": found.total})
        return
    print_table(
        ["Id", "Name", "Status", "Conf.", "Created"],
        [
            (
                row.id,
                row.name,
                f"{row.status}: {row.error}" if row.error else row.status,
                percent(row.confidence),
                row.created_at,
            )
            for row in found.rows
        ],
    )
    pages = max(1, -(-found.total // found.limit))
    say(f"{len(found.rows)} of {found.total}" + (f", page {found.page} of {pages}" if pages > 1 else ""))


@app.command()
def show(
    document_id: Annotated[str, typer.Argument(metavar="ID", help="The document's id.")],
    json: JsonOption = False,
) -> None:
    """Show a document's values, their places, and its history."""
    with backend() as chosen:
        found = chosen.document(document_id)
    if json:
        print_json(found)
    else:
        _show(found)


@app.command()
def add(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="PARSER FILE…",
            help="Slug, name or id of the parser, and files to upload; with --classifier, files alone.",
            show_default=False,
        ),
    ],
    classifier: Annotated[
        str | None,
        typer.Option(
            "--classifier", metavar="NAME", help="The classifier that chooses a parser.", show_default=False
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Upload files to a parser or classifier; docduck up reads them."""
    parser, files = (arguments[0], arguments[1:]) if classifier is None else ("", arguments)
    paths = [Path(file) for file in files]
    if not paths:
        raise InputError("Name a parser and at least one file: docduck documents add PARSER FILE…")
    for path in paths:
        _check_readable(path)
    with backend() as chosen:
        ids = (
            chosen.upload(parser, paths)
            if classifier is None
            else chosen.classifiers.upload(classifier, paths)
        )
    made = [{"id": document_id, "file": path} for document_id, path in zip(ids, paths, strict=True)]
    if json:
        print_json(made)
    else:
        for one in made:
            say(f"{one['id']} {one['file']}")


@app.command("correct")
def correct_(
    document_id: Annotated[str, typer.Argument(metavar="ID", help="The document's id.")],
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="FIELD=VALUE…", help="Values as JSON, or as text; null clears one.", show_default=False
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Correct values; the parser learns where they are printed on documents that look alike."""
    values = dict(_change(one) for one in changes)
    with backend() as chosen:
        found = chosen.correct(document_id, values)
    if json:
        print_json(found)
    else:
        _show(found)


def _change(text: str) -> tuple[str, Any]:
    """Return the field and value of ``Field=value``; the value is JSON if it parses as such, else text."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise InputError(f"'{text}' must be FIELD=VALUE, for example 'Total=12.50'")
    try:
        return name.strip(), parse_json(value)
    except ValueError:
        return name.strip(), value


@app.command("reprocess")
def reprocess_(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID…]", help="Document ids.")] = None,
    parser: Annotated[
        str | None,
        typer.Option(
            "--parser", metavar="PARSER", help="All of this parser's documents instead.", show_default=False
        ),
    ] = None,
    status: Annotated[
        list[Status] | None,
        typer.Option(help="With --parser: only documents in this status.", show_default=False),
    ] = None,
    discard_corrections: Annotated[
        bool,
        typer.Option("--discard-corrections", help="Read also the values anew that people set."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Read documents again, with the parser's current setup; values that people set stay, reviews begin anew.

    --parser takes all that are done, approved ones too, unless --status limits it.
    """
    if bool(ids) == (parser is not None):
        raise InputError("Use either document ids or --parser PARSER")
    if status and parser is None:
        raise InputError("--status needs --parser")
    with backend() as chosen:
        if parser is not None:
            count = chosen.reprocess_parser(parser, status or None, discard_corrections=discard_corrections)
        else:
            count = chosen.reprocess(ids or [], discard_corrections=discard_corrections)
    _print_count("queued", count, json)


@app.command()
def cancel(
    ids: Annotated[list[str], typer.Argument(metavar="ID…", help="Document ids.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Stop reading documents that are queued or being read; they are failed then."""
    with backend() as chosen:
        count = chosen.cancel(ids)
    _print_count("cancelled", count, json)


@app.command("file")
def file_(
    parser: ParserArgument,
    folder: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER", help="Path of a folder, such as 'Bills / 2026', or its id; 'root' for none."
        ),
    ],
    ids: Annotated[list[str], typer.Argument(metavar="ID…", help="Document ids.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """File documents in a folder of their parser."""
    with backend() as chosen:
        place = None if folder == ROOT else folder_at(chosen.folders(parser), folder)
        done = chosen.file(parser, place.id if place else None, ids)
    label = place.path_label if place else "no folder"
    print_result(done, f"{len(done.ids)} filed in {label}", json)
    if not json:
        for document_id, message in done.failed:
            say(f"{document_id}: {message}", "red")


@app.command("unsplit")
def unsplit(
    document_id: Annotated[
        str, typer.Argument(metavar="ID", help="Any part of the split PDF.", show_default=False)
    ],
    json: JsonOption = False,
) -> None:
    """Read a split PDF as one document again; its other parts are deleted."""
    with backend() as chosen:
        whole = chosen.undo_split(document_id)
    print_result({"documentId": whole}, f"{whole} is one document again, and queued", json)


@app.command()
def delete(
    ids: Annotated[list[str], typer.Argument(metavar="ID…", help="Document ids.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Delete documents, their values and their rows."""
    with backend() as chosen:
        count = chosen.delete(ids)
    _print_count("deleted", count, json)


def _check_readable(path: Path) -> None:
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def _print_count(what: str, count: int, json: bool) -> None:
    print_result({what: count}, f"{count} {what}", json)


def _show(found: DocumentView) -> None:
    say(found.name, "bold")
    say(f"{found.status}: {found.error}" if found.error else found.status)
    if found.waiting is not None:
        say(f"waiting since {shown(found.waiting.since)}: {found.waiting.reason}")
    if found.progress is not None:
        say(f"{found.progress.pages_read} of {found.progress.pages} pages read")
    scalars: list[tuple[Any, ...]] = []
    tables: list[tuple[str, list[Mapping[str, Any]]]] = []
    for name, value in found.data.items():
        evidence = found.field_metadata.get(name) or {}
        if isinstance(evidence, list) or (isinstance(value, list) and value and isinstance(value[0], dict)):
            tables.append((name, value or []))
        else:
            confidence = None if value in (None, []) else evidence.get("confidence")
            scalars.append((name, value, percent(confidence), evidence.get("page")))
    if scalars:
        print_table(["Field", "Value", "Confidence", "Page"], scalars, "Values")
    for name, rows in tables:
        columns = list(dict.fromkeys(column for row in rows for column in row))
        print_table(columns, [[row.get(column) for column in columns] for row in rows], name)
    for warning in found.warnings:
        say(warning, "yellow")
    print_table(
        ["When", "Event", "Status", "By", "Why"],
        [(e.at, e.event, e.to_status, e.actor.split("/")[0], e.reason) for e in found.history],
        "History",
    )
