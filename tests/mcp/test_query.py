"""SQL by an agent: the team's tables, and nothing else."""

from __future__ import annotations

import json

import pytest

from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from tests.mcp.served import Agent
from tests.service.core.documents import add, complete, make_parser


@pytest.fixture(scope="module")
def asking(served: Agent) -> Agent:
    """An agent whose team's tables are published, as are those of another team."""
    inst = served.api.inst
    _publish(inst, served.user.team_id, "Invoices")
    _publish(inst, served.stranger().user.team_id, "Globex")
    return served


def _publish(inst: Installation, team_id: str, name: str) -> None:
    parser = make_parser(inst, name, team_id)
    add(inst, parser)
    complete(inst, parser)
    sync_warehouse(inst)
    publish(inst, force=True)


def test_rows_are_returned_as_text(asking: Agent) -> None:
    found = asking.call("query", sql="SELECT number, total FROM invoices.documents")
    assert found == {
        "columns": ["number", "total"],
        "types": ["VARCHAR", "DECIMAL(38,2)"],
        "rows": [["A-1", "12.50"]],
        "hasMoreRows": False,
    }


def test_without_a_query_the_tables_are_listed(asking: Agent) -> None:
    shown = asking.call("query")
    tables = {table["table"]: table["columns"] for table in shown["tables"]}
    assert list(tables) == [f'"invoices"."{one}"' for one in ("documents", "line_items", "_evidence")]
    assert tables['"invoices"."documents"']["total"] == "DECIMAL(38,2)"
    assert asking.call("query", sql=f"FROM {next(iter(tables))}")["rows"]


def test_a_wrong_name_lists_the_tables(asking: Agent) -> None:
    for sql in ("SELECT nothing FROM invoices.documents", "FROM invoices.nothing", "FROM nothing"):
        told = asking.error("query", sql=sql)
        assert '"invoices"."documents"("document_id"' in told
        assert '"invoices"."line_items"(' in told
        assert "globex" not in told
    assert "invoices" not in asking.error("query", sql="SELECT 1 FROM WHERE")


def test_results_are_bounded(asking: Agent) -> None:
    found = asking.call("query", sql="FROM range(1000)")
    assert (len(found["rows"]), found["hasMoreRows"]) == (100, True)
    found = asking.call("query", sql="FROM range(1000)", limit=1000)
    assert (len(found["rows"]), found["hasMoreRows"]) == (1000, False)
    found = asking.call("query", sql="SELECT repeat('x', 9999) FROM range(99)")
    assert (len(json.dumps(found)) < 20_000, found["hasMoreRows"]) == (True, True)
    wide = ", ".join("repeat('x', 500)" for _ in range(50))
    assert "Select fewer columns" in asking.error("query", sql=f"SELECT {wide}")
    assert "limit" in asking.error("query", sql="SELECT 1", limit=1001)


def test_many_tables_are_named_without_their_columns(asking: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.mcp.tools.query._MOST_CHARACTERS", 300)
    first, *_, last = asking.call("query")["tables"]
    assert first["table"] == '"invoices"."documents"'
    assert last == {"table": '"invoices"."_evidence"'}


@pytest.mark.extended
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM globex.documents",
        "SELECT * FROM analytics.globex.documents",
        "SELECT (SELECT max(total) FROM globex.documents) FROM invoices.documents",
        "DESCRIBE globex.documents",
        "SHOW DATABASES",
        "SELECT * FROM duckdb_tables()",
        "SELECT * FROM query('SELECT 1')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_blob('http://127.0.0.1/')",
        "SELECT getenv('PATH')",
        "SELECT 1; DROP TABLE invoices.documents",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "ATTACH '/tmp/x.duckdb'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "DELETE FROM invoices.documents",
        "PRAGMA database_list",
        "",
        "SELECT " + "[" * 900 + "]" * 900,
    ],
)
def test_everything_else_is_refused(asking: Agent, sql: str) -> None:
    told = asking.error("query", sql=sql)
    assert "globex_" not in told and str(asking.api.inst.settings.home) not in told
    assert asking.call("query", sql="SELECT count(*) FROM invoices.documents")["rows"] == [["1"]]


def test_tables_of_the_team_alone_are_listed(asking: Agent) -> None:
    for sql in ("SHOW ALL TABLES", "FROM information_schema.tables"):
        assert "globex" not in json.dumps(asking.call("query", sql=sql))
