"""Files of a lake for a process without a network: its parent sends the bytes, of one catalog's files alone.

A request is a line of JSON, ``{"name": …, "start": …, "end": …}``; without ``start``, it asks for the size.
The reply is a line with the number of bytes, or of the size, and the bytes; the line is empty after a
failure.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NoReturn

from docduck.outbound.object_store import Bucket, ObjectGone, StoreUnavailable


class PipedObjects:
    """The bucket, as a child sees it. Raise StoreUnavailable as the parent's request failed."""

    def __init__(self, requests: int, replies: int) -> None:
        self._requests = os.fdopen(requests, "wb", buffering=0)
        self._replies = os.fdopen(replies, "rb")
        self._lock = threading.Lock()

    def size(self, name: str) -> int:
        """Return the bytes of a file."""
        with self._lock:
            return self._ask({"name": name})

    def read(self, name: str, start: int, end: int) -> bytes:
        """Return the bytes from ``start`` up to ``end``."""
        with self._lock:
            return self._replies.read(self._ask({"name": name, "start": start, "end": end}))

    def refuse(self, *_: object) -> NoReturn:
        """Raise StoreUnavailable: a child only reads files, those that its catalog names."""
        raise StoreUnavailable("a query can only read files", retryable=False)

    write = delete = names = refuse

    def close(self) -> None:
        """Close the pipes."""
        self._requests.close()
        self._replies.close()

    def _ask(self, request: dict[str, str | int]) -> int:
        self._requests.write(json.dumps(request).encode() + b"\n")
        if line := self._replies.readline().strip():
            return int(line)
        raise StoreUnavailable("the request failed", retryable=True)


@contextmanager
def serving(bucket: Bucket, names: Collection[str]) -> Iterator[tuple[int, int]]:
    """Serve files of these names to a child; yield the ends of its pipes, to ask and to be answered."""
    request_end, ask = os.pipe()
    answer, reply_end = os.pipe()
    with os.fdopen(request_end, "rb") as requests, os.fdopen(reply_end, "wb") as replies:
        server = threading.Thread(target=_serve, args=(bucket, names, requests, replies), daemon=True)
        server.start()
        try:
            yield ask, answer
        finally:
            # Ends the thread, also one that writes to a child that was killed.
            os.close(ask)
            os.close(answer)
            server.join()


def _serve(bucket: Bucket, names: Collection[str], requests: BinaryIO, replies: BinaryIO) -> None:
    with suppress(BrokenPipeError):
        for line in requests:
            try:
                request = json.loads(line)
                if request["name"] not in names:
                    raise ObjectGone
                if "start" in request:
                    data = bucket.read(request["name"], int(request["start"]), int(request["end"]))
                    replies.write(b"%d\n%b" % (len(data), data))
                else:
                    replies.write(b"%d\n" % bucket.size(request["name"]))
            except (StoreUnavailable, ObjectGone, ValueError, KeyError, TypeError):
                replies.write(b"\n")
            replies.flush()
