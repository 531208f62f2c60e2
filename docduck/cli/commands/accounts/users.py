"""``docduck users``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from docduck.catalog.models.accounts import ROLES
from docduck.cli.options.secrets import asked_secret
from docduck.cli.options.shared import TeamOption, command_group, team_of
from docduck.cli.output import JsonOption, errors, installation, print_json, print_result, say, shown
from docduck.cli.runtime.addresses import pages_url
from docduck.cli.tables import Columns, print_rows
from docduck.errors import InputError
from docduck.service.accounts.accounts import add_member, check_role, create_user, list_users, remove_member
from docduck.service.accounts.password_reset import start_reset

app = command_group("Users and their roles in teams.")

EmailArgument = Annotated[str, typer.Argument(metavar="EMAIL", help="Their e-mail address.")]


@app.command("list")
def list_(team: TeamOption = None, json: JsonOption = False) -> None:
    """List the users of all teams, or of one team."""
    with installation() as inst:
        views = list_users(inst, team_of(inst, team).id if team else None)
    columns: Columns = {
        "Email": "email",
        "Name": "name",
        "Teams": lambda user: [f"{slug}: {role}" for slug, role in user.teams],
        "Id": "id",
    }
    print_rows(views, columns, json)


@app.command()
def create(
    email: EmailArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Their name.")],
    password: Annotated[
        bool, typer.Option("--password", help="Ask for a password, or read it from standard input.")
    ] = False,
    role: Annotated[
        str | None, typer.Option(metavar="ROLE", help=f"Their role in the team: {', '.join(ROLES)}.")
    ] = None,
    team: TeamOption = None,
    json: JsonOption = False,
) -> None:
    """Create a user, with or without a password, and with a role in a team if one is named."""
    if role is None and team is not None:
        raise InputError("--team needs --role", "role")
    if role is not None:
        check_role(role)
    secret = asked_secret("Password", twice=True) if password else None
    with installation() as inst:
        where = team_of(inst, team) if role is not None else None
        user = create_user(inst, email, name, secret)
        if where is not None and role is not None:
            add_member(inst, where.id, user.id, role)
            user = replace(user, teams=((where.slug, role),))
    steps = [] if role is not None else [f"docduck users add {user.email} --role ROLE adds them to a team"]
    if secret is None:
        steps.append(f"docduck users reset-password {user.email} prints a link to set a password")
    print_result(user, "; ".join([f"Created {user.email}", *steps]), json)


@app.command("reset-password")
def reset_password(email: EmailArgument, json: JsonOption = False) -> None:
    """Print a link by which a user sets a password, once."""
    with installation() as inst:
        reset = start_reset(inst, email)
        link = f"{pages_url(inst.settings)}/password-reset/{reset.token}"
    if json:
        print_json({"email": reset.email, "link": link, "expiresAt": reset.expires_at})
        return
    say(link)
    errors.print(f"{shown(reset.email)} can set a password there once, until {shown(reset.expires_at)}")


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
