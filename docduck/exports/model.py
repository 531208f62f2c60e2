"""The input and output of exports."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from docduck.fields import Field
from docduck.plugins import plugins


class Format(StrEnum):
    """The file formats: docduck's own, and those that entry points of other packages are named after."""

    _ignore_ = "plugin"

    JSON = "json"
    XML = "xml"
    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"
    for plugin in plugins("exports"):
        if plugin.name.isidentifier() and plugin.name.upper() not in vars():
            vars()[plugin.name.upper()] = plugin.name


class Scope(StrEnum):
    """The extent and layout of an export; without a scope, documents are nested."""

    FIELDS_ONLY = "fields_only"
    ALL_FLAT = "all_flat"
    TABLE = "table"
    ALL_SHEETS = "all_sheets"


@dataclass(frozen=True, slots=True)
class ExportDocument:
    """A document to export; ``data`` maps the keys of fields to JSON values, and those of columns in rows."""

    id: str
    name: str
    external_id: str | None
    status: str
    created_at: dt.datetime
    updated_at: dt.datetime | None
    custom: Mapping[str, Any] | None
    data: Mapping[str, Any]


def key_of(field: Field) -> str:
    """Return the key of a field's values: its id, or its name if it has none."""
    return field.id or field.name


@dataclass(frozen=True, slots=True)
class ChosenColumn:
    """A column of a layout.

    ``ref`` is a property such as ``$id``, the key of a field, or ``<table's key>.<column's key>``; ``header``
    replaces its usual heading.
    """

    ref: str
    header: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """The numbers of documents and of rows over all sheets (nested documents count as rows).

    ``warnings`` say what the file lacks of what was requested.
    """

    document_count: int
    row_count: int
    warnings: tuple[str, ...] = ()
