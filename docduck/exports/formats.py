"""docduck's own export formats; their writers are imported when used, as some of the libraries are large."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pkgutil import resolve_name
from typing import BinaryIO, cast

from docduck.errors import Transient
from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.plan import ExportPlan


@dataclass(frozen=True, slots=True)
class _Format:
    """An ``ExportFormat`` by the names of its writer and of the error that a full disk may cause there."""

    extension: str
    content_type: str
    scopes: tuple[Scope | None, ...]
    writer: str
    library_error: str | None = None

    def write(self, target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
        errors = () if self.library_error is None else (resolve_name(self.library_error),)
        try:
            return cast(Written, resolve_name(self.writer)(target, documents, plan))
        except errors as error:
            raise Transient(f"The export can't be written: {error}") from error


JSON = _Format("json", "application/json", (None, *Scope), "docduck.exports.json_file:write_json")
XML = _Format(
    "xml", "application/xml", (None, *Scope), "docduck.exports.xml_file:write_xml", "lxml.etree:LxmlError"
)
CSV = _Format(
    "csv", "text/csv; charset=utf-8", (Scope.ALL_FLAT, *Scope), "docduck.exports.csv_file:write_csv"
)
XLSX = _Format(
    "xlsx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    (Scope.ALL_SHEETS, *Scope),
    "docduck.exports.xlsx_file:write_xlsx",
)
PARQUET = _Format(
    "parquet",
    "application/vnd.apache.parquet",
    (Scope.ALL_SHEETS, *Scope),
    "docduck.exports.parquet_file:write_parquet",
    "polars.exceptions:PolarsError",
)


class ResultFormat(StrEnum):
    """The formats of a query's result."""

    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"

    @property
    def content_type(self) -> str:
        """The media type of such a file."""
        return {self.CSV: CSV, self.XLSX: XLSX, self.PARQUET: PARQUET}[self].content_type
