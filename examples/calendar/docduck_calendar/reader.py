"""The reader of calendars: a page of labelled lines for each event."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PIL import Image

from docduck.documents.detection.file_types import FileType
from docduck.documents.document import Document, Page
from docduck.documents.formats.page_drawing import draw_page
from docduck.documents.formats.plaintext import text_page
from docduck.documents.read_options import ReadOptions

_LABELS = {"SUMMARY": "Event", "LOCATION": "Location", "DTSTART": "Starts", "DTEND": "Ends"}
_EVENT = re.compile(r"^BEGIN:VEVENT$(.*?)^END:VEVENT$", re.MULTILINE | re.DOTALL)
_PROPERTY = re.compile(r"^([A-Z-]+)(?:;[^:\n]*)?:(.*)$", re.MULTILINE)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\dZ?)?")


class CalendarReader:
    """Reads ``text/calendar``."""

    file_types = (FileType("text/calendar", "Calendar", (".ics",), ((0, b"BEGIN:VCALENDAR"),)),)

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of events."""
        return len(events(data))

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return a page for each event."""
        found = events(data)
        pages = [_page(number, found[number - 1]) for number in options.page_numbers(len(found))]
        return Document(content_type, pages, len(found))

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return an event's page drawn from its words."""
        return draw_page(_page(number, events(data)[number - 1]), width)


def events(data: bytes) -> Sequence[str]:
    """Return the properties of each event, unfolded."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\n ", "")
    return _EVENT.findall(text)


def _page(number: int, event: str) -> Page:
    lines = [""]
    for name, value in _PROPERTY.findall(event):
        if name in _LABELS:
            lines += [f"   {_LABELS[name]}: {_TIME.sub(_written, value)}", ""]
    return text_page(number, lines)


def _written(time: re.Match[str]) -> str:
    date = f"{time[1]}-{time[2]}-{time[3]}"
    return date if time[4] is None else f"{date} {time[4]}:{time[5]}"
