"""Context for reading table cells."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from docduck.extraction.page.locale import Locale


@dataclass(frozen=True, slots=True)
class TableContext:
    """The locale of a document, and the first and last day for dates without a year, if known."""

    locale: Locale
    start: date | None = None
    end: date | None = None
