"""``docduck documents``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import (
    checked_id,
    classifier_id,
    find_document,
    folder_at,
    parser_id,
    parser_of,
)
from docduck.cli.options.assignments import assigned
from docduck.cli.options.secrets import asked_secret
from docduck.cli.options.shared import (
    CursorOption,
    DocumentArgument,
    DocumentArguments,
    PageSizeOption,
    ParserArgument,
    ParserOption,
    QueryOption,
    command_group,
)
from docduck.cli.output import JsonOption, moment, percent, print_json, print_result, say, shown
from docduck.cli.tables import Columns, print_page, print_rows, print_table
from docduck.client import Client
from docduck.client.types import Document, DocumentDetails, HistoryEntry
from docduck.errors import Conflict, InputError
from docduck.extraction.model_usage import ModelUsage
from docduck.statuses import Status

app = command_group("Documents and their values.")

ROOT = "root"
"""In place of a folder: none."""

_MOST_FILES, _MOST_BYTES = 20, 400_000_000
"""Of one upload; the limits are 20 files and 500 MB by default."""

Upload = Callable[..., Sequence[Mapping[str, Any]]]
Sort = Literal["createdAt.desc", "createdAt.asc", "updatedAt.desc", "updatedAt.asc", "name.asc", "name.desc"]


@app.command("list")
def list_(
    parser: ParserOption = None,
    status: Annotated[Status | None, typer.Option(help="Only documents in this status.")] = None,
    q: QueryOption = None,
    sort: Annotated[Sort, typer.Option(help="The order.")] = "createdAt.desc",
    updated_from: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Only documents that changed then or later.")
    ] = None,
    updated_to: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Only documents that changed then or earlier.")
    ] = None,
    page: Annotated[int | None, typer.Option(min=1, help="The page.")] = None,
    cursor: CursorOption = None,
    limit: PageSizeOption = 50,
    data: Annotated[bool, typer.Option("--data", help="With --json: the values, too.")] = False,
    json: JsonOption = False,
) -> None:
    """List documents, the newest first."""
    with connected() as client:
        owner_id = None if parser is None else parser_id(client, parser)
        documents = client.documents.page(
            owner_id,
            status=status,
            q=q,
            sort=sort,
            updated_from=updated_from,
            updated_to=updated_to,
            page=page,
            cursor=cursor,
            limit=limit,
            include="data" if data else None,
        )
    columns: Columns = {
        "Id": "id",
        "Name": "name",
        "Status": _status,
        "Conf.": lambda row: percent(row["confidence"]),
        "Created": "createdAt",
    }
    rows, pagination = documents["data"], documents["pagination"]
    print_rows(rows, columns, json, whole=documents)
    if not json:
        pages = pagination["pageCount"]
        of_pages = f", page {pagination['page']} of {pages}" if pages > 1 else ""
        say(f"{len(rows)} of {pagination['total']}{of_pages}")


@app.command("deletions")
def deletions(
    since: Annotated[str | None, typer.Option(metavar="MOMENT", help="Only deletions then or later.")] = None,
    parser: ParserOption = None,
    cursor: CursorOption = None,
    limit: PageSizeOption = 50,
    json: JsonOption = False,
) -> None:
    """List the ids of deleted documents, the oldest deletion first."""
    with connected() as client:
        owner_id = None if parser is None else parser_id(client, parser)
        page = client.documents.deletions_page(since=since, parser_id=owner_id, cursor=cursor, limit=limit)
    print_page(page, {"Id": "id", "Parser": "parserId", "Deleted": "deletedAt"}, json)


@app.command()
def show(document_id: DocumentArgument, json: JsonOption = False) -> None:
    """Show a document's values, their places, and its history."""
    with connected() as client:
        _print(client, find_document(client, document_id), json)


@app.command()
def add(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="PARSER FILE…",
            help="Slug, name or id of the parser, and files to upload; with --classifier, files alone.",
        ),
    ],
    classifier: Annotated[
        str | None,
        typer.Option("--classifier", metavar="NAME", help="The classifier that chooses a parser."),
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
    with connected() as client:
        if classifier is None:
            upload: Upload = partial(client.process.files, parser_id(client, parser))
        else:
            upload = partial(client.process.files_to_classifier, classifier_id(client, classifier))
        ids = [item["documentId"] for batch in _batches(paths) for item in upload(*batch)]
    uploads = [{"id": document_id, "file": path} for document_id, path in zip(ids, paths, strict=True)]
    if json:
        print_json(uploads)
    else:
        for entry in uploads:
            say(f"{entry['id']} {entry['file']}")


@app.command("correct")
def correct_(
    document_id: DocumentArgument,
    changes: Annotated[
        list[str],
        typer.Argument(metavar="FIELD=VALUE…", help="Values as JSON, or as text; null clears one."),
    ],
    json: JsonOption = False,
) -> None:
    """Correct values; the parser learns where they are printed on documents that look alike."""
    values = dict(assigned(change, "FIELD=VALUE", "'Total=12.50'") for change in changes)
    with connected() as client:
        owner_id = parser_of(find_document(client, document_id))
        _print(client, client.documents.update_data(owner_id, document_id, values), json)


@app.command()
def confirm(document_id: DocumentArgument, json: JsonOption = False) -> None:
    """Confirm that all values are right; they stay when the document is read again, and are learned from."""
    with connected() as client:
        owner_id = parser_of(find_document(client, document_id))
        _print(client, client.documents.confirm(owner_id, document_id), json)


@app.command("reprocess")
def reprocess_(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID…]", help="Document ids.")] = None,
    parser: Annotated[
        str | None,
        typer.Option("--parser", metavar="PARSER", help="All of this parser's documents instead."),
    ] = None,
    status: Annotated[
        list[Status] | None,
        typer.Option(help="With --parser: only documents in this status."),
    ] = None,
    discard_corrections: Annotated[
        bool,
        typer.Option("--discard-corrections", help="Read also the values anew that people set."),
    ] = False,
    password: Annotated[
        bool,
        typer.Option("--password", help="Ask for the password of the files, or read it from a pipe."),
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
    if password and parser is not None:
        raise InputError("--password needs document ids")
    opens = asked_secret("Password of the files") if password else None
    with connected() as client:
        if parser is not None:
            queued = client.documents.reprocess_all(
                parser_id(client, parser), statuses=status, discard_corrections=discard_corrections
            )
        else:
            queued = client.documents.reprocess_many(
                _checked(ids or ()), discard_corrections=discard_corrections, password=opens
            )
    _print_count("queued", queued["queued"], json)


@app.command()
def explain(
    document_id: Annotated[str, typer.Argument(metavar="ID", help="The document.")],
    field: Annotated[str, typer.Argument(metavar="FIELD", help="A field, or Table.Column with --row.")],
    row: Annotated[int | None, typer.Option("--row", min=1, help="The row of a table, from 1.")] = None,
    json: JsonOption = False,
) -> None:
    """Say why a value is what it is: its source, its place, failed checks, and how sure it is."""
    with connected() as client:
        document = find_document(client, document_id)
        told = client.documents.explanation(parser_of(document), document["id"], field=field, row=row)
    if json:
        print_json(told)
        return
    say(f"{told['field']}{f', row {row}' if row else ''}: {shown(told['value']) or 'empty'}", "bold")
    for sentence in told["sentences"]:
        say(sentence)


@app.command()
def cancel(ids: DocumentArguments, json: JsonOption = False) -> None:
    """Stop reading documents that are queued or being read; they are failed then."""
    with connected() as client:
        count = client.documents.cancel_many(_checked(ids))["cancelled"]
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
    ids: DocumentArguments,
    json: JsonOption = False,
) -> None:
    """File documents in a folder of their parser."""
    with connected() as client:
        owner_id = parser_id(client, parser)
        place = None if folder == ROOT else folder_at(client.folders.list(owner_id), folder)
        done = client.documents.bulk_update(owner_id, _checked(ids), folder_id=place["id"] if place else None)
    label = place["pathLabel"] if place else "no folder"
    print_result(done, f"{len(done['ids'])} filed in {label}", json)
    if not json:
        for failure in done["failed"]:
            say(f"{failure['id']}: {failure['message']}", "red")


@app.command("unsplit")
def unsplit(
    document_id: Annotated[str, typer.Argument(metavar="ID", help="Any part of the split PDF.")],
    json: JsonOption = False,
) -> None:
    """Read a split PDF as one document again; its other parts are deleted."""
    with connected() as client:
        owner_id = find_document(client, document_id)["parserId"]
        if owner_id is None:
            raise Conflict("The document was not split from a PDF")
        whole = client.documents.undo_split(owner_id, document_id)["documentId"]
    print_result({"documentId": whole}, f"{whole} is one document again, and queued", json)


@app.command()
def delete(ids: DocumentArguments, json: JsonOption = False) -> None:
    """Delete documents, their values and their rows."""
    with connected() as client:
        count = client.documents.delete_many(_checked(ids))["deleted"]
    _print_count("deleted", count, json)


def _status(document: Document | DocumentDetails) -> str:
    return f"{document['status']}: {document['error']}" if document.get("error") else document["status"]


def _checked(ids: Sequence[str]) -> list[str]:
    return [checked_id("documentId", document_id) for document_id in ids]


def _batches(files: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield batches of files that fit into one upload, in their order."""
    batch: list[Path] = []
    size = 0
    for path in files:
        more = path.stat().st_size
        if batch and (len(batch) == _MOST_FILES or size + more > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += more
    if batch:
        yield batch


def _check_readable(path: Path) -> None:
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def _print_count(what: str, count: int, json: bool) -> None:
    print_result({what: count}, f"{count} {what}", json)


def _print(client: Client, document: DocumentDetails, json: bool) -> None:
    history = list(client.documents.history_of(document["id"], limit=100))
    if json:
        print_json({**document, "history": history})
    else:
        _show(document, history)


def _show(document: DocumentDetails, history: Sequence[HistoryEntry]) -> None:
    metadata = document["metadata"]
    say(document["name"], "bold")
    say(_status(document))
    if waiting := metadata["waiting"]:
        say(f"waiting since {shown(moment(waiting['since']))}: {waiting['reason']}")
    if progress := metadata["progress"]:
        say(f"{progress['pagesRead']} of {progress['pages']} pages read")
    scalars: list[tuple[Any, ...]] = []
    tables: list[tuple[str, list[Mapping[str, Any]]]] = []
    for name, value in document["data"].items():
        evidence = metadata["field_metadata"].get(name) or {}
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
    for warning in metadata["warnings"]:
        say(warning, "yellow")
    for used in metadata["modelUsage"]:
        tokens = used["inputTokens"], used["outputTokens"]
        say(ModelUsage(used["model"], used["requests"], *tokens, used["cost"]), "dim")
    history_columns: Columns = {
        "When": "at",
        "Event": "event",
        "Status": "toStatus",
        "By": lambda entry: entry["actor"].split("/")[0],
        "Why": "reason",
    }
    print_rows(history, history_columns, title="History")
