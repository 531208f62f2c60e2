"""The command line's entry: all commands, and what becomes of an error."""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from docduck import __version__
from docduck.errors import Defect, DocduckError, InputError, Transient
from docduck.settings import settings

FAILED, WRONG_INPUT, TRY_AGAIN, DEFECT = 1, 2, 75, 70
"""Exit codes: something asked for failed; the input is wrong; trying again helps; our own mistake."""

COMMANDS = {
    "up": "docduck.cli.up_command:up",
    "status": "docduck.cli.status:status",
    "extract": "docduck.cli.extract:extract",
    "apply": "docduck.cli.apply:apply",
    "parsers": "docduck.cli.parsers:app",
    "documents": "docduck.cli.documents:app",
    "export": "docduck.cli.export:export",
    "warehouse": "docduck.cli.warehouse:app",
    "evaluate": "docduck.cli.evaluate:evaluate",
}


class Commands(TyperGroup):
    """Imports a command when it is asked for, so that none waits for the others' libraries."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        found = getattr(import_module(module), name)
        if not isinstance(found, typer.Typer):
            single = typer.Typer()
            single.command(cmd_name)(found)
            found = single
        command = typer.main.get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(
    name="docduck",
    help="Turns documents into tables.",
    cls=Commands,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _options(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show docduck's version and end.")] = False,
) -> None:
    if version:
        typer.echo(f"docduck {__version__}")
    elif ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def main() -> None:
    """Run the command line; the exit code tells a script what happened."""
    try:
        logging.basicConfig(level=settings().log_level, format="%(levelname)s %(name)s: %(message)s")
        logging.getLogger("alembic").setLevel(logging.WARNING)
        app()
    except (Transient, OSError) as error:
        _tell(error, "Trying again may help.")
        sys.exit(TRY_AGAIN)
    except InputError as error:
        _tell(error)
        sys.exit(WRONG_INPUT)
    except DocduckError as error:
        _tell(error)
        sys.exit(DEFECT if isinstance(error, Defect) else FAILED)
    except Exception as error:
        logging.getLogger(__name__).exception("a defect of docduck")
        _tell(error, "This is a defect of docduck, not of what you did; the trace is above.")
        sys.exit(DEFECT)


def _tell(error: BaseException, remedy: str = "") -> None:
    typer.secho("Error ", fg="red", bold=True, nl=False, err=True)
    typer.echo(f"{error} {remedy}".rstrip(), err=True)
