"""The entry point of the command line: all commands, and the exit codes of errors."""

from __future__ import annotations

import errno
import json
import logging
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from docduck import __version__
from docduck.errors import Defect, DocduckError, InputError, NotFound, Transient
from docduck.files.access import keep_private

FAILED, WRONG_INPUT, DEFECT, TRY_AGAIN, INTERRUPTED = 1, 2, 70, 75, 130
"""Exit codes: the command failed; wrong input; a defect of docduck; temporary failure; Ctrl-C."""

COMMANDS = {
    "up": "docduck.cli.commands.running:up",
    "serve": "docduck.cli.commands.running:serve",
    "work": "docduck.cli.commands.running:work",
    "status": "docduck.cli.commands.status:status",
    "doctor": "docduck.cli.commands.home:doctor",
    "extract": "docduck.cli.commands.reading.extract:extract",
    "classify": "docduck.cli.commands.reading.classify:classify",
    "split": "docduck.cli.commands.reading.split:split",
    "suggest": "docduck.cli.commands.reading.suggest:suggest",
    "model": "docduck.cli.commands.model:app",
    "apply": "docduck.cli.commands.apply:apply",
    "parsers": "docduck.cli.commands.parsers:app",
    "classifiers": "docduck.cli.commands.classifiers:app",
    "documents": "docduck.cli.commands.documents:app",
    "review": "docduck.cli.commands.review:app",
    "webhooks": "docduck.cli.commands.webhooks:app",
    "audit": "docduck.cli.commands.audit:audit",
    "folders": "docduck.cli.commands.folders:app",
    "sources": "docduck.cli.commands.sources:app",
    "export": "docduck.cli.commands.export:export",
    "lessons": "docduck.cli.commands.lessons:app",
    "layouts": "docduck.cli.commands.layouts:app",
    "warehouse": "docduck.cli.commands.warehouse:app",
    "migrate": "docduck.cli.commands.home:migrate",
    "home": "docduck.cli.commands.home:app",
    "keys": "docduck.cli.commands.accounts.keys:app",
    "connections": "docduck.cli.commands.accounts.connections:app",
    "teams": "docduck.cli.commands.accounts.teams:app",
    "users": "docduck.cli.commands.accounts.users:app",
    "evaluate": "docduck.cli.commands.reading.evaluate:evaluate",
}

# Typer does not export the base class of usage errors.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
_TEMPORARY = {errno.EAGAIN, errno.EBUSY, errno.EINTR, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOSPC}
_LISTED_BY = {
    "keyId": "docduck keys list",
    "connectionId": "docduck connections list",
    "teamId": "docduck teams list",
    "userId": "docduck users list",
    "parserId": "docduck parsers list",
    "classifierId": "docduck classifiers list",
    "documentId": "docduck documents list",
    "stageId": "docduck review stages PARSER",
    "folderId": "docduck folders list PARSER",
    "webhookId": "docduck webhooks list PARSER",
    "deliveryId": "docduck webhooks deliveries PARSER WEBHOOK",
    "lessonId": "docduck lessons list PARSER",
    "layoutId": "docduck layouts list PARSER",
    "source": "docduck sources status",
    "lookupTable": "docduck parsers lookup-tables PARSER",
}


class Commands(TyperGroup):
    """Imports a command only when it is used, so that none loads the others' libraries."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        target = getattr(import_module(module), name)
        if not isinstance(target, typer.Typer):
            single = typer.Typer(add_completion=False)
            single.command(cmd_name)(target)
            target = single
        command = typer.main.get_command(target)
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
        ),
    ] = None,
    key_env: Annotated[
        str,
        typer.Option("--key-env", metavar="NAME", help="The environment variable with the server's API key."),
    ] = "DOCDUCK_KEY",
    version: Annotated[bool, typer.Option("--version", help="Show docduck's version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"docduck {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        return
    from docduck.cli.connection import Server, choose_server
    from docduck.settings import settings

    choose_server(Server(server, key_env) if server else None, ctx.invoked_subcommand)
    logging.basicConfig(level=settings().log_level, format="%(levelname)s %(name)s: %(message)s")
    for library in ("alembic", "httpx"):
        logging.getLogger(library).setLevel(logging.WARNING)


def main() -> None:
    """Run the command line, and exit with its exit code."""
    keep_private()
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command, with errors on stderr, as JSON with ``--json``; return the exit code."""
    tell = _print_json_error if "--json" in arguments else _print_error
    try:
        return int(app(list(arguments), prog_name="docduck", standalone_mode=False) or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.Abort:
        return FAILED
    except _UsageError as error:
        return _tell_usage_error(error, tell)
    except NotFound as error:
        command = _LISTED_BY.get(error.kind)
        tell(error.code, f"{error.message}: {error.value}" + (f" ({command} shows all)" if command else ""))
        return WRONG_INPUT
    except InputError as error:
        tell(error.code, error.message)
        return WRONG_INPUT
    except Transient as error:
        tell(error.code, f"{error.message}. Trying again may help.")
        return TRY_AGAIN
    except Defect as error:
        return _tell_defect(error, tell)
    except DocduckError as error:
        tell(error.code, error.message)
        return FAILED
    except OSError as error:
        temporary = error.errno in _TEMPORARY
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        if temporary:
            tell(Transient.code, f"{what}. Trying again may help.")
            return TRY_AGAIN
        tell(InputError.code, what)
        return WRONG_INPUT
    except Exception as error:
        return _tell_defect(error, tell)


def _tell_usage_error(error: Any, tell: Callable[[str, str], None]) -> int:
    # Without a command, the help was printed already.
    if message := error.format_message():
        message = message.replace(": Value error, ", ": ").rstrip(".")
        place = error.ctx.command_path if error.ctx else "docduck"
        tell(InputError.code, f"{message}. See {place} --help")
    return WRONG_INPUT


def _tell_defect(error: Exception, tell: Callable[[str, str], None]) -> int:
    logging.getLogger(__name__).error("The traceback of a defect:", exc_info=error)
    words = f"{error or type(error).__name__}. This is a defect of docduck, not a mistake of yours."
    tell(Defect.code, words)
    return DEFECT


def _print_error(code: str, message: str) -> None:
    typer.secho("Error: ", fg="red", bold=True, nl=False, err=True)
    typer.echo(message.encode(errors="backslashreplace"), err=True)


def _print_json_error(code: str, message: str) -> None:
    body = {"error": True, "code": code, "message": message}
    typer.echo(json.dumps(body, ensure_ascii=False).encode(errors="backslashreplace"), err=True)
