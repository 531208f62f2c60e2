"""What reading cells needs to know of the document."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from docduck.extraction.page.locale import Locale


@dataclass(frozen=True, slots=True)
class TableContext:
    """The locale, and the first and last day that dates without a year fall between, if known."""

    locale: Locale
    start: date | None = None
    end: date | None = None
