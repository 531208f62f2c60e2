"""``docduck connections``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.options.shared import TeamOption, command_group, team_of
from docduck.cli.output import JsonOption, installation, print_result, shown
from docduck.cli.tables import print_rows
from docduck.service.oauth.grants import list_grants, revoke_grant

app = command_group("MCP clients that members connected to a team.")

_ACTOR = "system"


@app.command("list")
def list_(team: TeamOption = None, json: JsonOption = False) -> None:
    """List the connected clients of a team, the newest first."""
    with installation() as inst:
        views = list_grants(inst, team_id=team_of(inst, team).id)
    columns = {"Id": "id", "Client": "client", "Member": "email", "Permissions": "scopes"}
    columns |= {"Since": "created_at", "Last used": "last_used_at", "From": "address"}
    print_rows(views, columns, json)


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
