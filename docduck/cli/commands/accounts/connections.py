"""``docduck connections``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.options.team import TeamOption, team_of
from docduck.cli.output import JsonOption, installation, print_json, print_result, shown
from docduck.cli.tables import print_table
from docduck.service.oauth.grants import list_grants, revoke_grant

app = typer.Typer(
    help="MCP clients that members connected to a team.", no_args_is_help=True, add_completion=False
)

_ACTOR = "system"


@app.command("list")
def list_(team: TeamOption = None, json: JsonOption = False) -> None:
    """List the connected clients of a team, the newest first."""
    with installation() as inst:
        views = list_grants(inst, team_id=team_of(inst, team).id)
    if json:
        print_json(views)
        return
    print_table(
        ["Id", "Client", "Member", "Permissions", "Since", "Last used", "From"],
        [
            (view.id, view.client, view.email, view.scopes, view.created_at, view.last_used_at, view.address)
            for view in views
        ],
    )


@app.command()
def revoke(
    connection: Annotated[str, typer.Argument(metavar="CONNECTION", help="Id of the connection.")],
    team: TeamOption = None,
    json: JsonOption = False,
) -> None:
    """Disconnect a client; its tokens end at once."""
    with installation() as inst:
        revoked = revoke_grant(inst, connection, _ACTOR, team_id=team_of(inst, team).id)
    print_result(revoked, f"{shown(revoked.client)} is disconnected from {revoked.email}", json)
