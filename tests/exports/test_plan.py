from __future__ import annotations

import pytest

from docduck.errors import InputError
from docduck.exports import Format, Scope, resolve
from docduck.fields import Field
from tests.exports.reading import table

NONE = [Field(name="Total")]
ONE = [*NONE, table("Items", Field(name="c"))]
TWO = [*ONE, table("Taxes", Field(name="c"))]


@pytest.mark.parametrize(
    ("format", "scope", "content_type", "extension"),
    [
        (None, None, "application/json", "json"),
        ("json", Scope.ALL_SHEETS, "application/json", "json"),
        ("xml", None, "application/xml", "xml"),
        ("csv", Scope.ALL_FLAT, "text/csv; charset=utf-8", "csv"),
        ("csv", Scope.ALL_SHEETS, "application/zip", "zip"),
        ("parquet", Scope.ALL_FLAT, "application/vnd.apache.parquet", "parquet"),
        ("parquet", Scope.ALL_SHEETS, "application/zip", "zip"),
        (
            "xlsx",
            Scope.ALL_SHEETS,
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "xlsx",
        ),
    ],
)
def test_content_type_and_extension(
    format: str | None, scope: Scope | None, content_type: str, extension: str
) -> None:
    plan = resolve(format, scope, None, TWO)
    assert (plan.scope, plan.content_type, plan.extension) == (scope, content_type, extension)


def test_defaults() -> None:
    assert resolve(None, None, None, TWO).format is Format.JSON
    assert resolve("json", None, None, TWO).scope is None
    assert resolve("xml", None, None, TWO).scope is None
    assert resolve("csv", None, None, TWO).scope is Scope.ALL_FLAT
    assert resolve("xlsx", None, None, TWO).scope is Scope.ALL_SHEETS
    assert resolve("parquet", None, None, TWO).scope is Scope.ALL_SHEETS


def test_the_only_table_need_not_be_named() -> None:
    plan = resolve("csv", "table", None, ONE)
    assert plan.table is not None
    assert plan.table.name == "Items"
    assert resolve("csv", "all_flat", "Items", ONE).table is None


@pytest.mark.parametrize(
    ("format", "scope", "table_name", "fields", "path", "message"),
    [
        ("pdf", None, None, ONE, "format", "Unknown format: pdf. Supported: json, xml, csv, xlsx, parquet"),
        ("JSON", None, None, ONE, "format", "Unknown format: JSON. Supported: json, xml, csv, xlsx, parquet"),
        (
            "csv",
            "everything",
            None,
            ONE,
            "scope",
            "Unknown scope: everything. Supported: fields_only, all_flat, table, all_sheets",
        ),
        (
            "csv",
            "table",
            None,
            TWO,
            "tableName",
            "tableName is required, as the parser has 2 tables: Items, Taxes",
        ),
        ("csv", "table", None, NONE, "scope", "The parser has no table; choose another scope"),
        ("csv", "table", "Rows", TWO, "tableName", "Unknown table: Rows. The parser's tables: Items, Taxes"),
        ("csv", "table", "Rows", NONE, "tableName", "Unknown table: Rows. The parser has no table"),
        ("csv", "table", "Total", ONE, "tableName", "Unknown table: Total. The parser's tables: Items"),
        ("json", None, "Rows", ONE, "tableName", "Unknown table: Rows. The parser's tables: Items"),
    ],
)
def test_what_is_refused(
    format: str, scope: str | None, table_name: str | None, fields: list[Field], path: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        resolve(format, scope, table_name, fields)
    assert caught.value.message == message
    assert caught.value.path == path
