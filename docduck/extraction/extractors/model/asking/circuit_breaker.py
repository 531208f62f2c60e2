"""A model that has failed to answer is left alone for a while, by all processes of this host.

It counts as failing after one request that it did not answer in its time, or after three in a row that
ended without a connection or with a server's error, unless another request was answered meanwhile. Then
nobody asks it for a pause, after which one request tries; the pause grows with each that fails.
"""

from __future__ import annotations

import datetime as dt
import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from docduck import clock
from docduck.extraction.model_options import ModelOptions

_FAILURES = 3
_FIRST_PAUSE, _LONGEST_PAUSE = dt.timedelta(seconds=15), dt.timedelta(minutes=10)
_MOST_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class Away:
    """A model that isn't asked: ``since`` when and why, and ``until`` when."""

    since: dt.datetime
    until: dt.datetime
    reason: str

    @property
    def message(self) -> str:
        """A clause for people."""
        again = f"at {_shown(self.until)}" if clock.now() < self.until else "for the next document"
        return f"{self.reason}, since {_shown(self.since)}; it is asked again {again}"


class _State(msgspec.Struct, omit_defaults=True):
    """What the file holds; ``judged`` is when the pause began, ``trying`` until when a request tries."""

    failures: int = 0
    reason: str = ""
    answered: dt.datetime | None = None
    since: dt.datetime | None = None
    judged: dt.datetime | None = None
    until: dt.datetime | None = None
    trying: dt.datetime | None = None


class CircuitBreaker:
    """The state of one model, in a file beside the locks of its slots."""

    def __init__(self, options: ModelOptions) -> None:
        name = hashlib.sha256(f"{options.base_url} {options.model}".encode()).hexdigest()[:16]
        self._path = options.slots / f"{name}.json"
        self._try = dt.timedelta(seconds=options.seconds)

    @property
    def away(self) -> Away | None:
        """The pause in which the model isn't asked, until it has answered again; None if there is none."""
        return _away(_parsed(_read(self._path)))

    def admit(self) -> Away | None:
        """Return why the model is not to be asked now; None if it is: after a pause, by one request."""
        if self.away is None:
            return None
        now = clock.now()
        with self._changed() as state:
            away = _away(state)
            if away is None:
                return None
            if now < away.until or (state.trying is not None and now < state.trying):
                return away
            state.trying = now + self._try
            return None

    def passed(self) -> None:
        """Take note that the request that was to try has not: another may."""
        with self._changed() as state:
            state.trying = None

    def answered(self) -> None:
        """Take note that the model answers."""
        with self._changed() as state:
            state.failures, state.reason = 0, ""
            state.since = state.judged = state.until = state.trying = None
            state.answered = clock.now()

    def failed(self, reason: str, began: dt.datetime, *, at_once: bool = False) -> None:
        """Take note of a request of the moment ``began`` without an answer; one is enough ``at_once``."""
        now = clock.now()
        with self._changed() as state:
            if state.answered is not None and state.answered > began:
                return
            if state.judged is not None and state.judged > began:
                # It was sent before the pause, and says nothing new.
                return
            state.failures += 1
            if not at_once and state.until is None and state.failures < _FAILURES:
                return
            before = state.until - state.judged if state.until and state.judged else None
            pause = _FIRST_PAUSE if before is None else min(2 * before, _LONGEST_PAUSE)
            state.since = state.since or now
            state.judged, state.until, state.trying, state.reason = now, now + pause, None, reason

    @contextmanager
    def _changed(self) -> Iterator[_State]:
        """Yield the state, and write it after the block; other processes wait meanwhile."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            before = os.pread(handle, _MOST_BYTES, 0)
            state = _parsed(before)
            yield state
            after = msgspec.json.encode(state)
            if after != before:
                os.ftruncate(handle, 0)
                os.pwrite(handle, after, 0)
        finally:
            os.close(handle)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            return file.read(_MOST_BYTES)
    except OSError:
        return b""


def _parsed(content: bytes) -> _State:
    try:
        return msgspec.json.decode(content, type=_State)
    except msgspec.DecodeError:
        return _State()


def _away(state: _State) -> Away | None:
    if state.since is None or state.until is None:
        return None
    return Away(state.since, state.until, state.reason)


def _shown(moment: dt.datetime) -> str:
    return f"{moment:%H:%M:%S} UTC"
