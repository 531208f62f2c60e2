"""``docduck teams``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.output import JsonOption, installation, print_json, say
from docduck.cli.tables import print_table
from docduck.service.accounts.accounts import create_team, list_teams, rename_team

app = typer.Typer(help="Teams, which share nothing.", no_args_is_help=True, add_completion=False)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Its name.")]


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the teams."""
    with installation() as inst:
        found = list_teams(inst)
    if json:
        print_json(found)
    else:
        print_table(["Slug", "Name", "Id"], [(one.slug, one.name, one.id) for one in found])


@app.command()
def create(
    name: NameArgument,
    slug: Annotated[
        str | None, typer.Option(metavar="SLUG", help="What commands call it by; made from its name.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Make a team."""
    with installation() as inst:
        made = create_team(inst, name, slug)
    if json:
        print_json(made)
    else:
        say(f"Team {made.slug} is there; docduck keys create NAME --team {made.slug} makes a key for it")


@app.command()
def rename(
    team: Annotated[str, typer.Argument(metavar="TEAM", help="Slug or id of the team.")],
    name: NameArgument,
    json: JsonOption = False,
) -> None:
    """Give a team another name; its slug stays."""
    with installation() as inst:
        renamed = rename_team(inst, team, name)
    if json:
        print_json(renamed)
    else:
        say(f"Team {renamed.slug} is called {renamed.name}")
