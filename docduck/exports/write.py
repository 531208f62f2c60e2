"""Writing documents to one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import BinaryIO, Protocol

from docduck.exports.csv_file import write_csv
from docduck.exports.json_file import write_json
from docduck.exports.model import ChosenColumn, ExportDocument, Format, Scope, Written
from docduck.exports.parquet_file import write_parquet
from docduck.exports.plan import ExportPlan, resolve
from docduck.exports.xlsx_file import write_xlsx
from docduck.exports.xml_file import write_xml
from docduck.fields import Field


class Writer(Protocol):
    """The writer of a format; reads ``documents`` once, in bounded memory, and leaves ``target`` open."""

    def __call__(
        self, target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan
    ) -> Written: ...


WRITERS: dict[Format, Writer] = {
    Format.JSON: write_json,
    Format.XML: write_xml,
    Format.CSV: write_csv,
    Format.XLSX: write_xlsx,
    Format.PARQUET: write_parquet,
}


def write(
    target: BinaryIO,
    documents: Iterable[ExportDocument],
    fields: Sequence[Field],
    format: Format | str = Format.JSON,
    scope: Scope | str | None = None,
    table_name: str | None = None,
    columns: Sequence[ChosenColumn] | None = None,
) -> Written:
    """Write ``documents`` to ``target``; raise the errors of ``resolve``."""
    return write_plan(target, documents, resolve(format, scope, table_name, fields, columns))


def write_plan(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write ``documents`` to ``target`` by a plan returned by ``resolve``."""
    return WRITERS[plan.format](target, documents, plan)
