"""Where commands find parsers and documents: on this machine, or on a server (``docduck --server URL``)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from docduck.cli.output import installation
from docduck.errors import InputError

if TYPE_CHECKING:
    from docduck.service.documents.queries.document_views import DocumentView
    from docduck.service.documents.queries.finding import ResultPage
    from docduck.service.parsers.parsers import NewParser, ParserView

_WORK_WITH_A_SERVER = ("parsers", "documents")
_NEED_NEITHER = ("extract", "classify", "split", "suggest", "evaluate")


class Backend(Protocol):
    """What commands ask of either; parsers are named by slug, name or id.

    All raise the errors of ``docduck.errors``, as the services of ``docduck.service`` do.
    """

    def parsers(self) -> Sequence[ParserView]: ...

    def parser(self, ref: str) -> ParserView: ...

    def add_parser(self, new: NewParser) -> ParserView: ...

    def way_in(self, parser: ParserView) -> str:
        """How documents get to a parser."""

    def forget(self, ref: str) -> int: ...

    def documents(
        self, parser: str | None, *, status: str | None, q: str | None, sort: str, page: int, limit: int
    ) -> ResultPage: ...

    def document(self, document_id: str) -> DocumentView: ...

    def upload(self, parser: str, files: Sequence[Path]) -> Sequence[str]:
        """Documents' ids, in the order of the files."""

    def correct(self, document_id: str, values: Mapping[str, Any]) -> DocumentView: ...

    def reprocess(self, document_ids: Sequence[str]) -> int: ...

    def reprocess_parser(self, ref: str, statuses: Sequence[str] | None) -> int: ...

    def delete(self, document_ids: Sequence[str]) -> int: ...


@dataclass(frozen=True, slots=True)
class Server:
    """The server that was asked for, and the variable that holds the key to it."""

    url: str
    key_variable: str

    @property
    def key(self) -> str:
        """The key; raises InputError when it is not set."""
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            raise InputError(f"{self.key_variable} is not set; it must hold an API key of {self.url}")
        return key


_server: ContextVar[Server | None] = ContextVar("server", default=None)


def choose(server: Server | None, command: str | None) -> None:
    """Have commands work with ``server``, or with this machine's installation.

    Raises InputError for a command that can't.
    """
    _server.set(server)
    if server is not None and command not in (*_WORK_WITH_A_SERVER, *_NEED_NEITHER):
        raise InputError(
            f"docduck {command} works where docduck runs, not with a server: leave out --server, or unset "
            "DOCDUCK_SERVER"
        )


@contextmanager
def backend() -> Iterator[Backend]:
    """Return what the command is to work with, closed at the end of the block.

    What the command has queued is read at once, where docduck runs.
    """
    server = _server.get()
    if server is None:
        from docduck.cli.backends.local_backend import LocalBackend
        from docduck.service.runs.run_starter import run_at_end

        with installation() as inst, run_at_end(inst):
            yield LocalBackend(inst)
    else:
        from docduck.cli.backends.remote_backend import connected

        with connected(server.url, server.key) as remote:
            yield remote
