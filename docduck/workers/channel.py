"""The protocol between a pool and its workers.

Frames on a stream socket: eight bytes of length (big-endian), one byte for the kind, the payload. Tasks on a
datagram socket, with the descriptors of their input files.
"""

from __future__ import annotations

import os
import socket
import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

READY, PAGES, QUESTION, DONE = b"R", b"P", b"Q", b"D"
"""Frames from a worker: ready for tasks; number of pages; question to the pool; reply to the task."""
ORDER, ANSWER, TASK = b"O", b"A", b"T"
"""Frames from a pool: the worker's order; answer to a question; a task too large for a datagram."""
PREPARE, FORK, REAP = b"I", b"F", b"W"
"""Frames to a fork server, and its replies to the last two: import modules; start a worker; wait for one that
is killed."""

INPUTS_ONLY = b"\0"
"""The payload of a datagram with the inputs of a task sent as a frame."""

MOST_DATAGRAM_BYTES = 1 << 16
MOST_INPUTS = 16
_HEADER = struct.Struct("!Qc")
_CHUNK = 1 << 20


class BrokenChannel(Exception):
    """The other side sent an invalid frame."""


class Frame(NamedTuple):
    """A frame; ``kind`` is one of the constants above."""

    kind: bytes
    payload: bytes


@dataclass(frozen=True, slots=True)
class Delivery:
    """A received task: its payload and its inputs' descriptors, which the receiver must close."""

    payload: bytes
    descriptors: tuple[int, ...]

    def close(self) -> None:
        """Close the descriptors."""
        for descriptor in self.descriptors:
            os.close(descriptor)


def send_frame(sock: socket.socket, kind: bytes, payload: bytes = b"") -> None:
    """Send a frame, blocking; raise OSError if the other side is gone."""
    header = _HEADER.pack(len(payload), kind)
    if len(payload) < _CHUNK:
        sock.sendall(header + payload)
    else:
        sock.sendall(header)
        sock.sendall(payload)


def receive_frame(sock: socket.socket) -> Frame | None:
    """Return the next frame, blocking; None if the other side has closed."""
    header = _receive_exactly(sock, _HEADER.size)
    if header is None:
        return None
    size, kind = _HEADER.unpack(header)
    payload = _receive_exactly(sock, size)
    return None if payload is None else Frame(kind, payload)


def send_task(sock: socket.socket, payload: bytes, descriptors: Sequence[int]) -> None:
    """Send a task as a datagram without blocking; raise OSError if that is impossible."""
    socket.send_fds(sock, [payload], descriptors, socket.MSG_DONTWAIT)


def receive_task(sock: socket.socket) -> Delivery | None:
    """Return a received task, on either end; None without."""
    descriptors = array("i")
    room = socket.CMSG_LEN(MOST_INPUTS * descriptors.itemsize)
    # socket.recv_fds ignores flags in Python 3.11.
    try:
        payload, ancillary, _, _ = sock.recvmsg(
            MOST_DATAGRAM_BYTES, room, socket.MSG_DONTWAIT | socket.MSG_CMSG_CLOEXEC
        )
    except BlockingIOError:
        return None
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    return Delivery(payload, tuple(descriptors)) if payload else None


def _receive_exactly(sock: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        chunk = sock.recv(min(size - len(data), _CHUNK))
        if not chunk:
            return None
        data += chunk
    return bytes(data)


class FrameReader:
    """Reads frames of up to ``limit`` bytes from a socket without blocking."""

    def __init__(self, sock: socket.socket, limit: int) -> None:
        self._sock = sock
        self._limit = limit
        self._data = bytearray()
        self.closed = False

    def read(self) -> list[Frame]:
        """Return the complete frames; set ``closed`` once the other side is gone.

        Raise BrokenChannel for a frame over the limit.
        """
        try:
            while chunk := self._sock.recv(_CHUNK, socket.MSG_DONTWAIT):
                self._data += chunk
                if len(chunk) < _CHUNK:
                    break
            else:
                self.closed = True
        except BlockingIOError:
            pass
        except OSError:
            self.closed = True
        return self._frames()

    def _frames(self) -> list[Frame]:
        frames = []
        while len(self._data) >= _HEADER.size:
            size, kind = _HEADER.unpack_from(self._data)
            if size > self._limit:
                raise BrokenChannel(f"frame of {size} bytes, limit {self._limit}")
            end = _HEADER.size + size
            if len(self._data) < end:
                break
            frames.append(Frame(kind, bytes(memoryview(self._data)[_HEADER.size : end])))
            del self._data[:end]
        return frames
