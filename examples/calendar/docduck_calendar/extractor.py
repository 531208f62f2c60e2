"""The domain of events: how long one takes is printed nowhere, but follows from its beginning and end."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from docduck.documents.document import Document, Line
from docduck.extraction.extractor import Findings
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding, Location
from docduck.fields import FieldType

_NAMES = frozenset({"duration", "minutes", "event length"})
_TIME = re.compile(r"(Starts|Ends): (\d{4}-\d\d-\d\d \d\d:\d\d)")


class EventLengthExtractor:
    """Finds number fields such as ``Duration``, in minutes, on the first page of a calendar."""

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return the event's length for the fields that ask for it."""
        findings = Findings()
        if document.content_type != "text/calendar" or not document.pages:
            return findings
        page = document.pages[0]
        times: dict[str, tuple[dt.datetime, Line]] = {}
        for line in page.lines:
            if match := _TIME.search(line.text):
                times[match[1]] = dt.datetime.fromisoformat(match[2]), line
        if times.keys() != {"Starts", "Ends"}:
            return findings
        (start, _), (end, _) = times["Starts"], times["Ends"]
        places = tuple(Location(page.number, line.box, line.text) for _, line in times.values())
        for query in queries:
            if query.type is FieldType.NUMBER and query.name.lower() in _NAMES:
                minutes = (end - start).total_seconds() / 60
                findings.scalars[query.name] = Finding(minutes, 0.98, places)
        return findings
