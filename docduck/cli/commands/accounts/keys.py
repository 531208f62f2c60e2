"""``docduck keys``."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

import typer

from docduck import clock
from docduck.cli.options.shared import TeamOption, command_group, team_of
from docduck.cli.output import JsonOption, installation, json_object, print_json, print_result, shown
from docduck.cli.tables import Columns, print_rows
from docduck.errors import InputError
from docduck.service.accounts.keys import KeyView, NewKey, create_key, list_keys, revoke_key, rotate_key
from docduck.service.accounts.permissions import ALL, PERMISSIONS
from docduck.service.parsers.parsers import get_parser

app = command_group("API keys of programs that use the REST API.")

KeyArgument = Annotated[str, typer.Argument(metavar="KEY", help="Id or prefix of the key.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Print only the key.")]


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The key's name.")],
    permission: Annotated[
        list[str] | None,
        typer.Option(
            "--permission",
            metavar="NAME",
            help=f"May be repeated; all by default: {', '.join(PERMISSIONS)}.",
        ),
    ] = None,
    parser: Annotated[
        list[str] | None,
        typer.Option("--parser", metavar="PARSER", help="May be repeated; all parsers by default."),
    ] = None,
    expires_in_days: Annotated[
        int | None, typer.Option(min=1, max=36_500, help="Days until it expires; never by default.")
    ] = None,
    team: TeamOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Create an API key, and print it once: it is not stored."""
    ends = None if expires_in_days is None else clock.now() + dt.timedelta(days=expires_in_days)
    _check_output(quiet, json)
    with installation() as inst:
        team_id = team_of(inst, team).id
        parsers = [get_parser(inst, team_id, ref).id for ref in parser] if parser else None
        _print_new(create_key(inst, team_id, name, permission or None, parsers, ends), quiet, json)


@app.command("list")
def list_(team: TeamOption = None, json: JsonOption = False) -> None:
    """List a team's API keys, the newest first, revoked ones too."""
    with installation() as inst:
        views = list_keys(inst, team_of(inst, team).id)
    columns: Columns = {
        "Id": "id",
        "Prefix": lambda key: f"docduck_{key.prefix}",
        "Name": "name",
        "State": _state,
        "Permissions": lambda key: "all" if frozenset(key.permissions) == ALL else key.permissions,
        "Parsers": lambda key: "all" if key.parser_ids is None else key.parser_ids,
        "Expires": "expires_at",
        "Last used": "last_used_at",
    }
    print_rows(views, columns, json)


@app.command()
def revoke(key: KeyArgument, team: TeamOption = None, json: JsonOption = False) -> None:
    """Revoke an API key."""
    with installation() as inst:
        revoked = revoke_key(inst, team_of(inst, team).id, key)
    print_result(revoked, f"Key {revoked.name} (docduck_{revoked.prefix}) is revoked", json)


@app.command()
def rotate(
    key: KeyArgument,
    grace_seconds: Annotated[
        float, typer.Option(min=0, help="How long the old key stays valid, in seconds.")
    ] = 0,
    team: TeamOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Replace an API key by a new one with the same permissions, and print it once."""
    _check_output(quiet, json)
    with installation() as inst:
        _print_new(rotate_key(inst, team_of(inst, team).id, key, grace_seconds), quiet, json)


def _check_output(quiet: bool, json: bool) -> None:
    if quiet and json:
        raise InputError("Use either --quiet or --json")


def _print_new(new: NewKey, quiet: bool, json: bool) -> None:
    if json:
        print_json({"text": new.text, **json_object(new.key)})
        return
    typer.echo(new.text)
    if not quiet:
        typer.echo(f"Store the key '{shown(new.key.name)}' safely: it is not shown again.", err=True)


def _state(key: KeyView) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "valid" if key.is_valid(clock.now()) else "expired"
