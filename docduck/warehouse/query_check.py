"""What a query of a team may contain: one SELECT over the team's tables, with functions that only compute.

DESCRIBE, SUMMARIZE and SHOW TABLES are SELECTs to DuckDB. The query's syntax tree is checked against lists of
what is allowed; everything else is refused.

Functions are those that compute from their arguments, the date, and chance. DuckDB's own list says which
always give the same result for the same arguments; those among them that describe the server or run SQL are
left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

import duckdb

from docduck.errors import InputError
from docduck.warehouse.names import quoted
from docduck.warehouse.query_order import LONGEST_QUERY, UnknownName

TABLE_FUNCTIONS = frozenset({"range", "generate_series", "unnest", "json_each", "json_tree"})

_LEFT_OUT = frozenset(
    {"current_setting", "getvariable", "version", "vector_type", "create_sort_key", "enum_code"}
    | {"json_serialize_sql", "json_deserialize_sql", "json_serialize_plan", "parse_duckdb_log_message"}
    | {"make_type", "cast_to_type", "get_type", "replace_type", "combine", "finalize"}
)
_INTERNAL = re.compile(r"__internal|icu_collate|variant_|st_|is_histogram")
_MORE = frozenset(
    {"unnest", "random", "uuid", "gen_random_uuid", "uuidv4", "uuidv7", "setseed"}
    | {"now", "today", "current_date", "transaction_timestamp", "get_current_time", "get_current_timestamp"}
)
_MACROS = frozenset(
    {"ago", "date_add", "days_in_month", "fdiv", "fmod", "generate_subscripts", "geomean", "geometric_mean"}
    | {"json", "json_group_array", "json_group_object", "json_group_structure", "map_contains_entry"}
    | {"map_contains_value", "md5_number_lower", "md5_number_upper", "nullif", "regexp_split_to_table"}
    | {"round_even", "roundbankers", "split_part", "wavg", "weighted_avg"}
)
_LIST_MACRO = re.compile(r"(list|array)_\w+")


def allowed_functions(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """Return the names of the scalar, aggregate and window functions that a query may call."""
    rows = connection.execute(
        "SELECT DISTINCT lower(function_name), function_type, stability FROM duckdb_functions()"
        " WHERE function_type IN ('scalar', 'aggregate', 'macro') AND internal"
    ).fetchall()
    return frozenset(
        name
        for name, kind, stability in rows
        if name in _MORE
        or (kind == "macro" and (name in _MACROS or _LIST_MACRO.fullmatch(name)))
        or (kind != "macro" and stability == "CONSISTENT" and not _is_left_out(name))
    ) | {"unnest"}


def _is_left_out(name: str) -> bool:
    return name in _LEFT_OUT or _INTERNAL.match(name) is not None


Tables = Collection[tuple[str, str]]
"""Schemas and tables, in lower case."""

_KINDS = frozenset(
    {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
    | {"BASE_TABLE", "SUBQUERY", "JOIN", "TABLE_FUNCTION", "EXPRESSION_LIST", "EMPTY", "PIVOT"}
    | {"LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "ORDER_MODIFIER", "DISTINCT_MODIFIER"}
    | {"ASCENDING", "DESCENDING", "ORDER_DEFAULT"}
)
_CLASSES = frozenset(
    {"BETWEEN", "CASE", "CAST", "COLLATE", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CONSTANT"}
    | {"FUNCTION", "LAMBDA", "LAMBDA_REF", "OPERATOR", "POSITIONAL_REFERENCE", "STAR", "SUBQUERY", "WINDOW"}
)
_CATALOGS = frozenset({"", "analytics"})
_FUNCTION_SCHEMAS = frozenset({"", "main"})
_LISTS = frozenset({"tables", "__show_tables_expanded"})
"""What SHOW TABLES, and SHOW ALL TABLES or DESCRIBE without a name, are to DuckDB."""
_INFORMATION_SCHEMA = "information_schema"
_WORDS = {"PARAMETER": "A parameter such as ? or $1"}
_NO_TABLE = "There is no table {name} among your team's published tables"


def check_query(connection: duckdb.DuckDBPyConnection, sql: str, tables: Tables) -> bool:
    """Return whether ``sql`` lists tables: it is then to be run where there are none but ``tables``.

    Raise InputError, with the place, unless it is one SELECT that reads ``tables`` alone or lists them.
    """
    if len(sql) > LONGEST_QUERY:
        raise InputError(f"The query is longer than {LONGEST_QUERY:,} characters")
    row = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone()
    tree = json.loads(row[0]) if row else {}
    if tree.get("error"):
        raise _unreadable(sql, tree)
    statements = tree.get("statements", [])
    if len(statements) != 1:
        raise InputError("Write one SELECT statement" if not statements else "Write one statement at a time")
    check = _Check(sql, tables, allowed_functions(connection), _built_in_tables(connection))
    return check.statement(statements[0])


class _Check:
    def __init__(
        self, sql: str, tables: Tables, functions: Collection[str], built_in: Collection[str]
    ) -> None:
        self._sql = sql
        self._tables = tables
        self._functions = functions
        self._built_in = built_in
        self._named: set[str] = set()
        self._table_functions: list[dict[str, Any]] = []
        self._reads_tables = self._lists_tables = False

    def statement(self, tree: Any) -> bool:
        nodes = list(_nodes(tree))
        for node in nodes:
            self._name_cte(node)
        for node in nodes:
            self._node(node)
        if self._reads_tables and self._lists_tables:
            raise InputError("Lists of tables can't be in one query with the tables' rows. Write two queries")
        return self._lists_tables

    def _name_cte(self, node: dict[str, Any]) -> None:
        """Take up the names of a WITH clause; they can't hide tables of DuckDB's own."""
        names = [entry["key"] for entry in (node.get("cte_map") or {}).get("map", [])]
        names += [node["cte_name"]] if "cte_name" in node else []
        for name in names:
            if name.lower() in self._built_in:
                raise InputError(f"{name} can't be a name in WITH: DuckDB has a table of this name")
            self._named.add(name.lower())

    def _node(self, node: dict[str, Any]) -> None:
        kind = node.get("type")
        if "class" in node:
            self._expression(node)
        elif kind == "UNBOUND_TYPE_INFO":
            if node.get("catalog") or node.get("schema"):
                raise self._refused(node, "Types of a schema are not possible here")
        elif kind == "SHOW_REF":
            self._show(node)
        elif isinstance(kind, str) and not kind.endswith("_TYPE_INFO"):
            self._allow(node, kind, _KINDS)
            self._table(node, kind)

    def _expression(self, node: dict[str, Any]) -> None:
        kind = str(node["class"])
        self._allow(node, kind, _CLASSES)
        makes_table = any(node is function for function in self._table_functions)
        if kind in ("FUNCTION", "WINDOW") and not makes_table:
            self._function(node, self._functions)

    def _function(self, node: dict[str, Any], allowed: Collection[str]) -> None:
        name = str(node.get("function_name", ""))
        is_own = node.get("schema", "") in _FUNCTION_SCHEMAS and not node.get("catalog")
        if not is_own or name.lower() not in allowed:
            raise self._refused(node, f"The function {name} is not possible here")

    def _show(self, node: dict[str, Any]) -> None:
        """Check SHOW, DESCRIBE or SUMMARIZE; the query that it is about has nodes of its own."""
        if node.get("query") is not None:
            return
        name = str(node.get("table_name", "")).strip('"')
        is_of_schema = node.get("show_type") == "SHOW_FROM"
        if (name and is_of_schema) or (name not in _LISTS and not is_of_schema):
            raise InputError(f"SHOW {name.upper()} is not possible here. SHOW ALL TABLES lists your tables")
        self._lists_tables = True

    def _table(self, node: dict[str, Any], kind: str) -> None:
        """Check a table, or the function that makes one, which comes before the function's own node."""
        if kind == "TABLE_FUNCTION":
            self._function(node["function"], TABLE_FUNCTIONS)
            self._table_functions.append(node["function"])
        elif kind == "BASE_TABLE":
            catalog, schema, table = (
                node.get(f"{part}_name") or "" for part in ("catalog", "schema", "table")
            )
            if node.get("at_clause"):
                raise self._refused(node, "AT is not possible here")
            if not schema and not catalog and table.lower() in self._named:
                return
            if not catalog and schema.lower() == _INFORMATION_SCHEMA:
                self._lists_tables = True
            elif catalog.lower() in _CATALOGS and (schema.lower(), table.lower()) in self._tables:
                self._reads_tables = True
            else:
                name = quoted(*filter(None, (catalog, schema, table)))
                raise UnknownName(self._refused(node, _NO_TABLE.format(name=name)).message)

    def _allow(self, node: dict[str, Any], kind: str, allowed: Collection[str]) -> None:
        if kind not in allowed:
            raise self._refused(node, f"{_WORDS.get(kind, kind.replace('_', ' '))} is not possible here")

    def _refused(self, node: dict[str, Any], message: str) -> InputError:
        place = node.get("query_location")
        return InputError(f"{message}{_place(self._sql, place) if isinstance(place, int) else ''}")


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Return all objects of a tree, from the outer to the inner ones."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _built_in_tables(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the names that DuckDB finds without a schema."""
    rows = connection.execute(
        "SELECT lower(view_name) FROM duckdb_views()"
        " UNION SELECT lower(table_name) FROM duckdb_tables() WHERE schema_name IN ('main', 'pg_catalog')"
    ).fetchall()
    return {name for (name,) in rows}


def _unreadable(sql: str, tree: dict[str, Any]) -> InputError:
    if tree.get("error_type") == "not implemented":
        return InputError("Only SELECT is possible here; PIVOT needs its values listed with IN")
    position = str(tree.get("position", ""))
    place = _place(sql, int(position)) if position.isdecimal() else ""
    return InputError(f"{tree.get('error_message', 'The query cannot be read')}{place}")


def _place(sql: str, position: int) -> str:
    """Return the line and column of a position in bytes, as `` (line 1, column 8)``; empty if it has none."""
    before = sql.encode()[:position] if 0 <= position <= 4 * len(sql) else None
    if before is None:
        return ""
    lines = before.decode(errors="ignore").split("\n")
    return f" (line {len(lines)}, column {len(lines[-1]) + 1})"
