"""Exports written and read back, each format by a reader that is not docduck's."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

import openpyxl
import polars as pl
from lxml import etree

from docduck.exports import ExportDocument, Written, resolve, write
from docduck.fields import Field, FieldType

CREATED = dt.datetime(2024, 3, 9, 14, 5, 6, 789_000, tzinfo=dt.UTC)
UPDATED = dt.datetime(2024, 3, 10, tzinfo=dt.timezone(dt.timedelta(hours=2)))

BASE = ["document_id", "document_name", "external_id", "status", "created_at"]


def document(number: int = 1, data: dict[str, Any] | None = None, **changes: Any) -> ExportDocument:
    values: dict[str, Any] = {
        "id": f"d{number}",
        "name": f"Rechnung {number}.pdf",
        "external_id": None,
        "status": "processed",
        "created_at": CREATED,
        "updated_at": UPDATED,
        "custom": None,
        "data": data or {},
    }
    return ExportDocument(**(values | changes))


def base(number: int = 1) -> list[Any]:
    return [f"d{number}", f"Rechnung {number}.pdf", None, "processed", "2024-03-09T14:05:06.789Z"]


def table(name: str, *columns: Field, position: int | None = None) -> Field:
    return Field(name=name, type=FieldType.TABLE, columns=columns, position=position)


def export(
    format: str,
    scope: str | None,
    documents: Iterable[ExportDocument],
    fields: Sequence[Field],
    table_name: str | None = None,
) -> tuple[bytes, Written]:
    target = io.BytesIO()
    written = write(target, iter(documents), resolve(format, scope, table_name, fields))
    return target.getvalue(), written


def as_json(*arguments: Any) -> Any:
    return json.loads(export("json", *arguments)[0].decode("utf-8"))


SCHEMA = etree.XMLSchema(
    etree.fromstring(resources.files("docduck.exports").joinpath("exports.xsd").read_bytes())
)


def as_xml(*arguments: Any) -> Any:
    return read_xml(export("xml", *arguments)[0])


def read_xml(content: bytes) -> Any:
    root = etree.fromstring(content)
    SCHEMA.assertValid(root)
    return root


def as_frames(*arguments: Any) -> dict[str, pl.DataFrame]:
    return read_frames(export("parquet", *arguments)[0])


def read_frames(content: bytes) -> dict[str, pl.DataFrame]:
    """The Parquet files of a ZIP by name, or the one file by the name ""."""
    if content.startswith(b"PAR1"):
        return {"": pl.read_parquet(content)}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: pl.read_parquet(archive.read(name)) for name in archive.namelist()}


def as_csv(*arguments: Any) -> list[list[str]]:
    return read_csv(export("csv", *arguments)[0])


def read_csv(content: bytes) -> list[list[str]]:
    text = content.decode("utf-8")
    assert text.startswith("\ufeff"), "byte order mark"
    return list(csv.reader(io.StringIO(text[1:], newline=""), strict=True))


def as_csvs(*arguments: Any) -> dict[str, list[list[str]]]:
    with zipfile.ZipFile(io.BytesIO(export("csv", *arguments)[0])) as archive:
        assert archive.testzip() is None
        return {name: read_csv(archive.read(name)) for name in archive.namelist()}


def as_workbook(*arguments: Any) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(export("xlsx", *arguments)[0]))


def as_sheets(*arguments: Any) -> dict[str, list[list[Any]]]:
    book = as_workbook(*arguments)
    return {page.title: [[cell.value for cell in row] for row in page.iter_rows()] for page in book}


def xml_fields(element: Any) -> dict[str, str | None]:
    """The ``<field>`` children of a row or document: name to text."""
    return {field.get("name"): field.text for field in element.findall("field")}
