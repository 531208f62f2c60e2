"""``docduck teams``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.options.shared import NameArgument, command_group
from docduck.cli.output import JsonOption, installation, print_result
from docduck.cli.tables import print_rows
from docduck.service.accounts.accounts import create_team, limit_team, list_teams, rename_team

app = command_group("Teams, with separate data.")

TeamArgument = Annotated[str, typer.Argument(metavar="TEAM", help="Slug or id of the team.")]


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the teams."""
    with installation() as inst:
        views = list_teams(inst)
    columns = {"Slug": "slug", "Name": "name", "Weight": "weight"}
    columns |= {"Today": "documents_today", "Quota": "documents_per_day", "Id": "id"}
    print_rows(views, columns, json)


@app.command()
def create(
    name: NameArgument,
    slug: Annotated[
        str | None,
        typer.Option(metavar="SLUG", help="Its short name in commands; by default made from its name."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Create a team."""
    with installation() as inst:
        team = create_team(inst, name, slug)
    print_result(
        team,
        f"Created team {team.slug}; docduck keys create NAME --team {team.slug} creates a key for it",
        json,
    )


@app.command()
def rename(team: TeamArgument, name: NameArgument, json: JsonOption = False) -> None:
    """Rename a team; its slug stays."""
    with installation() as inst:
        renamed = rename_team(inst, team, name)
    print_result(renamed, f"Team {renamed.slug} is now named {renamed.name}", json)


@app.command()
def limit(
    team: TeamArgument,
    weight: Annotated[
        int | None,
        typer.Option(metavar="N", help="Its share of the workers beside other teams; 1 by default."),
    ] = None,
    documents_per_day: Annotated[
        int | None,
        typer.Option(metavar="N", help="Most documents that it may send in a day (UTC); 0 for no quota."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Set a team's share of the workers, and its quota."""
    with installation() as inst:
        limited = limit_team(inst, team, weight, documents_per_day)
    most = limited.documents_per_day
    quota = "no quota" if most is None else f"a quota of {most:,} documents a day"
    print_result(limited, f"Team {limited.slug} has weight {limited.weight} and {quota}", json)
