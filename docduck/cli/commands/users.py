"""``docduck users``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from docduck.catalog.models.accounts import ROLES
from docduck.cli.options.team import TeamOption, team_of
from docduck.cli.output import JsonOption, installation, print_json, print_result
from docduck.cli.tables import print_table
from docduck.service.accounts.accounts import add_member, create_user, list_users, remove_member

app = typer.Typer(help="Users and their roles in teams.", no_args_is_help=True, add_completion=False)

EmailArgument = Annotated[str, typer.Argument(metavar="EMAIL", help="Their e-mail address.")]


@app.command("list")
def list_(team: TeamOption = None, json: JsonOption = False) -> None:
    """List the users of all teams, or of one team."""
    with installation() as inst:
        found = list_users(inst, team_of(inst, team).id if team else None)
    if json:
        print_json(found)
        return
    print_table(
        ["Email", "Name", "Teams", "Id"],
        [(one.email, one.name, [f"{slug}: {role}" for slug, role in one.teams], one.id) for one in found],
    )


@app.command()
def create(
    email: EmailArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Their name.")],
    password: Annotated[
        bool, typer.Option("--password", help="Ask for a password, or read it from standard input.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Create a user, with or without a password."""
    secret = _read_password() if password else None
    with installation() as inst:
        made = create_user(inst, email, name, secret)
    print_result(
        made, f"Created {made.email}; docduck users add {made.email} --role ROLE adds them to a team", json
    )


@app.command()
def add(
    user: Annotated[str, typer.Argument(metavar="USER", help="E-mail address or id of the user.")],
    role: Annotated[str, typer.Option(metavar="ROLE", help=f"{', '.join(ROLES)}.")],
    team: TeamOption = None,
    json: JsonOption = False,
) -> None:
    """Add a user to a team in a role, or change the role."""
    with installation() as inst:
        where = team_of(inst, team)
        member = add_member(inst, where.id, user, role)
    print_result(member, f"{member.email} is {member.role} of team {where.slug}", json)


@app.command()
def remove(
    user: Annotated[str, typer.Argument(metavar="USER", help="E-mail address or id of the user.")],
    team: TeamOption = None,
    json: JsonOption = False,
) -> None:
    """Remove a user from a team; documents assigned to them wait until somebody else is assigned."""
    with installation() as inst:
        where = team_of(inst, team)
        member = remove_member(inst, where.id, user)
    print_result(member, f"{member.email} is no longer in team {where.slug}", json)


def _read_password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")
