"""The formats of a query's result, apart from their writer, whose libraries are large."""

from __future__ import annotations

from enum import StrEnum

from docduck.exports.formats import CSV, PARQUET, XLSX


class ResultFormat(StrEnum):
    """The formats of a result."""

    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"

    @property
    def content_type(self) -> str:
        """The media type of such a file."""
        return {self.CSV: CSV, self.XLSX: XLSX, self.PARQUET: PARQUET}[self].content_type
