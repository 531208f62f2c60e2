"""What travels between a pool and its workers.

Frames over a stream socket: eight bytes of length, big-endian, one byte that says what it is, the payload.
Tasks over a socket of datagrams, each with the descriptors of its input files.
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
"""Frames of a worker: it waits for tasks; the task has so many pages; it asks its pool; the task's reply."""
ORDER, ANSWER, TASK = b"O", b"A", b"T"
"""Frames of a pool: what the worker is for; the answer to a question; a task too large for a datagram."""

INPUTS_ONLY = b"\0"
"""The payload of a datagram with the inputs of a task that comes as a frame."""

MOST_DATAGRAM_BYTES = 1 << 16
MOST_INPUTS = 16
_HEADER = struct.Struct("!Qc")
_CHUNK = 1 << 20


class BrokenChannel(Exception):
    """The other side sent what can't be a frame."""


class Frame(NamedTuple):
    """One frame; ``kind`` is one of the constants above."""

    kind: bytes
    payload: bytes


@dataclass(frozen=True, slots=True)
class Delivery:
    """A task as it arrives: its payload and its inputs' descriptors, which are the receiver's to close."""

    payload: bytes
    descriptors: tuple[int, ...]

    def close(self) -> None:
        """Close the descriptors."""
        for descriptor in self.descriptors:
            os.close(descriptor)


def send_frame(sock: socket.socket, kind: bytes, payload: bytes = b"") -> None:
    """Send one frame, blocking; raise OSError when the other side is gone."""
    header = _HEADER.pack(len(payload), kind)
    if len(payload) < _CHUNK:
        sock.sendall(header + payload)
    else:
        sock.sendall(header)
        sock.sendall(payload)


def receive_frame(sock: socket.socket) -> Frame | None:
    """Return the next frame, blocking; None when the other side has closed."""
    header = _receive_exactly(sock, _HEADER.size)
    if header is None:
        return None
    size, kind = _HEADER.unpack(header)
    payload = _receive_exactly(sock, size)
    return None if payload is None else Frame(kind, payload)


def send_task(sock: socket.socket, payload: bytes, descriptors: Sequence[int]) -> None:
    """Send a task as a datagram without blocking; raise OSError when it can't be taken."""
    socket.send_fds(sock, [payload], descriptors, socket.MSG_DONTWAIT)


def receive_task(sock: socket.socket) -> Delivery | None:
    """Return a task that has arrived, whichever end reads it; None when there is none."""
    descriptors = array("i")
    room = socket.CMSG_LEN(MOST_INPUTS * descriptors.itemsize)
    # socket.recv_fds leaves the flags out in Python 3.11.
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
    """Collects frames from a socket without ever blocking; their payloads may be up to ``limit`` bytes."""

    def __init__(self, sock: socket.socket, limit: int) -> None:
        self._sock = sock
        self._limit = limit
        self._data = bytearray()
        self.closed = False

    def read(self) -> list[Frame]:
        """Return the frames that are complete by now; set ``closed`` once the other side has gone.

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
