"""The command line's entry: all commands, and what becomes of an error."""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from docduck import __version__
from docduck.errors import Defect, DocduckError, InputError, NotFound, Transient
from docduck.files.access import keep_private

FAILED, WRONG_INPUT, DEFECT, TRY_AGAIN, INTERRUPTED = 1, 2, 70, 75, 130
"""Exit codes: something asked for failed; the input is wrong; our own mistake; trying again helps; Ctrl-C."""

COMMANDS = {
    "up": "docduck.cli.commands.up:up",
    "serve": "docduck.cli.commands.serve:serve",
    "status": "docduck.cli.commands.status:status",
    "extract": "docduck.cli.commands.extract:extract",
    "classify": "docduck.cli.commands.classify:classify",
    "split": "docduck.cli.commands.split:split",
    "suggest": "docduck.cli.commands.suggest:suggest",
    "apply": "docduck.cli.commands.apply:apply",
    "parsers": "docduck.cli.commands.parsers:app",
    "documents": "docduck.cli.commands.documents:app",
    "folders": "docduck.cli.commands.folders:app",
    "export": "docduck.cli.commands.export:export",
    "warehouse": "docduck.cli.commands.warehouse:app",
    "keys": "docduck.cli.commands.keys:app",
    "teams": "docduck.cli.commands.teams:app",
    "users": "docduck.cli.commands.users:app",
    "evaluate": "docduck.cli.commands.evaluate:evaluate",
}

# Typer does not export the class of all wrong uses of the command line.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
_PASSING = {errno.EAGAIN, errno.EBUSY, errno.EINTR, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOSPC}
_LISTED_BY = {
    "keyId": "docduck keys list",
    "teamId": "docduck teams list",
    "userId": "docduck users list",
    "parserId": "docduck parsers list",
    "documentId": "docduck documents list",
    "folderId": "docduck folders list PARSER",
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
            single = typer.Typer(add_completion=False)
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
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            metavar="URL",
            envvar="DOCDUCK_SERVER",
            help="Work with the parsers and documents of this server, through its API.",
            show_default=False,
        ),
    ] = None,
    key_env: Annotated[
        str, typer.Option("--key-env", metavar="NAME", help="The variable that holds the key to the server.")
    ] = "DOCDUCK_KEY",
    version: Annotated[bool, typer.Option("--version", help="Show docduck's version and end.")] = False,
) -> None:
    if version:
        typer.echo(f"docduck {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        return
    from docduck.cli.backends.backend import Server, choose
    from docduck.settings import settings

    choose(Server(server, key_env) if server else None, ctx.invoked_subcommand)
    logging.basicConfig(level=settings().log_level, format="%(levelname)s %(name)s: %(message)s")
    for library in ("alembic", "httpx"):
        logging.getLogger(library).setLevel(logging.WARNING)


def main() -> None:
    """Run the command line; the exit code tells a script what happened."""
    keep_private()
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command, with its errors told on stderr; return the exit code."""
    try:
        return int(app(list(arguments), prog_name="docduck", standalone_mode=False) or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.Abort:
        return FAILED
    except _UsageError as error:
        return _tell_usage(error)
    except NotFound as error:
        shown_by = _LISTED_BY.get(error.kind)
        _tell(f"{error.message}: {error.value}" + (f" ({shown_by} shows all)" if shown_by else ""))
        return WRONG_INPUT
    except InputError as error:
        _tell(error.message)
        return WRONG_INPUT
    except Transient as error:
        _tell(f"{error.message}. Trying again may help.")
        return TRY_AGAIN
    except Defect as error:
        return _tell_defect(error)
    except DocduckError as error:
        _tell(error.message)
        return FAILED
    except OSError as error:
        passing = error.errno in _PASSING
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        _tell(f"{what}. Trying again may help." if passing else what)
        return TRY_AGAIN if passing else WRONG_INPUT
    except Exception as error:
        return _tell_defect(error)


def _tell_usage(error: Any) -> int:
    # Without a command, the help has been printed already.
    if message := error.format_message():
        message = message.replace(": Value error, ", ": ").rstrip(".")
        _tell(f"{message}. See {error.ctx.command_path if error.ctx else 'docduck'} --help")
    return WRONG_INPUT


def _tell_defect(error: Exception) -> int:
    logging.getLogger(__name__).error("The trace of a defect:", exc_info=error)
    _tell(f"{error or type(error).__name__}. This is a defect of docduck, not of what you did.")
    return DEFECT


def _tell(message: str) -> None:
    typer.secho("Error: ", fg="red", bold=True, nl=False, err=True)
    typer.echo(message.encode(errors="backslashreplace"), err=True)
