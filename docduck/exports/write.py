"""Writing documents to one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import BinaryIO, Protocol

from docduck.errors import DocduckError, PluginFailed, Transient
from docduck.exports.model import ChosenColumn, ExportDocument, Format, Scope, Written
from docduck.exports.plan import AddedFormat, ExportPlan, added_format, resolve
from docduck.fields import Field


class Writer(Protocol):
    """The writer of a format; reads ``documents`` once, in bounded memory, and leaves ``target`` open."""

    def __call__(
        self, target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan
    ) -> Written: ...


def _writer(format: Format) -> tuple[Writer, tuple[type[Exception], ...]]:
    """Return the writer of a format, and the errors of its library that a full disk may cause."""
    # Imported when used: some of the libraries take tens of megabytes.
    match format:
        case Format.JSON:
            from docduck.exports.json_file import write_json

            return write_json, ()
        case Format.CSV:
            from docduck.exports.csv_file import write_csv

            return write_csv, ()
        case Format.XML:
            from lxml.etree import LxmlError

            from docduck.exports.xml_file import write_xml

            return write_xml, (LxmlError,)
        case Format.XLSX:
            from docduck.exports.xlsx_file import write_xlsx

            return write_xlsx, ()
        case Format.PARQUET:
            from polars.exceptions import PolarsError

            from docduck.exports.parquet_file import write_parquet

            return write_parquet, (PolarsError,)
    added = added_format(format)
    assert added is not None
    return partial(_write_added, added), ()


def _write_added(
    added: AddedFormat, target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan
) -> Written:
    """Write another package's format; raise PluginFailed for its errors."""
    try:
        return added.write(target, documents, plan)
    except (DocduckError, OSError, MemoryError):
        raise
    except Exception as error:
        message = f"The export format {plan.format} failed: {type(error).__name__}: {error}"
        raise PluginFailed(message) from error


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
    """Write ``documents`` to ``target`` by a plan returned by ``resolve``; raise Transient if it can't be."""
    writer, errors = _writer(plan.format)
    try:
        return writer(target, documents, plan)
    except errors as error:
        raise Transient(f"The export can't be written: {error}") from error
