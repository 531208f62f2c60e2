"""Every cell of the table of formats and scopes, read back as plain rows, each by a reader of others."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import zipfile
from decimal import Decimal
from typing import Any

import openpyxl

from tests.exports.reading import read_frames, read_xml

CELLS = [
    (format, scope)
    for format in ("json", "xml", "csv", "xlsx", "parquet")
    for scope in (None, "fields_only", "all_flat", "table", "all_sheets")
]
"""All formats and scopes."""

Rows = list[dict[str, Any]]


def effective(format: str, scope: str | None) -> str | None:
    """The scope that an omitted one stands for; None for nested documents."""
    return scope or {"csv": "all_flat", "xlsx": "all_sheets", "parquet": "all_sheets"}.get(format)


def read_cell(format: str, scope: str | None, content: bytes) -> dict[str, Rows]:
    """The rows of each sheet by its name, without values that are missing, as text.

    Of nested documents those of ``fields_only`` and of each table, as ``Fields`` and the table's name.
    """
    scope = effective(format, scope)
    match format:
        case "json":
            found = _json(scope, json.loads(content))
        case "xml":
            found = _xml(read_xml(content))
        case "csv":
            found = _csv(scope, content)
        case "xlsx":
            book = openpyxl.load_workbook(io.BytesIO(content))
            found = {page.title: _objects(page.iter_rows(values_only=True)) for page in book}
        case _:
            frames = read_frames(content)
            found = {name.removesuffix(".parquet"): frame.to_dicts() for name, frame in frames.items()}
    return {name: [_present(row) for row in rows] for name, rows in found.items()}


def _json(scope: str | None, value: Any) -> dict[str, Rows]:
    if scope == "all_sheets":
        return dict(value)
    if scope is not None:
        return {"": value}
    sheets: dict[str, Rows] = {"Fields": []}
    for one in value:
        document = one["document"]
        base = {
            "document_id": document["id"],
            "document_name": document["name"],
            "external_id": document["externalId"],
            "status": document["status"],
        }
        _nest(sheets, base, one["data"])
    return sheets


def _nest(sheets: dict[str, Rows], base: dict[str, Any], data: dict[str, Any]) -> None:
    scalars = {}
    for name, value in data.items():
        if isinstance(value, list) and all(isinstance(row, dict) for row in value) and name != "Tags":
            numbered = [{**base, "row_number": number, **row} for number, row in enumerate(value, start=1)]
            sheets.setdefault(name, []).extend(numbered)
        else:
            scalars[name] = value
    sheets["Fields"].append({**base, **scalars})


def _xml(root: Any) -> dict[str, Rows]:
    def row(element: Any) -> dict[str, Any]:
        return {one.get("name"): one.text or "" for one in element.findall("field")}

    if root.tag == "rows":
        return {"": [row(one) for one in root]}
    if root.tag == "sheets":
        return {sheet.get("name"): [row(one) for one in sheet] for sheet in root}
    sheets: dict[str, Rows] = {"Fields": []}
    for one in root:
        base = {
            "document_id": one.get("id"),
            "document_name": one.get("name"),
            "external_id": one.get("externalId"),
            "status": one.get("status"),
        }
        tables = {table.get("name"): [row(line) for line in table] for table in one.findall("table")}
        _nest(sheets, base, {**row(one), **tables})
    return sheets


def _csv(scope: str | None, content: bytes) -> dict[str, Rows]:
    def read(part: bytes) -> Rows:
        return _objects(csv.reader(io.StringIO(part.decode("utf-8-sig"), newline=""), strict=True))

    if scope != "all_sheets":
        return {"": read(content)}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name.removesuffix(".csv"): read(archive.read(name)) for name in archive.namelist()}


def _objects(lines: Any) -> Rows:
    heading, *rows = lines
    return [dict(zip(heading, row, strict=True)) for row in rows]


def _present(row: dict[str, Any]) -> dict[str, str]:
    return {name: text for name, value in row.items() if (text := as_text(value))}


def as_text(value: Any) -> str:
    """A value as the text formats write it; moments without their time."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list():
            return "; ".join(as_text(item) for item in value)
        case float() | int() | Decimal():
            text = f"{Decimal(str(value)):f}"
            return text.rstrip("0").rstrip(".") if "." in text else text
        case dt.datetime() | dt.date():
            return value.isoformat()[:10]
        case _:
            text = str(value)
            return text[:10] if len(text) == 24 and text.endswith("Z") else text
