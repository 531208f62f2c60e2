"""The functions of a team's query: those that compute from their arguments, the date, and chance.

DuckDB's own list says which functions always give the same result for the same arguments; those among them
that describe the server or run SQL are left out.
"""

from __future__ import annotations

import re

import duckdb

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
