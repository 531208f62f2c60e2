"""``docduck documents``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.output import JsonOption, console, installation, print_json, print_table
from docduck.service.documents import (
    delete_documents,
    get_document,
    list_documents,
    reprocess,
    upload,
)

app = typer.Typer(help="Documents and what was read in them.", no_args_is_help=True)

_Parser = Annotated[str | None, typer.Option("--parser", help="Of this parser only.", show_default=False)]
_Ids = Annotated[list[str], typer.Argument(help="Document ids.", show_default=False)]


@app.command("list")
def list_(
    parser: _Parser = None,
    status: Annotated[str | None, typer.Option(help="Of this status only.", show_default=False)] = None,
    q: Annotated[
        str | None, typer.Option(help="Part of the name or external id.", show_default=False)
    ] = None,
    sort: Annotated[str, typer.Option(help="Such as createdAt.desc or name.asc.")] = "createdAt.desc",
    page: Annotated[int, typer.Option(min=1)] = 1,
    limit: Annotated[int, typer.Option(min=1, max=100)] = 50,
    json: JsonOption = False,
) -> None:
    """List documents, the newest first."""
    with installation() as inst:
        found = list_documents(
            inst, inst.team_id, parser, status=status, q=q, sort=sort, page=page, limit=limit
        )
    if json:
        print_json({"data": found.rows, "page": found.page, "limit": found.limit, "total": found.total})
        return
    print_table(
        ["Id", "Name", "Status", "Pages", "Sure", "Created", "Error"],
        [
            (
                row.id,
                row.name,
                row.status,
                row.page_count,
                "" if row.confidence is None else f"{row.confidence:.0%}",
                row.created_at,
                row.error,
            )
            for row in found.rows
        ],
    )
    console.print(f"{len(found.rows)} of {found.total}")


@app.command()
def show(document_id: str, json: JsonOption = False) -> None:
    """Show a document's values, where they stand, and its history."""
    with installation() as inst:
        found = get_document(inst, inst.team_id, document_id)
    if json:
        print_json(found)
        return
    console.print(f"{found.name}: {found.status} {found.error or ''}", markup=False)
    scalars, tables = [], []
    for name, value in found.data.items():
        evidence = found.field_metadata.get(name)
        if isinstance(evidence, list) or (isinstance(value, list) and value and isinstance(value[0], dict)):
            tables.append((name, value))
        else:
            page = (evidence or {}).get("page")
            sure = (evidence or {}).get("confidence")
            scalars.append((name, value, "" if value is None or sure is None else f"{sure:.0%}", page))
    print_table(["Field", "Value", "Sure", "Page"], scalars)
    for name, rows in tables:
        columns = list(dict.fromkeys(column for row in rows for column in row))
        print_table(columns, [[row.get(column) for column in columns] for row in rows], f"\n{name}")
    print_table(
        ["When", "Event", "Status", "By", "Why"],
        [(e.at, e.event, e.to_status, e.actor, e.reason) for e in found.history],
        "\nHistory",
    )


@app.command()
def add(
    parser: Annotated[str, typer.Argument(help="Slug, name or id of the parser.")],
    files: Annotated[list[Path], typer.Argument(help="Files to upload.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Upload files; a run of docduck reads them."""
    with installation() as inst:
        made = [
            {"id": upload(inst, inst.team_id, parser, path, source="upload"), "file": str(path)}
            for path in files
        ]
    if json:
        print_json(made)
    else:
        for one in made:
            console.print(f"{one['id']} {one['file']}", markup=False)


@app.command("reprocess")
def reprocess_(ids: _Ids) -> None:
    """Read documents again, with the parser as it is now."""
    with installation() as inst:
        console.print(f"{reprocess(inst, inst.team_id, ids, actor='cli')} queued")


@app.command()
def delete(ids: _Ids) -> None:
    """Delete documents, their values and their rows."""
    with installation() as inst:
        console.print(f"{delete_documents(inst, inst.team_id, ids)} deleted")
