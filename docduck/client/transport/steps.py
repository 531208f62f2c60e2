"""Operations as generators without I/O.

An operation (``Steps``) yields requests and pauses, is sent their outcomes, and returns its result. So
retries, paging and waiting are written once; ``sync`` and ``asynchronous`` do what is yielded.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from docduck.client.errors import ConnectionFailed
from docduck.client.transport.downloads import Download
from docduck.client.transport.uploads import NOTHING, Upload

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """A request; ``path`` is relative to ``/api/v1``. The server may hold it for ``held_seconds``.

    The body of its response is saved as ``download``, if it succeeds.
    """

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    upload: Upload = NOTHING
    held_seconds: float = 0
    download: Download | None = None


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response; the headers' names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def retry_after(self) -> float | None:
        """The seconds in Retry-After (RFC 9110, 10.2.3), which is a number or a date."""
        text = self.headers.get("retry-after", "").strip()
        try:
            seconds = float(text)
        except ValueError:
            return _seconds_until(text)
        return max(0.0, seconds) if math.isfinite(seconds) else None


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait some seconds."""

    seconds: float


Effect: TypeAlias = Request | Pause
Outcome: TypeAlias = HttpResponse | ConnectionFailed | None
"""Of a request; None after a pause, and at the beginning."""
Steps: TypeAlias = Generator[Effect, Outcome, T]


def _seconds_until(text: str) -> float | None:
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment.replace(tzinfo=moment.tzinfo or dt.UTC)
    return max(0.0, (moment - dt.datetime.now(dt.UTC)).total_seconds())
