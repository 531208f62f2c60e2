"""Queries of a team over its published tables."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from docduck.catalog.models import Parser, Team
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.warehouse.query_order import QueryLimits, TeamResult
from docduck.warehouse.team_query import run_team_queries
from docduck.warehouse.team_tables import TableColumns

QUERY_SECONDS = 20
QUERY_MEGABYTES = 256
"""Of DuckDB; the process has 512 MiB more."""
QUERY_THREADS = 2
"""Of DuckDB."""
MAX_QUERY_ROWS = 100_000
MAX_QUERY_CHARACTERS = 20_000_000
"""Of all values together."""

_SHOWN_ROWS = 1000
_SHOWN_CELL = 500
_SHOWN_CHARACTERS = 2_000_000


def query_team(
    inst: Installation,
    team_id: str,
    sql: str,
    rows: int = _SHOWN_ROWS,
    characters: int = _SHOWN_CHARACTERS,
) -> TeamResult:
    """Run one SELECT over the team's tables; return the first rows, with long values cut.

    Raise InputError for a query that is refused, fails or reaches a limit, UnknownName for a table or column
    that doesn't exist, and Transient.
    """
    return _run(inst, team_id, [sql], rows, _SHOWN_CELL, characters)[0]


def query_team_together(
    inst: Installation, team_id: str, statements: Sequence[str]
) -> tuple[TeamResult, ...]:
    """Run SELECTs of one page within the limits of one; return the first rows of each, as ``query_team``."""
    return _run(inst, team_id, statements, _SHOWN_ROWS, _SHOWN_CELL, _SHOWN_CHARACTERS)


def query_team_fully(inst: Installation, team_id: str, sql: str) -> TeamResult:
    """Run one SELECT over the team's tables; return all rows, with whole values.

    Raise the errors of ``query_team``, and InputError for more rows or characters than the limits.
    """
    rows, characters = MAX_QUERY_ROWS, MAX_QUERY_CHARACTERS
    (result,) = _run(inst, team_id, [sql], rows, characters, characters)
    if result.more:
        raise InputError(
            f"The result has more than {rows:,} rows or {characters:,} characters. Choose fewer,"
            " or add a LIMIT"
        )
    return result


def team_tables(inst: Installation, team_id: str) -> dict[str, tuple[TableColumns, ...]]:
    """Return the team's published tables by schema; empty if nothing is published yet."""
    return inst.warehouse.tables(_schemas(inst, team_id))


def count_team_rows(inst: Installation, team_id: str) -> dict[str, dict[str, int]]:
    """Return the rows of the team's published tables by schema and table."""
    return inst.warehouse.counts(schemas=_schemas(inst, team_id))


def _run(
    inst: Installation, team_id: str, statements: Sequence[str], rows: int, cell: int, characters: int
) -> tuple[TeamResult, ...]:
    limits = QueryLimits(QUERY_SECONDS, QUERY_MEGABYTES, QUERY_THREADS, characters, rows, cell)
    with inst.catalog.read_session() as session:
        team = session.scalars(select(Team.slug).where(Team.id == team_id)).one()
    catalog = inst.warehouse.catalog_of(team)
    schemas = _schemas(inst, team_id)
    return run_team_queries(catalog, statements, schemas, limits, inst.warehouse.lake)


def _schemas(inst: Installation, team_id: str) -> list[str]:
    with inst.catalog.read_session() as session:
        mine = select(Parser.slug).where(Parser.team_id == team_id, Parser.deleted_at.is_(None))
        return list(session.scalars(mine))
