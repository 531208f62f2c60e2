"""Groups of commands, and the arguments and options that many commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from docduck.service.accounts.accounts import TeamView
    from docduck.service.core.installation import Installation

ParserArgument = Annotated[str, typer.Argument(metavar="PARSER", help="Slug, name or id of the parser.")]
ClassifierArgument = Annotated[
    str, typer.Argument(metavar="CLASSIFIER", help="Name or id of the classifier.")
]
DocumentArgument = Annotated[str, typer.Argument(metavar="ID", help="The document's id.")]
DocumentArguments = Annotated[list[str], typer.Argument(metavar="ID…", help="Document ids.")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Its name.")]
NewNameOption = Annotated[str | None, typer.Option(metavar="NAME", help="A new name.")]
ParserOption = Annotated[
    str | None, typer.Option("--parser", metavar="PARSER", help="Only documents of this parser.")
]
QueryOption = Annotated[
    str | None, typer.Option("--query", "-q", metavar="TEXT", help="Part of the name or external id.")
]
TeamOption = Annotated[
    str | None, typer.Option("--team", metavar="SLUG", help="The team; by default the default team.")
]
PageOption = Annotated[int, typer.Option(min=1, help="The page.")]
CursorOption = Annotated[
    str | None, typer.Option(metavar="CURSOR", help="What --json returned as nextCursor, in place of a page.")
]
PageSizeOption = Annotated[int, typer.Option(min=1, max=100, help="Documents per page.")]


def command_group(about: str) -> typer.Typer:
    """Return a command whose commands are added to it; without one, it prints its help."""
    return typer.Typer(help=about, no_args_is_help=True, add_completion=False)


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def team_of(inst: Installation, ref: str | None) -> TeamView:
    """Return the team of the option; raise NotFound."""
    from docduck.service.accounts.accounts import get_team

    return get_team(inst, ref or inst.team_id)
