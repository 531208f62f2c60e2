"""The option for a command's team."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from docduck.service.accounts.accounts import TeamView
    from docduck.service.core.installation import Installation

TeamOption = Annotated[
    str | None,
    typer.Option("--team", metavar="SLUG", help="The team; by default the default team."),
]


def team_of(inst: Installation, ref: str | None) -> TeamView:
    """Return the team of the option; raise NotFound."""
    from docduck.service.accounts.accounts import get_team

    return get_team(inst, ref or inst.team_id)
