"""The order to a process that runs a query, and its reply; both are sent as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.errors import InputError

LONGEST_QUERY = 20_000
"""Most characters of a query."""


class UnknownName(InputError):
    """A query names a table or column that doesn't exist."""


@dataclass(frozen=True, slots=True)
class LakeOrder:
    """A lake whose catalog is read: its URL, and the pipes to ask the parent for bytes of its files."""

    url: str
    requests: int
    replies: int


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """The limits of a query: seconds, and DuckDB's memory in MiB and threads.

    Each result is cut to ``rows`` rows and ``characters`` characters, and values to ``cell`` characters.
    """

    seconds: float
    memory_mb: int
    threads: int
    characters: int
    rows: int
    cell: int


@dataclass(frozen=True, slots=True)
class QueryOrder:
    """Statements and their limits; ``schemas`` are those of the team, ``folder`` is for temporary files."""

    path: str
    folder: str
    statements: tuple[str, ...]
    schemas: tuple[str, ...]
    limits: QueryLimits
    lake: LakeOrder | None = None


@dataclass(frozen=True, slots=True)
class TeamResult:
    """A result as text: columns, DuckDB type names, rows with None for NULL.

    ``more`` says whether rows were cut off.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    more: bool


@dataclass(frozen=True, slots=True)
class QueryReply:
    """The result of each statement, or an ``error``.

    ``busy`` if trying again helps, ``unknown`` for the error of a name that doesn't exist.
    """

    results: tuple[TeamResult, ...] = ()
    error: str | None = None
    busy: bool = False
    unknown: bool = False


def too_much_memory(megabytes: int) -> str:
    """Return the message of a query that reached the limit of memory."""
    return f"The query is too large, or needs more than {megabytes} MiB of memory. Let it read or sort less"
