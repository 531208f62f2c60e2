"""``docduck audit``."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

import typer

from docduck import clock
from docduck.cli.connection import connected
from docduck.cli.output import JsonOption
from docduck.cli.tables import Columns, print_rows
from docduck.errors import InputError
from docduck.ids import is_uuid


def audit(
    resource: Annotated[str | None, typer.Option(metavar="ID", help="The id of what was changed.")] = None,
    type_: Annotated[
        str | None,
        typer.Option(
            "--type",
            metavar="TYPE",
            help="classifier, connection, document, folder, invitation, key, parser, query, review_stage, "
            "team, user or webhook.",
        ),
    ] = None,
    actor: Annotated[
        str | None,
        typer.Option(metavar="ACTOR", help="Id of a user or key, or a name such as cli."),
    ] = None,
    action: Annotated[str | None, typer.Option(metavar="ACTION", help="Such as parser.updated.")] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="From this date or date-time on, in local time."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Until this date-time, or the end of this date, in local time."),
    ] = None,
    page: Annotated[int, typer.Option(min=1, help="The page, from 1.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Entries of a page.")] = 50,
    json: JsonOption = False,
) -> None:
    """List who changed what, newest first."""
    if resource is not None and not is_uuid(resource):
        raise InputError("Invalid resourceId", "resourceId")
    with connected() as client:
        changes = client.audit_log.page(
            resource_type=type_,
            resource_id=resource,
            actor=actor,
            action=action,
            since=since and _span("--since", since)[0],
            until=until and _span("--until", until)[1],
            page=page,
            limit=limit,
        )
    columns: Columns = {
        "At": "at",
        "Who": lambda change: f"{change['actor']['type']} {change['actor']['name']}",
        "Action": "action",
        "Id": "resourceId",
        "Changed": "details.changed",
    }
    print_rows(changes["data"], columns, json, whole=changes)


def _span(option: str, text: str) -> tuple[dt.datetime, dt.datetime]:
    try:
        return clock.iso_span(text, None)
    except ValueError as error:
        raise InputError(f"{option} {error}") from error
