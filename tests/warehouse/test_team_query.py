"""Queries of a team: what they can do, and everything that is refused."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from docduck.errors import InputError
from docduck.warehouse.database import reading
from docduck.warehouse.query_check import check_query
from docduck.warehouse.query_order import LONGEST_QUERY, QueryLimits, TeamResult
from docduck.warehouse.team_query import run_team_queries
from docduck.warehouse.team_tables import tables_of
from docduck.warehouse.warehouse import Warehouse
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.conftest import IN_LAKE
from tests.warehouse.samples import INVOICES, ITEMS, NUMBER, TOTAL, invoice

pytestmark = pytest.mark.installed

SECRET = "globex"
LIMITS = QueryLimits(seconds=3, memory_mb=128, threads=1, characters=1_000_000, rows=1000, cell=500)


@pytest.fixture(scope="module", params=["file", IN_LAKE])
def published(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    """A warehouse whose tables of two teams are published."""
    home = tmp_path_factory.mktemp("home")
    with ExitStack() as stack:
        warehouse: Warehouse = WarehouseFile(home)
        if request.param == "lake":
            open_lake = stack.enter_context(request.getfixturevalue("new_lake")())
            warehouse = open_lake(home, {"acme": ["invoices"], SECRET: [SECRET]})
        warehouse.apply(INVOICES, [invoice(number) for number in range(1, 6)])
        items = replace(ITEMS, column="globex_items")
        warehouse.apply(replace(INVOICES, schema=SECRET, fields=(NUMBER, TOTAL, items)), [invoice(9)])
        warehouse.publish()
        yield warehouse


class Checker:
    """The check that a process asks before it runs a query, asked here, without a process for each query."""

    def __init__(self, published: Warehouse) -> None:
        self._opened = ExitStack()
        self._connection = self._opened.enter_context(reading(published._engine, published.published))
        tables = tables_of(self._connection, ["invoices"])
        self._names = {(schema, table.name) for schema, listed in tables.items() for table in listed}

    def refusal(self, sql: str) -> str | None:
        """Return why the query is refused; None if that shows only when it is run."""
        try:
            check_query(self._connection, sql, self._names)
        except InputError as error:
            return error.message
        except (RecursionError, ValueError, duckdb.Error):
            pass
        return None

    def close(self) -> None:
        self._opened.close()


@pytest.fixture(scope="module")
def checker(published: Warehouse) -> Iterator[Checker]:
    made = Checker(published)
    yield made
    made.close()


def refusal(published: Warehouse, checker: Checker, sql: str) -> str:
    """Return why a query is refused, by the check or when it is run."""
    told = checker.refusal(sql)
    if told is None:
        with pytest.raises(InputError) as caught:
            run(published, sql)
        told = caught.value.message
    return told


def run_together(published: Warehouse, statements: Sequence[str], schemas: Sequence[str]) -> list[TeamResult]:
    """Run statements in one process, in as much time as each would have alone."""
    limits = replace(LIMITS, seconds=len(statements) * LIMITS.seconds)
    catalog = published.catalog_of("acme")
    return [*run_team_queries(catalog, statements, schemas, limits, published.lake)]


def run(published: Warehouse, sql: str, rows: int = 1000, cell: int = 500) -> TeamResult:
    return of_team(published, sql, ["invoices"], replace(LIMITS, rows=rows, cell=cell))


def of_team(published: Warehouse, sql: str, schemas: list[str], limits: QueryLimits) -> TeamResult:
    catalog = published.catalog_of("acme")
    return run_team_queries(catalog, [sql], schemas, limits, published.lake)[0]


def test_tables_of_the_team_are_read(published: Warehouse) -> None:
    found = run(
        published,
        """-- by status
        WITH docs AS (SELECT * FROM analytics."Invoices".DOCUMENTS), more AS (FROM docs)
        SELECT d.status, count(*) AS n, sum(i.quantity) AS pieces, max(total) FILTER (total > 1) AS top
        FROM more d JOIN invoices.line_items i USING (document_id)
        GROUP BY 1 QUALIFY row_number() OVER (ORDER BY n) = 1 ORDER BY n;""",
    )
    assert found.columns == ("status", "n", "pieces", "top")
    assert found.rows == (("processed", "10", "22.50", "105.10"),)
    assert not found.more


def test_statements_of_a_page_have_one_process_and_its_checks(published: Warehouse) -> None:
    catalog = published.catalog_of("acme")

    def both(*statements: str) -> tuple[TeamResult, ...]:
        limits = replace(LIMITS, rows=2)
        return run_team_queries(catalog, statements, ["invoices"], limits, published.lake)

    first, second = both("SELECT count(*) FROM invoices.documents", "FROM range(3)")
    assert (first.rows, first.more) == ((("5",),), False)
    assert (second.rows, second.more) == ((("0",), ("1",)), True)
    with pytest.raises(InputError, match="There is no table"):
        both("SELECT 1", f"FROM {SECRET}.documents")
    with pytest.raises(InputError, match="Lists of tables can't be in one run with other queries"):
        both("SHOW TABLES", "SELECT count(*) FROM invoices.documents")
    assert len(both("SHOW TABLES", "SHOW ALL TABLES")) == 2


@pytest.mark.slow
def test_tables_are_described_and_summarized(published: Warehouse) -> None:
    described = run(published, "DESCRIBE invoices.documents")
    assert described.columns[:2] == ("column_name", "column_type")
    assert {str(type_)[:7] for name, type_, *_ in described.rows if name == "total"} == {"DECIMAL"}
    assert run(published, "DESC analytics.Invoices.Documents") == described
    assert run(published, "SELECT * FROM (DESCRIBE invoices.documents)") == described
    (row,) = run(published, "DESCRIBE SELECT sum(quantity) AS n FROM invoices.line_items").rows
    assert row[0] == "n"
    summary = run(published, "SUMMARIZE invoices.documents")
    (total,) = (row for row in summary.rows if row[0] == "total")
    assert float(dict(zip(summary.columns, total, strict=True))["max"] or 0) == 105.1
    (count,) = run(published, "SELECT max(count) FROM (SUMMARIZE SELECT * FROM invoices.line_items)").rows
    assert count == ("10",)


LISTS = (
    "SHOW ALL TABLES",
    "DESCRIBE",
    "SELECT * FROM (SHOW ALL TABLES)",
    "SHOW TABLES",
    "SHOW TABLES FROM invoices",
    "SHOW TABLES FROM analytics.invoices",
    "SELECT table_catalog, table_schema, table_name FROM information_schema.tables ORDER BY ALL",
    'FROM "INFORMATION_SCHEMA"."Columns" SELECT table_schema, table_name, column_name, data_type',
    "WITH i AS (FROM information_schema.schemata) SELECT schema_name FROM i",
    "SUMMARIZE information_schema.columns",
    "DESCRIBE SELECT table_name AS invoices FROM information_schema.tables",
    "SELECT * FROM information_schema.key_column_usage",
    "SELECT * FROM information_schema.table_constraints",
    "SELECT t.table_name, (SELECT count(*) FROM information_schema.columns c"
    " WHERE c.table_name = t.table_name) FROM information_schema.tables t",
)


def test_tables_of_the_team_alone_are_listed(published: Warehouse) -> None:
    results = run_together(published, LISTS, ["invoices"])
    for sql, found in zip(LISTS, results, strict=True):
        text = str(found)
        assert SECRET not in text and "_docduck" not in text and str(published.published.parent) not in text
        if "key_column" not in sql and "constraints" not in sql:
            assert "invoices" in text or {"documents", "line_items"} < {row[0] for row in found.rows}, sql


def test_a_team_without_tables_lists_none(published: Warehouse) -> None:
    statements = ("SHOW ALL TABLES", "SHOW TABLES", "SELECT * FROM information_schema.columns")
    found = run_together(published, statements, [])
    assert [result.rows for result in found] == [(), (), ()]


def test_rows_and_values_are_cut(published: Warehouse) -> None:
    found = run(published, "SELECT name, repeat('ä', 600) AS long FROM invoices.documents ORDER BY 1", rows=2)
    assert [row[0] for row in found.rows] == ["invoice 1.pdf", "invoice 2.pdf"]
    assert found.rows[0][1] == "ä" * 499 + "…"
    assert found.more
    assert run(published, "SELECT * FROM range(100000000000)", rows=3).more


def test_all_kinds_of_values_are_shown(published: Warehouse) -> None:
    (row,) = run(
        published,
        r"""SELECT 'nan'::DOUBLE, '-inf'::FLOAT, '\xAA'::BLOB, {'a': [1, NULL]}, MAP {'k': 1}, true, NULL,
        DATE '290000-01-01', TIMESTAMP 'infinity', 123456789012345678901234567890::HUGEINT,
        1.50::DECIMAL(9, 2),
        [x + 1 for x in [1, 2]], '<b>'""",
    ).rows
    assert row[:7] == ("nan", "-inf", "\\xaa", '{"a": [1, null]}', '{"k": 1}', "true", None)
    assert row[9:] == ("123456789012345678901234567890", "1.50", "[2, 3]", "<b>")
    with pytest.raises(InputError, match="Cast it to VARCHAR"):
        run(published, "SELECT INTERVAL 1000000000 DAYS")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM globex.documents",
        'SELECT * FROM "globex"."documents"',
        "SELECT * FROM GLOBEX.DOCUMENTS",
        "SELECT * FROM analytics.globex.documents",
        "SELECT * FROM invoices.documents, globex.documents",
        "SELECT (SELECT max(total) FROM globex.documents)",
        "SELECT * FROM invoices.documents d WHERE EXISTS (SELECT 1 FROM globex.documents)",
        "SELECT * FROM invoices.documents d, LATERAL (SELECT * FROM globex.documents WHERE total = d.total)",
        "WITH a AS (SELECT 1), b AS (WITH c AS (FROM globex.documents) FROM c) SELECT * FROM b",
        "SELECT 1 UNION ALL SELECT total FROM globex.documents",
        "SELECT 1 ORDER BY (SELECT max(total) FROM globex.documents)",
        "SELECT 1 LIMIT (SELECT count(*) FROM globex.documents)",
        "SELECT count(*) FILTER ((SELECT true FROM globex.documents)) OVER (PARTITION BY 1)",
        "SELECT unnest([x for x in (SELECT list(total) FROM globex.documents)])",
        "UNPIVOT globex.globex_items ON quantity",
        "FROM (PIVOT globex.globex_items ON item IN ('a') USING sum(quantity))",
        "SELECT * FROM invoices./* */documents JOIN globex /* */ . documents ON true",
        "SELECT * FROM invoices.documents AT (VERSION => 1)",
        "DESCRIBE globex.documents",
        "SUMMARIZE globex.documents",
        "SHOW globex.documents",
        "DESCRIBE SELECT * FROM globex.documents",
        "SUMMARIZE (SELECT total FROM globex.documents)",
        "SELECT * FROM (DESCRIBE globex.documents)",
        "SELECT * FROM invoices.documents WHERE EXISTS (FROM (SUMMARIZE globex.documents))",
        "DESCRIBE documents",
        "DESCRIBE TABLE globex.documents",
        "DESCRIBE '/etc/passwd'",
        "SUMMARIZE 'data.csv'",
        "DESCRIBE duckdb_settings",
        "SUMMARIZE SELECT * FROM duckdb_tables()",
        "SHOW TABLES FROM globex",
        "SHOW TABLES FROM analytics.globex",
        "SHOW TABLES FROM information_schema",
        "SHOW DATABASES",
        "SHOW SCHEMAS",
        "SHOW VARIABLES",
        "SHOW memory_limit",
        "SELECT * FROM (SHOW DATABASES)",
        "SELECT * FROM information_schema.tables, invoices.documents",
        "SELECT (SELECT count(*) FROM information_schema.columns) FROM invoices.documents",
        "SELECT * FROM (SHOW ALL TABLES), invoices.line_items",
        "SELECT * FROM information_schema.nothing",
        "SELECT * FROM analytics.information_schema.tables",
        "WITH tables AS (FROM globex.documents) FROM information_schema.tables",
        "SELECT * FROM pg_catalog.pg_tables",
        "SELECT * FROM system.information_schema.columns",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM duckdb_tables",
        "SELECT * FROM duckdb_tables()",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM pragma_table_info('globex.documents')",
        "SELECT * FROM _docduck.layouts",
        "WITH duckdb_tables AS (SELECT * FROM duckdb_tables) SELECT * FROM duckdb_tables",
        "WITH a AS (WITH sqlite_master AS (SELECT 1) SELECT 1) SELECT * FROM sqlite_master",
        "WITH RECURSIVE SQLITE_MASTER AS (SELECT * FROM sqlite_master) SELECT * FROM sqlite_master",
        "WITH a AS (WITH globx_items AS (SELECT 1) SELECT 1) SELECT * FROM globx_items",
        "WITH globx_items AS (SELECT * FROM globx_items) SELECT * FROM globx_items",
        "SELECT 1::documents",
        "SELECT 'x' COLLATE documents",
        "SELECT * FROM query('SELECT 1')",
        "SELECT * FROM query_table('globex.documents')",
        "SELECT * FROM json_execute_serialized_sql('{}')",
        "SELECT json_serialize_plan('SELECT * FROM globex.documents')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM 'data.csv'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM read_blob('http://127.0.0.1/')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM parquet_metadata('x.parquet')",
        "SELECT * FROM test_all_types()",
        "SELECT * FROM df",
        "SELECT * FROM order",
        "SELECT current_setting('temp_directory')",
        "SELECT getenv('PATH')",
        "SELECT getvariable('x')",
        "SELECT version()",
        "SELECT pg_sleep(1)",
        "SELECT sleep_ms(1000)",
        "SELECT current_schemas(true)",
        "SELECT write_log('x')",
        "SELECT nextval('s')",
        "SELECT obj_description(1, 'pg_class')",
        "SELECT main.current_setting('threads')",
        "SELECT system.main.abs(1)",
        "SELECT 1::globex.kind",
        "SELECT ?",
        "SELECT $1",
        "SELECT $name",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE invoices.documents",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "COPY invoices.documents FROM '/etc/passwd'",
        "EXPORT DATABASE '/tmp/x'",
        "ATTACH '/tmp/x.duckdb'",
        "DETACH analytics",
        "USE globex",
        "INSTALL httpfs",
        "LOAD httpfs",
        "PRAGMA database_list",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "SET VARIABLE x = 1",
        "CALL pragma_version()",
        "CREATE TABLE x AS SELECT 1",
        "CREATE MACRO f() AS (SELECT 1)",
        "INSERT INTO invoices.documents SELECT * FROM invoices.documents",
        "DELETE FROM invoices.documents",
        "UPDATE invoices.documents SET name = 'x'",
        "EXPLAIN SELECT * FROM globex.documents",
        "EXPLAIN ANALYZE SELECT 1",
        "PREPARE p AS SELECT 1",
        "EXECUTE p",
        "VACUUM",
        "CHECKPOINT",
        "BEGIN",
        "",
        ";",
        "-- nothing",
        "\0",
        "SELECT " + "[" * 900 + "]" * 900,
        "SELECT " + "1+" * 3000 + "1",
    ],
)
def test_everything_else_is_refused(published: Warehouse, checker: Checker, sql: str) -> None:
    told = refusal(published, checker, sql)
    assert SECRET not in told or SECRET in sql
    assert "invoice 9" not in told and str(published.published.parent) not in told


@pytest.mark.parametrize("sql", ["SELECT * FROM globex.documents", "SELECT version()", "DETACH analytics"])
def test_a_query_is_checked_before_it_is_run(published: Warehouse, checker: Checker, sql: str) -> None:
    with pytest.raises(InputError) as caught:
        run(published, sql)
    assert caught.value.message == checker.refusal(sql)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT *\nFROM invoices.documnts", r"no table \"invoices\".\"documnts\" .*\(line 2, column 6\)"),
        ("SELECT 'ä', version()", r"function version is not possible here \(line 1, column 13\)"),
        ("SELECT FROM WHERE", r"syntax error .*\(line 1, column 13\)"),
        ("DROP TABLE x", "Only SELECT"),
        ("SELECT nam FROM invoices.documents", 'Candidate bindings: "name"'),
        ("SELECT ?", "A parameter such as"),
    ],
)
def test_the_place_of_an_error_is_told(
    published: Warehouse, checker: Checker, sql: str, message: str
) -> None:
    assert re.search(message, refusal(published, checker, sql))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM t) SELECT max(a) FROM t",
        "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range > 3",
    ],
)
def test_time_is_bounded(published: Warehouse, sql: str) -> None:
    began = time.monotonic()
    with pytest.raises(InputError, match="took longer than 1 s"):
        of_team(published, sql, ["invoices"], replace(LIMITS, seconds=1))
    assert time.monotonic() - began < 8


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT list(a) FROM range(1000000000) t(a)",
        "SELECT repeat('x', 2000000000)",
        "SELECT repeat('x', 40000000) FROM range(10)",
        "SELECT sum(x) FROM (SELECT unnest(range(100000000)) x)",
    ],
)
def test_memory_is_bounded(published: Warehouse, sql: str) -> None:
    with pytest.raises(InputError, match="more than 128 MiB"):
        run(published, sql)


def test_results_and_queries_are_bounded(published: Warehouse) -> None:
    small = replace(LIMITS, characters=1000)
    cut = of_team(published, "SELECT repeat('x', 99) FROM range(20)", [], small)
    assert (len(cut.rows), cut.more) == (10, True)
    with pytest.raises(InputError, match="longer than"):
        run(published, "SELECT 1" + " " * LONGEST_QUERY)


def test_nothing_is_published_yet(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="published yet"):
        run(WarehouseFile(tmp_path), "SELECT 1")
