"""The input and output of exports."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Format(StrEnum):
    """The file formats."""

    JSON = "json"
    XML = "xml"
    CSV = "csv"
    XLSX = "xlsx"


class Scope(StrEnum):
    """The extent and layout of an export; without a scope, documents are nested."""

    FIELDS_ONLY = "fields_only"
    ALL_FLAT = "all_flat"
    TABLE = "table"
    ALL_SHEETS = "all_sheets"


@dataclass(frozen=True, slots=True)
class ExportDocument:
    """A document to export; ``data`` maps field names to JSON values (like Extraction's ``data``)."""

    id: str
    name: str
    external_id: str | None
    status: str
    created_at: dt.datetime
    updated_at: dt.datetime | None
    custom: Mapping[str, Any] | None
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Written:
    """The numbers of documents and of rows over all sheets (nested documents count as rows)."""

    document_count: int
    row_count: int
