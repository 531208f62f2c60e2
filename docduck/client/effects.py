"""What an operation asks of the outside world, and what it gets back.

An operation is a generator, ``Steps``: it yields requests and pauses, is sent the answers, and returns its
result. Retries, paging and waiting are written once that way, without any I/O; ``sync`` and
``asynchronous`` do what is yielded.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from docduck.client.uploads import NOTHING, Upload

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One request; ``path`` begins below ``/api/v1``. The server may take ``held_seconds`` on purpose."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    upload: Upload = NOTHING
    held_seconds: float = 0


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """What came back; the headers' names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def retry_after(self) -> float | None:
        """The seconds that Retry-After (RFC 9110, 10.2.3) asks for, as a number or as a date."""
        text = self.headers.get("retry-after", "").strip()
        try:
            seconds = float(text)
        except ValueError:
            return _seconds_until(text)
        return max(0.0, seconds) if math.isfinite(seconds) else None


@dataclass(frozen=True, slots=True)
class Pause:
    """Do nothing for some seconds."""

    seconds: float


Effect: TypeAlias = Request | Pause
Steps: TypeAlias = Generator[Effect, HttpResponse | None, T]


def _seconds_until(text: str) -> float | None:
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment.replace(tzinfo=moment.tzinfo or dt.UTC)
    return max(0.0, (moment - dt.datetime.now(dt.UTC)).total_seconds())
