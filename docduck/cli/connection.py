"""What commands work with: this machine's installation, or a server (``docduck --server URL``).

Both are asked by a client of the REST API; of this machine's installation, it is in this process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docduck.cli.output import installation, shown
from docduck.error_codes import known_code
from docduck.errors import Conflict, DocduckError, InputError, NotFound, Transient

if TYPE_CHECKING:
    from docduck.client import ApiError, Client
    from docduck.service.core.installation import Installation

_WORK_WITH_SERVER = (
    "parsers",
    "classifiers",
    "documents",
    "review",
    "webhooks",
    "audit",
    "folders",
    "export",
    "lessons",
    "layouts",
)
_NEED_NEITHER = ("extract", "classify", "split", "suggest", "evaluate")

_RETRIES = 3


@dataclass(frozen=True, slots=True)
class Server:
    """A server, and the environment variable that holds its API key."""

    url: str
    key_variable: str

    @property
    def key(self) -> str:
        """The API key; raises InputError if it is not set."""
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            raise InputError(f"{self.key_variable} is not set; it must hold an API key for {self.url}")
        return key


_server: ContextVar[Server | None] = ContextVar("server", default=None)


def choose_server(server: Server | None, command: str | None) -> None:
    """Let commands use ``server``, or this machine's installation if None.

    Raise InputError for a command that doesn't work with a server.
    """
    _server.set(server)
    if command not in (*_WORK_WITH_SERVER, *_NEED_NEITHER):
        require_local(str(command))


def has_server() -> bool:
    """Return whether commands work with a server."""
    return _server.get() is not None


def require_local(command: str) -> None:
    """Raise InputError if commands work with a server."""
    if has_server():
        raise InputError(
            f"docduck {command} works only where docduck runs, not with a server: leave out --server, or "
            "unset DOCDUCK_SERVER"
        )


@contextmanager
def connected() -> Iterator[Client]:
    """Yield the client of what was chosen, closed at the end of the block.

    On this machine, a run is started for the documents that the command has queued. Errors of the API are
    raised as the errors of ``docduck.errors`` with the same meaning, and so the same exit code.
    """
    with opened() as (client, _):
        yield client


@contextmanager
def opened() -> Iterator[tuple[Client, Installation | None]]:
    """Do as ``connected``; yield the open installation, too, or None for a server."""
    from docduck.client import ApiError, Client

    server = _server.get()
    try:
        if server is None:
            from docduck.cli.runtime.addresses import pages_url
            from docduck.server.in_process import InProcess
            from docduck.service.runs.run_at_end import run_at_end

            with installation() as inst, run_at_end(inst), InProcess(inst) as transport:
                url = pages_url(inst.settings)
                with Client(url, "none", retries=0, transport=transport) as client:
                    yield client, inst
        else:
            with Client(server.url, server.key, retries=_RETRIES) as client:
                yield client, None
    except ApiError as error:
        raise _as_local(error, server) from error


def _as_local(error: ApiError, server: Server | None) -> DocduckError:
    from docduck import client

    # A server's message must not control the terminal.
    message, code = shown(error.message), known_code(error.code)
    if error.retryable:
        return Transient(message, code=code)
    if isinstance(error, client.ServerError):
        return DocduckError(f"{server.url}: {shown(error)}" if server else message, code=code)
    if isinstance(error, client.NotFound) and error.not_found:
        missing = [(item["type"], shown(item["value"])) for item in error.not_found]
        return NotFound(message, *missing[0], missing[1:])
    if isinstance(error, client.Conflict):
        return Conflict(message, code=code)
    if isinstance(error, client.AuthenticationError) and server:
        return InputError(f"{message}: {server.url} does not accept it", code=code)
    return InputError(message, code=code)
