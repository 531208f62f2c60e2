"""The option that says which team a command is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from docduck.service.accounts.accounts import TeamView
    from docduck.service.core.installation import Installation

TeamOption = Annotated[
    str | None,
    typer.Option("--team", metavar="SLUG", help="The team; the default one when not given."),
]


def team_of(inst: Installation, ref: str | None) -> TeamView:
    """The team that the option names; raises NotFound."""
    from docduck.service.accounts.accounts import get_team

    return get_team(inst, ref or inst.team_id)
