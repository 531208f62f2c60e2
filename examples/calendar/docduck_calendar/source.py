"""The source of published calendars: each event is an item of its own."""

from __future__ import annotations

import asyncio
import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from pydantic import field_validator

from docduck.outbound.download import download
from docduck.outbound.policy import OutboundPolicy
from docduck.service.pipeline.source_specs import RemoteSpec, checked_url
from docduck.sources.remote import Cursor, FetchedItem, NewItems, RemoteItem, SourceUnavailable, Write
from docduck_calendar.reader import events

_UID = re.compile(r"^UID:(.+)$", re.MULTILINE)


class CalendarSpec(RemoteSpec):
    """``calendar`` is the address of a published calendar; ``token`` is sent to its host only."""

    calendar: str
    token: str | None = None

    @field_validator("calendar")
    @classmethod
    def _address(cls, url: str) -> str:
        return checked_url(url)


class CalendarSource:
    """Sources with the key ``calendar`` in pipeline.yaml."""

    settings = CalendarSpec
    finishes = False

    def connect(self, settings: CalendarSpec, policy: OutboundPolicy, look_seconds: float) -> _Reader:
        """Return a reader of the calendar."""
        return _Reader(settings, policy, look_seconds)


class _Reader:
    def __init__(self, settings: CalendarSpec, policy: OutboundPolicy, look_seconds: float) -> None:
        self._settings = settings
        self._policy = policy
        self._look_seconds = look_seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def look(self, cursor: Cursor) -> NewItems:
        """Return all events; the ledger knows those that are documents already, by their fingerprint."""
        items = []
        for event in self._download():
            uid = _UID.search(event)
            digest = hashlib.sha256(event.encode()).hexdigest()
            items.append(RemoteItem(uid[1].strip() if uid else digest, digest, handle=event))
        return NewItems(items, cursor)

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Write the event as a calendar of its own."""
        write(f"BEGIN:VCALENDAR\nBEGIN:VEVENT{item.handle}END:VEVENT\nEND:VCALENDAR\n".encode())
        return FetchedItem(f"{item.name}.ics", {"url": self._settings.calendar})

    def finish(self, items: Sequence[RemoteItem]) -> None:
        """Nothing is done with events."""

    def _download(self) -> Sequence[str]:
        content = io.BytesIO()
        token = self._settings.token
        headers: Mapping[str, str] = {} if token is None else {"Authorization": f"Bearer {token}"}
        downloading = download(self._settings.calendar, content, self._policy, headers=headers)
        try:
            asyncio.run(asyncio.wait_for(downloading, self._look_seconds))
        except TimeoutError as error:
            raise SourceUnavailable(f"takes longer than {self._look_seconds:g} s") from error
        return events(content.getvalue())
